"""The event source mapping between a queue and a handler, as AWS Lambda runs it.

Formats: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html (the event) and …/dg/services-sqs-errorhandling.html
(the answer).
"""

import faulthandler
import importlib.util
import logging
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from onec_rag_local.environment import MAX_RECEIVE_COUNT, REGION, Function

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

Handler = Callable[[dict[str, Any], "LambdaContext"], Any]
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LambdaContext:
    """What a handler may ask of its invocation; `deadline` is in seconds of the monotonic clock."""

    function_name: str
    deadline: float
    aws_request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 1024
    log_stream_name: str = "local"
    identity: None = None
    client_context: None = None

    @property
    def invoked_function_arn(self) -> str:
        return f"arn:aws:lambda:{REGION}:123456789012:function:{self.function_name}"

    @property
    def log_group_name(self) -> str:
        return f"/aws/lambda/{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self.deadline - time.monotonic()) * 1000))


def load_handler_module(path: Path) -> ModuleType:
    """Load a handler's file as Lambda does: its folder is the first place where its imports are looked for."""
    sys.path.insert(0, str(path.parent))
    specification = importlib.util.spec_from_file_location(path.stem, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"no Python module in {path}")
    module = importlib.util.module_from_spec(specification)
    sys.modules[path.stem] = module
    specification.loader.exec_module(module)
    return module


def call(handler: Handler, event: dict[str, Any], function: Function) -> Any:
    """Call a handler once. As in Lambda the whole process ends when it takes longer than the function's timeout."""
    faulthandler.dump_traceback_later(function.timeout_seconds, exit=True)
    try:
        return handler(event, LambdaContext(function.name, time.monotonic() + function.timeout_seconds))
    finally:
        faulthandler.cancel_dump_traceback_later()


def back_off_seconds(receive_count: int) -> int:
    """How long a failed message hides: 2, 4, 8, 16 s, at most 30; none after the last try, it is to be buried."""
    return 0 if receive_count >= MAX_RECEIVE_COUNT else min(2**receive_count, 30)


@dataclass(frozen=True, slots=True)
class EventSourceMapping:
    """Brings a queue's messages to a handler and deletes those that it did not report as failed."""

    sqs: "SQSClient"
    queue_url: str
    handler: Handler
    function: Function
    back_off: Callable[[int], int] = back_off_seconds

    def deliver(self, wait_seconds: int) -> int:
        """Wait for a batch, at most so long, and have it handled; returns the number of messages."""
        messages = self.receive(wait_seconds)
        if messages:
            self.handle(messages)
        return len(messages)

    def receive(self, wait_seconds: int) -> "Sequence[MessageTypeDef]":
        """Long-poll for one batch."""
        return self.sqs.receive_message(
            QueueUrl=self.queue_url,
            MaxNumberOfMessages=self.function.batch_size,
            WaitTimeSeconds=wait_seconds,
            MessageSystemAttributeNames=["All"],
            MessageAttributeNames=["All"],
        ).get("Messages", [])

    def handle(self, messages: "Sequence[MessageTypeDef]") -> None:
        """Call the handler, delete what is done, and let the rest come again after a back-off."""
        ids = {message["MessageId"] for message in messages}
        try:
            failed = failed_messages(call(self.handler, self._event(messages), self.function), ids)
        except Exception:  # the border where Lambda catches what a handler raises
            logger.exception("%s: the batch failed", self.function.name)
            failed = ids
        for message in messages:
            handle = message["ReceiptHandle"]
            if message["MessageId"] in failed:
                hidden = self.back_off(int(message["Attributes"]["ApproximateReceiveCount"]))
                self.sqs.change_message_visibility(
                    QueueUrl=self.queue_url, ReceiptHandle=handle, VisibilityTimeout=hidden
                )
            else:
                self.sqs.delete_message(QueueUrl=self.queue_url, ReceiptHandle=handle)

    def _event(self, messages: "Sequence[MessageTypeDef]") -> dict[str, Any]:
        queue = self.queue_url.rsplit("/", 1)[-1]
        return {"Records": [_record(message, queue) for message in messages]}


def failed_messages(answer: Any, ids: set[str]) -> set[str]:
    """Which of the batch's messages the handler's answer leaves undone: a malformed answer leaves all."""
    if not answer:
        return set()
    try:
        failed = {failure["itemIdentifier"] for failure in answer.get("batchItemFailures") or ()}
    except (AttributeError, KeyError, TypeError):
        logger.error("not the answer of a batch: %r", answer)
        return ids
    return failed if failed <= ids else ids


def _record(message: "MessageTypeDef", queue: str) -> dict[str, Any]:
    attributes: Mapping[str, Any] = message.get("MessageAttributes", {})
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": dict(message["Attributes"]),
        "messageAttributes": {name: _attribute(value) for name, value in attributes.items()},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{REGION}:123456789012:{queue}",
        "awsRegion": REGION,
    }


def _attribute(value: Mapping[str, Any]) -> dict[str, Any]:
    """SQS writes `StringValue`, the event `stringValue`."""
    return {name[0].lower() + name[1:]: content for name, content in value.items()}
