"""Logs, traces and metrics of this process by Powertools; texts of users and keys never go into them.

Powertools is configured by the function's environment. Outside of Lambda its tracer switches itself off, and without
`POWERTOOLS_METRICS_NAMESPACE` nothing is measured.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from aws_lambda_powertools import Logger, Metrics, Tracer
from aws_lambda_powertools.metrics import MetricUnit

if TYPE_CHECKING:
    import logging

    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
    from aws_lambda_powertools.utilities.typing import LambdaContext

Handler = Callable[[dict[str, Any], "LambdaContext"], Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

logger = Logger()
tracer = Tracer(patch_modules=["botocore"])
metrics = Metrics()


def observed(handler: Handler) -> Handler:
    """A Lambda handler whose run is a trace and whose log lines name the invocation; its answer is in neither."""
    traced: Handler = tracer.capture_lambda_handler(handler, capture_response=False)
    injected: Handler = logger.inject_lambda_context(traced, clear_state=True)
    return injected


def correlate(**ids: object) -> None:
    """Puts ids into the log lines of the message or request that is being handled, and of no other one."""
    logger.thread_safe_append_keys(**ids)


def handle_messages(
    event: dict[str, Any], context: "LambdaContext", act: Callable[[Mapping[str, Any]], None]
) -> Mapping[str, Any]:
    """An SQS event → which of its messages go back to their queue: those for whose JSON body `act` raised.

    What was raised is logged with its traceback and the ids of that message.
    """
    # The API, which handles no messages, need not load this.
    from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

    def handle(record: "SQSRecord") -> None:
        logger.thread_safe_clear_keys()
        correlate(message_id=record.message_id)
        act(record.json_body)

    log = cast("logging.Logger", logger)  # it has the methods, though not the class
    processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False, logger=log)
    answer = process_partial_response(event, handle, processor, context)
    if metrics.namespace:
        metrics.add_metric("Messages", MetricUnit.Count, len(event["Records"]))
        metrics.add_metric("FailedMessages", MetricUnit.Count, len(answer["batchItemFailures"]))
        metrics.flush_metrics()
    return answer


class RequestIds:
    """ASGI middleware: the id of `X-Request-Id`, or a new one, is in a request's log lines and in its response.

    What else a client may put there (over 128 characters, line breaks, quotes) does not get into the log.
    """

    HEADER = b"x-request-id"
    ACCEPTED = re.compile(rb"[\w.:+/=-]{1,128}", re.ASCII)

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(self.HEADER, b"")
        request_id = given if self.ACCEPTED.fullmatch(given) else str(uuid4()).encode()
        correlate(request_id=request_id.decode())

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (self.HEADER, request_id)]
            await send(message)

        await self.app(scope, receive, send_with_id)
