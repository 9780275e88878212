"""A worker process of one function: `python -m onec_rag_local.worker NAME`.

A function with a queue gets its messages until SIGTERM; the current batch is finished first. When its handler's module
has a `dead_letter_handler`, that gets what the queue gave up on. A function without a queue is called once with the
event of `--event`; the last line that it prints is the answer as JSON. With `--every MINUTES` it is called so often,
as by a schedule, until SIGTERM.
"""

import argparse
import json
import logging
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from onec_rag_local.environment import DEAD, FUNCTIONS, Function, deployment_folder, queue_variable
from onec_rag_local.events import EventSourceMapping, call, load_handler_module

POLL_SECONDS = 5
logger = logging.getLogger(__name__)


class StopSignal:
    """Remembers SIGTERM, and ends the process at once only while it waits for messages."""

    def __init__(self) -> None:
        self.received = False
        self._waiting = False
        signal.signal(signal.SIGTERM, self._receive)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.received = True
        if self._waiting:
            sys.exit(0)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """A block that SIGTERM may interrupt. A batch that arrives in that moment comes again later."""
        self._waiting = True
        try:
            if self.received:
                sys.exit(0)
            yield
        finally:
            self._waiting = False


def serve(mappings: list[EventSourceMapping], stop: StopSignal) -> None:
    """Deliver messages until SIGTERM: wait for those of the first queue, look whether the others have any."""
    while not stop.received:
        for mapping, wait_seconds in zip(mappings, (POLL_SECONDS, 0), strict=False):
            try:
                with stop.waiting():
                    messages = mapping.receive(wait_seconds)
                if messages:
                    mapping.handle(messages)
            except (BotoCoreError, ClientError):
                logger.exception("%s: the queue does not answer", mapping.function.name)
                with stop.waiting():
                    time.sleep(1)


def mappings_of(function: Function, module: ModuleType, queue_url: str) -> list[EventSourceMapping]:
    """The mapping of the function's queue, and that of its dead letters where the handler has a use for them."""
    sqs = boto3.client("sqs")
    mappings = [EventSourceMapping(sqs, queue_url, module.handler, function)]
    if hasattr(module, "dead_letter_handler"):
        mappings.append(EventSourceMapping(sqs, queue_url + DEAD, module.dead_letter_handler, function))
    return mappings


def repeat(function: Function, module: ModuleType, event: dict[str, Any], minutes: float, stop: StopSignal) -> None:
    """Call the function, the first time after so many minutes, until SIGTERM. What it raises is logged."""
    while not stop.received:
        with stop.waiting():
            time.sleep(minutes * 60)
        try:
            call(module.handler, event, function)
        except Exception:  # the border where Lambda catches what a handler raises
            logger.exception("%s failed", function.name)


def main() -> None:
    """Read the arguments; settings of the function come from the environment, as in Lambda."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("function", choices=FUNCTIONS)
    parser.add_argument("--deployment", type=Path, help="a folder with functions/, if not the product's own")
    parser.add_argument("--event", type=json.loads, default={}, help="JSON, for a function without a queue")
    parser.add_argument("--every", type=float, metavar="MINUTES", help="call a function without a queue so often")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    function = FUNCTIONS[arguments.function]
    stop = StopSignal()
    module = load_handler_module((arguments.deployment or deployment_folder()) / function.handler_path)
    if function.queue:
        serve(mappings_of(function, module, os.environ[queue_variable(function.queue)]), stop)
    elif arguments.every:
        repeat(function, module, arguments.event, arguments.every, stop)
    else:
        answer = call(module.handler, arguments.event, function)
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
