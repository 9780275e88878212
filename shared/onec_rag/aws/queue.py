"""Sending messages to a queue."""

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from onec_rag.errors import RetryableError

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_BATCH = 10  # messages in one SendMessageBatch, by SQS


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
