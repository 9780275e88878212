"""Sending messages to a queue, and counting what it holds."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from onec_rag.errors import RetryableError

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_BATCH = 10  # messages in one SendMessageBatch, by SQS


@dataclass(frozen=True, slots=True)
class Backlog:
    """About how many messages a queue holds: ready to be received, received and not yet done, delayed; and how many
    were given up (the dead letters). SQS counts a minute behind."""

    waiting: int
    in_flight: int
    delayed: int
    dead: int

    @property
    def idle(self) -> bool:
        """Whether nothing is there and nothing will come by itself."""
        return not (self.waiting or self.in_flight or self.delayed)


class Queue:
    """One queue to send to, by its URL."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: SQSClient = boto3.client(
            "sqs", config=Config(retries={"mode": "standard", "max_attempts": 4}, connect_timeout=5, read_timeout=30)
        )

    def send(self, messages: Iterable[Mapping[str, Any]], delay: int = 0) -> None:
        """Sends JSON messages, ten a request, to be seen after `delay` seconds (900 at the most).

        Raises:
            RetryableError: the queue did not take all of them; those before may have been sent.
        """
        rows = iter(messages)
        while batch := list(islice(rows, _BATCH)):
            entries: list[Any] = [
                {"Id": str(number), "MessageBody": json.dumps(message, ensure_ascii=False), "DelaySeconds": delay}
                for number, message in enumerate(batch)
            ]
            try:
                answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            except (ClientError, BotoCoreError) as error:
                raise RetryableError(f"queue: {error}") from error
            if answer.get("Failed"):
                raise RetryableError(f"queue: {answer['Failed'][0].get('Message', 'a message was refused')}")

    def backlog(self) -> Backlog:
        """What the queue holds, and the queue that its redrive policy names.

        Raises:
            RetryableError: the queue does not answer.
        """
        try:
            held = self._counts(self._url)
            dead = 0
            if policy := held.get("RedrivePolicy"):
                name = json.loads(policy)["deadLetterTargetArn"].rpartition(":")[2]
                dead = sum(_counted(self._counts(self._client.get_queue_url(QueueName=name)["QueueUrl"])))
        except (ClientError, BotoCoreError) as error:
            raise RetryableError(f"queue: {error}") from error
        waiting, in_flight, delayed = _counted(held)
        return Backlog(waiting, in_flight, delayed, dead)

    def _counts(self, url: str) -> dict[str, str]:
        answer = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
        return {str(name): value for name, value in answer["Attributes"].items()}


def _counted(attributes: Mapping[str, str]) -> list[int]:
    """Ready, in flight, delayed."""
    return [int(attributes.get(f"ApproximateNumberOfMessages{kind}", 0)) for kind in ("", "NotVisible", "Delayed")]
