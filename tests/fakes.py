"""Fakes of what is outside of us: an embedding endpoint over real HTTP, and S3 and SQS in memory."""

import hashlib
import io
import json
import random
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from threading import Event
from typing import Any, BinaryIO, Self

from botocore.exceptions import ClientError

from http_servers import FakeHandler, FakeServer
from onec_rag.errors import RetryableError
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.embed import embed_message
from onec_rag.indexing.plan import plan_message
from onec_rag.indexing.process import process_task


class Fault(StrEnum):
    """What the embedding endpoint does instead of answering."""

    TOO_MANY = "429"
    TOO_MANY_WAIT = "429 with Retry-After: 7"
    TOO_MANY_NOW = "429 with Retry-After: 0"
    SERVER_ERROR = "500"
    REFUSED = "400"
    HANG_UP = "the connection is closed without an answer"
    WRONG_SIZE = "vectors one number too long"
    GARBAGE = "200 and no JSON"
    NOT_A_NUMBER = "NaN"
    NULLS = "null where a number should be"
    ZEROS = "vectors of zeros"
    FEWER = "one vector too few"


_STATUS = {
    Fault.TOO_MANY: 429, Fault.TOO_MANY_WAIT: 429, Fault.TOO_MANY_NOW: 429, Fault.SERVER_ERROR: 500, Fault.REFUSED: 400,
}  # fmt: skip
_WAIT = {Fault.TOO_MANY_WAIT: {"Retry_After": "7"}, Fault.TOO_MANY_NOW: {"Retry_After": "0"}}


def vector_of(text: str, dimensions: int) -> list[float]:
    """The same vector for the same text, an unrelated one for any other; of length 1."""
    numbers = random.Random(hashlib.sha256(text.encode()).digest())
    raw = [numbers.gauss(0, 1) for _ in range(dimensions)]
    length = sum(value * value for value in raw) ** 0.5
    return [value / length for value in raw]


class EmbeddingServer(FakeServer):
    """Speaks the OpenAI protocol on 127.0.0.1. `script` says what the next requests get; then all goes well again."""

    def __init__(self, dimensions: int = 8) -> None:
        super().__init__(_EmbeddingHandler)
        self.dimensions = dimensions
        self.texts: Counter[str] = Counter()
        """How often each text got its vector."""
        self.requests = 0
        self.always: Fault | None = None
        self.refused: dict[str, int] = {}
        """Words, and the HTTP status that answers every request with a text that holds the word."""
        self.most_texts = 2_048
        """Of one request; more are answered with 413."""
        self.keys: set[str | None] = set()
        """What came as `Authorization`."""
        self.arrived, self.gate = Event(), Event()
        """A request has arrived; as long as the gate is closed it gets no answer."""
        self.gate.set()
        self._script: deque[Fault | None] = deque()

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def script(self, *faults: Fault | None) -> None:
        """What each of the next requests gets; None for an answer."""
        self._script.extend(faults)

    def next_fault(self) -> Fault | None:
        return self._script.popleft() if self._script else self.always


class _EmbeddingHandler(FakeHandler):
    def do_POST(self) -> None:
        asked = self.read_json()
        self.owner.requests += 1
        self.owner.keys.add(self.headers["Authorization"])
        self.owner.arrived.set()
        self.owner.gate.wait(30)
        fault = self.owner.next_fault()
        words = self.owner.refused.items()
        refused = [status for word, status in words if any(word in text for text in asked["input"])]
        if len(asked["input"]) > self.owner.most_texts:
            refused.insert(0, 413)
        if fault is None and refused:
            self.answer(refused[0], b'{"error": {"message": "the text is too long"}}')
            return
        if fault is Fault.HANG_UP:
            return
        if fault in _STATUS:
            self.answer(_STATUS[fault], b'{"error": {"message": "scripted"}}', **_WAIT.get(fault, {}))
        elif fault is Fault.GARBAGE:
            self.answer(200, b"<html>a proxy's page")
        else:
            self.answer(200, json.dumps({"object": "list", "data": list(self._data(asked["input"], fault))}).encode())

    def _data(self, texts: list[str], fault: Fault | None) -> Iterator[dict[str, Any]]:
        size = self.owner.dimensions
        spoilt: dict[Fault, Callable[[list[float]], list[Any]]] = {
            Fault.WRONG_SIZE: lambda vector: [*vector, 0.0],
            Fault.NOT_A_NUMBER: lambda vector: [float("nan"), *vector[1:]],
            Fault.NULLS: lambda vector: [None, *vector[1:]],
            Fault.ZEROS: lambda vector: [0.0] * len(vector),
        }
        for index, text in enumerate(texts[1:] if fault is Fault.FEWER else texts):
            vector: list[Any] = vector_of(text, size)
            if fault in spoilt:
                vector = spoilt[fault](vector)
            elif fault is None:
                self.owner.texts[text] += 1
            yield {"object": "embedding", "index": index, "embedding": vector}


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object of the bucket; `version` is its ETag without quotes."""

    data: bytes
    version: str
    metadata: Mapping[str, str]
    modified: datetime


@dataclass(slots=True)
class Cloud:
    """S3 and SQS as boto3's clients show them, as much as the product uses. Put `client` in place of `boto3.client`.

    A put object is told to the plan queue as EventBridge would tell it. Messages that are sent with a delay stay in
    `delayed` until `release_delayed`: no test waits for a clock.
    """

    objects: dict[tuple[str, str], StoredObject] = field(default_factory=dict)
    queues: dict[str, list[str]] = field(default_factory=lambda: {"plan": [], "index": [], "embed": []})
    delayed: list[tuple[str, str, int]] = field(default_factory=list)
    clock: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    """When the last object was put: each is put a second after the one before."""
    reads: list[tuple[str, int]] = field(default_factory=list)
    """Key and number of bytes of each ranged read."""
    refusals: int = 0
    """So many of the next batches are refused, as a queue that is throttled does."""
    in_flight: Counter[str] = field(default_factory=Counter)
    """What each queue says of messages that somebody has received; messages themselves are not held."""

    def client(self, service: str, **_: object) -> Self:
        assert service in ("s3", "sqs")
        return self

    def put(self, bucket: str, key: str, data: bytes, label: str | None = None) -> None:
        version = hashlib.md5(data, usedforsecurity=False).hexdigest()
        self.clock += timedelta(seconds=1)
        self.objects[bucket, key] = StoredObject(data, version, {"label": label} if label else {}, self.clock)
        detail = {"bucket": {"name": bucket}, "object": {"key": key, "size": len(data), "etag": version}}
        event = {"detail-type": "Object Created", "source": "aws.s3", "time": self.clock.isoformat(), "detail": detail}
        self.queues["plan"].append(json.dumps(event))

    def remove(self, bucket: str, key: str) -> None:
        """Deletes an object and tells of it."""
        del self.objects[bucket, key]
        detail = {"bucket": {"name": bucket}, "object": {"key": key}}
        event = {"detail-type": "Object Deleted", "source": "aws.s3", "detail": detail}
        self.queues["plan"].append(json.dumps(event))

    def head_object(self, *, Bucket: str, Key: str, IfMatch: str = "") -> dict[str, Any]:  # noqa: N803 (boto3's names)
        found = self._object(Bucket, Key, "HeadObject", "404")
        if IfMatch and IfMatch.strip('"') != found.version:
            raise _client_error("412", "HeadObject")
        return {"ContentLength": len(found.data), "Metadata": found.metadata, **_listed(found)}

    def get_object(self, *, Bucket: str, Key: str, Range: str, IfMatch: str) -> dict[str, Any]:  # noqa: N803
        found = self._object(Bucket, Key, "GetObject", "NoSuchKey")
        if IfMatch.strip('"') != found.version:
            raise _client_error("PreconditionFailed", "GetObject")
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", Range)
        if asked is None or int(asked[1]) >= len(found.data):
            raise _client_error("InvalidRange", "GetObject")
        self.reads.append((Key, int(asked[2]) + 1 - int(asked[1])))
        return {"Body": io.BytesIO(found.data[int(asked[1]) : int(asked[2]) + 1])}

    def upload_fileobj(self, content: BinaryIO, bucket: str, key: str) -> None:
        self.put(bucket, key, content.read())

    def delete_object(self, *, Bucket: str, Key: str) -> None:  # noqa: N803
        self.objects.pop((Bucket, Key), None)

    def get_paginator(self, operation: str) -> Self:
        assert operation == "list_objects_v2"
        return self

    def paginate(self, *, Bucket: str, Prefix: str) -> Iterator[dict[str, Any]]:  # noqa: N803
        found = [
            item
            for item in sorted(self.objects.items(), key=lambda item: item[0])
            if item[0][0] == Bucket and item[0][1].startswith(Prefix)
        ]
        contents = [{"Key": key, "Size": len(stored.data), **_listed(stored)} for (_, key), stored in found]
        yield {"Contents": contents} if contents else {}

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803
        assert len(Entries) <= 10
        assert sum(len(entry["MessageBody"].encode()) for entry in Entries) <= 1024**2
        if self.refusals:
            self.refusals -= 1
            return {"Failed": [{"Id": entry["Id"], "Message": "throttled"} for entry in Entries]}
        for entry in Entries:
            if entry["DelaySeconds"]:
                self.delayed.append((QueueUrl, entry["MessageBody"], entry["DelaySeconds"]))
            else:
                self.queues[QueueUrl].append(entry["MessageBody"])
        return {"Successful": [{"Id": entry["Id"]} for entry in Entries]}

    def get_queue_url(self, *, QueueName: str) -> dict[str, Any]:  # noqa: N803
        return {"QueueUrl": QueueName}

    def get_queue_attributes(self, *, QueueUrl: str, AttributeNames: list[str]) -> dict[str, Any]:  # noqa: N803
        assert AttributeNames == ["All"]
        delayed = sum(queue == QueueUrl for queue, _, _ in self.delayed)
        counts = {"": len(self.queues[QueueUrl]), "NotVisible": self.in_flight[QueueUrl], "Delayed": delayed}
        policy = {"RedrivePolicy": json.dumps({"deadLetterTargetArn": f"arn:aws:sqs:region:account:{QueueUrl}-dead"})}
        return {
            "Attributes": {
                **{f"ApproximateNumberOfMessages{kind}": str(count) for kind, count in counts.items()},
                **(policy if f"{QueueUrl}-dead" in self.queues else {}),
            }
        }

    def release_delayed(self) -> None:
        """As if the time of every delayed message had come."""
        for queue, body, _ in self.delayed:
            self.queues[queue].append(body)
        self.delayed.clear()

    def lose_messages(self) -> None:
        """What happens to the local stack's queues when it is restarted."""
        for messages in self.queues.values():
            messages.clear()
        self.delayed.clear()

    def _object(self, bucket: str, key: str, operation: str, code: str) -> StoredObject:
        if (bucket, key) not in self.objects:
            raise _client_error(code, operation)
        return self.objects[bucket, key]


def _listed(stored: StoredObject) -> dict[str, Any]:
    return {"ETag": f'"{stored.version}"', "LastModified": stored.modified}


def _client_error(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, operation)


TRIES = 5
"""Of one message, as the queues are set up; then it would go to the dead letters."""


def run_until_idle(
    cloud: Cloud, indexing: Indexing, *, twice: bool = False, seed: int | None = None, most: int | None = None
) -> int:
    """Delivers messages to the steps of indexing until none is left; returns how many deliveries that took.

    In the order of sending, or shuffled by `seed`; `twice` delivers each message two times, as SQS may; `most` ends it
    after so many deliveries. What raises `RetryableError` comes again; the error of the last try comes out.
    """
    choice = random.Random(seed) if seed is not None else None
    tries: Counter[str] = Counter()
    deliveries = 0
    while deliveries != most:
        waiting = [(queue, body) for queue, bodies in cloud.queues.items() for body in bodies]
        if not waiting:
            break
        queue, body = choice.choice(waiting) if choice else waiting[0]
        cloud.queues[queue].remove(body)
        if twice and not tries[queue + body]:
            cloud.queues[queue].append(body)
        tries[queue + body] += 1
        deliveries += 1
        try:
            deliver(indexing, queue, json.loads(body))
        except RetryableError:
            if tries[queue + body] >= TRIES:
                raise
            cloud.queues[queue].append(body)
    return deliveries


def deliver(indexing: Indexing, queue: str, message: Mapping[str, Any]) -> None:
    """One message to the step that its queue belongs to, as `onec_rag.bootstrap` does it."""
    match queue:
        case "plan":
            plan_message(indexing, message)
        case "index":
            process_task(indexing, message["upload"], message["task"])
        case "embed":
            embed_message(indexing, message)
