import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from onec_rag_local.aws import Aws, queue_arn, sqs
from onec_rag_local.environment import Function
from onec_rag_local.events import EventSourceMapping, LambdaContext

pytestmark = pytest.mark.integration
WAIT_SECONDS = 5


class Queue:
    """A queue of its own for one test, with dead letters after three tries."""

    def __init__(self, url: str) -> None:
        self.sqs = sqs(url)
        self.name = f"test-{uuid4().hex[:8]}"
        self.dead_url = self.sqs.create_queue(QueueName=f"{self.name}-dead")["QueueUrl"]
        redrive = json.dumps({"deadLetterTargetArn": queue_arn(f"{self.name}-dead"), "maxReceiveCount": 3})
        self.url = self.sqs.create_queue(
            QueueName=self.name, Attributes={"VisibilityTimeout": "300", "RedrivePolicy": redrive}
        )["QueueUrl"]

    def send(self, *bodies: str) -> None:
        for body in bodies:
            self.sqs.send_message(
                QueueUrl=self.url,
                MessageBody=body,
                MessageAttributes={"kind": {"DataType": "String", "StringValue": "тест"}},
            )

    def messages(self) -> int:
        """All that are there, visible or not."""
        attributes = self.sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=["All"])["Attributes"]
        return int(attributes["ApproximateNumberOfMessages"]) + int(attributes["ApproximateNumberOfMessagesNotVisible"])

    def mapping(
        self,
        handler: Callable[[dict[str, Any], LambdaContext], Any],
        batch_size: int = 10,
        back_off: Callable[[int], int] = lambda count: 0,
    ) -> EventSourceMapping:
        function = Function("indexer", "indexer", queue=self.name, batch_size=batch_size, timeout_seconds=30)
        return EventSourceMapping(self.sqs, self.url, handler, function, back_off)


@pytest.fixture
def queue(aws: Aws) -> Iterator[Queue]:
    queue = Queue(aws.url)
    yield queue
    queue.sqs.delete_queue(QueueUrl=queue.url)
    queue.sqs.delete_queue(QueueUrl=queue.dead_url)


def test_a_message_is_delivered_as_lambda_does_and_then_deleted(queue: Queue) -> None:
    calls: list[tuple[dict[str, Any], LambdaContext]] = []
    queue.send('{"задача": 1}')
    assert queue.mapping(lambda event, context: calls.append((event, context))).deliver(WAIT_SECONDS) == 1
    [(event, context)] = calls
    [record] = event["Records"]
    assert record["body"] == '{"задача": 1}'
    assert record["attributes"]["ApproximateReceiveCount"] == "1"
    assert record["messageAttributes"]["kind"] == {"dataType": "String", "stringValue": "тест"}
    assert record["eventSource"] == "aws:sqs"
    assert record["eventSourceARN"] == queue_arn(queue.name)
    assert set(record) == {
        "messageId",
        "receiptHandle",
        "body",
        "attributes",
        "messageAttributes",
        "md5OfBody",
        "eventSource",
        "eventSourceARN",
        "awsRegion",
    }
    assert context.function_name == "indexer"
    assert 0 < context.get_remaining_time_in_millis() <= 30_000
    assert queue.messages() == 0


def test_a_batch_is_no_larger_than_the_function_takes(queue: Queue) -> None:
    queue.send("1", "2")
    assert queue.mapping(lambda event, context: None, batch_size=1).deliver(WAIT_SECONDS) == 1
    assert queue.messages() == 1


def test_only_what_the_handler_reports_as_failed_comes_again(queue: Queue) -> None:
    seen: list[tuple[str, str]] = []

    def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
        seen.extend((record["body"], record["attributes"]["ApproximateReceiveCount"]) for record in event["Records"])
        bad = [record["messageId"] for record in event["Records"] if record["body"] == "bad"]
        return {"batchItemFailures": [{"itemIdentifier": message} for message in bad if ("bad", "2") not in seen]}

    queue.send("good", "bad")
    mapping = queue.mapping(handler)
    delivered = 0
    while delivered < 3:
        delivered += mapping.deliver(WAIT_SECONDS)
    assert sorted(seen) == [("bad", "1"), ("bad", "2"), ("good", "1")]
    assert queue.messages() == 0


def refuse(event: dict[str, Any], context: LambdaContext) -> None:
    raise ValueError("no")


@pytest.mark.parametrize(
    "handler",
    [
        refuse,
        lambda event, context: {"batchItemFailures": [{"itemIdentifier": ""}]},
        lambda event, context: {"batchItemFailures": [{"wrong": "1"}]},
        lambda event, context: ["not an answer"],
    ],
    ids=["raises", "empty identifier", "wrong key", "wrong type"],
)
def test_a_message_that_always_fails_ends_in_the_dead_letters(
    queue: Queue, handler: Callable[[dict[str, Any], LambdaContext], Any]
) -> None:
    queue.send("bad")
    mapping = queue.mapping(handler)
    assert [mapping.deliver(WAIT_SECONDS) for _ in range(3)] == [1, 1, 1]
    assert mapping.deliver(1) == 0
    dead = queue.sqs.receive_message(QueueUrl=queue.dead_url, WaitTimeSeconds=WAIT_SECONDS)["Messages"]
    assert [message["Body"] for message in dead] == ["bad"]


def test_a_failed_message_hides_for_a_while(queue: Queue) -> None:
    queue.send("bad")
    mapping = queue.mapping(refuse, back_off=lambda count: 60 * count)
    assert mapping.deliver(WAIT_SECONDS) == 1
    assert mapping.deliver(1) == 0
    assert queue.messages() == 1


def test_a_call_that_takes_too_long_ends_the_process_with_its_traceback() -> None:
    program = (
        "import threading\n"
        "from onec_rag_local.environment import Function\n"
        "from onec_rag_local.events import call\n"
        "def slow(event, context): threading.Event().wait()\n"
        "call(slow, {}, Function('indexer', 'indexer', timeout_seconds=1))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "in slow" in ended.stderr
