"""S3, SQS and EventBridge on this machine: a moto server as a child, with the bucket, the queues and the rules."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.request import ProxyHandler, build_opener

import boto3
from botocore.config import Config

from onec_rag_local import processes
from onec_rag_local.environment import ACCESS_KEY, DEAD, MAX_RECEIVE_COUNT, QUEUES, REGION, process_environment
from onec_rag_local.errors import LocalStackError
from onec_rag_local.mirror import Mirror
from onec_rag_local.objects import put_back

if TYPE_CHECKING:
    from mypy_boto3_events.client import EventBridgeClient
    from mypy_boto3_s3.client import S3Client
    from mypy_boto3_sqs.client import SQSClient
    from mypy_boto3_sqs.literals import QueueAttributeNameType

BUCKET = "onec-rag"
UPLOADS, UPLOADS_QUEUE = ("uploads/", "sync/"), "plan"
MIRROR_QUEUE = "mirror"
START_SECONDS = 60.0
# moto.server would log a line for each request, and every polled queue makes one every few seconds.
SERVER = "import logging; logging.getLogger('werkzeug').setLevel('ERROR'); from moto.server import main; main()"
# moto tells of an object a moment before it sets the metadata: whoever asks for a label at once finds none.
EVENT_DELAY: "Mapping[QueueAttributeNameType, str]" = {"DelaySeconds": "1"}


@dataclass(frozen=True, slots=True)
class Aws:
    """A running server; `queue_urls` by name, dead letters (`plan-dead`) and the mirror's queue included.

    All of it is in memory. Objects outlive it in the data folder; messages do not: the database is the truth.
    """

    url: str
    queue_urls: Mapping[str, str]
    process: subprocess.Popen[bytes]
    mirror: Mirror

    @classmethod
    def start(cls, folder: Path, port: int | None = None) -> Self:
        """Start the server on 127.0.0.1, put the mirrored objects back, and only then switch notifications on.

        The folder keeps `objects` and `logs/aws.log`. Raises `LocalStackError` when the server does not answer.
        """
        port = port or processes.free_port()
        url, log = f"http://127.0.0.1:{port}", folder / "logs" / "aws.log"
        command = [sys.executable, "-c", SERVER, "-H", "127.0.0.1", "-p", str(port)]
        process = processes.spawn(command, log, process_environment({}))
        with ExitStack() as undo:
            undo.callback(processes.stop, process)
            _wait_until_ready(url, process, log)
            s3(url).create_bucket(Bucket=BUCKET)
            queue_urls = _create_queues(sqs(url))
            mirror = Mirror(s3(url), sqs(url), BUCKET, queue_urls[MIRROR_QUEUE], folder)
            put_back(s3(url), BUCKET, folder)
            _switch_notifications_on(url)
            mirror.start()
            undo.pop_all()
        return cls(url, queue_urls, process, mirror)

    def stop(self) -> None:
        """Bring the mirror up to date, then end the server. Once more does nothing."""
        self.mirror.stop()
        processes.stop(self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def s3(url: str) -> "S3Client":
    """A client of the server's S3."""
    return boto3.client("s3", **_settings(url))


def sqs(url: str) -> "SQSClient":
    """A client of the server's SQS."""
    return boto3.client("sqs", **_settings(url))


def events(url: str) -> "EventBridgeClient":
    """A client of the server's EventBridge."""
    return boto3.client("events", **_settings(url))


def _settings(url: str) -> dict[str, Any]:
    return {
        "endpoint_url": url,
        "region_name": REGION,
        "aws_access_key_id": ACCESS_KEY,
        "aws_secret_access_key": ACCESS_KEY,
        # Whatever proxy the user has, it does not stand before 127.0.0.1; a server there that is gone stays gone.
        "config": Config(proxies={}, retries={"total_max_attempts": 1}),
    }


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    opener = build_opener(ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            opener.open(f"{url}/moto-api/", timeout=5).close()
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise LocalStackError(f"the bucket server did not start:\n{processes.tail(log)}") from error
            time.sleep(0.05)
        else:
            return


def _create_queues(client: "SQSClient") -> dict[str, str]:
    """Every queue with its dead letters; returns their addresses by name."""
    urls = {MIRROR_QUEUE: client.create_queue(QueueName=MIRROR_QUEUE, Attributes=EVENT_DELAY)["QueueUrl"]}
    for name, visibility in QUEUES.items():
        urls[name + DEAD] = client.create_queue(QueueName=name + DEAD)["QueueUrl"]
        redrive = {"deadLetterTargetArn": queue_arn(name + DEAD), "maxReceiveCount": MAX_RECEIVE_COUNT}
        attributes: dict[QueueAttributeNameType, str] = {
            "VisibilityTimeout": str(visibility),
            "RedrivePolicy": json.dumps(redrive),
            **(EVENT_DELAY if name == UPLOADS_QUEUE else {}),
        }
        urls[name] = client.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
    return urls


def queue_arn(name: str) -> str:
    """The ARN of a queue in the account that moto pretends to be."""
    return f"arn:aws:sqs:{REGION}:123456789012:{name}"


def _switch_notifications_on(url: str) -> None:
    """Uploads go to the planner; the mirror hears of every object, since the product writes some of its own."""
    _put_rule(events(url), UPLOADS_QUEUE, {"key": [{"prefix": prefix} for prefix in UPLOADS]})
    _put_rule(events(url), MIRROR_QUEUE, {})
    s3(url).put_bucket_notification_configuration(
        Bucket=BUCKET, NotificationConfiguration={"EventBridgeConfiguration": {}}
    )


def _put_rule(client: "EventBridgeClient", queue: str, filtered: dict[str, Any]) -> None:
    detail = {"bucket": {"name": [BUCKET]}} | ({"object": filtered} if filtered else {})
    pattern = {"source": ["aws.s3"], "detail-type": ["Object Created", "Object Deleted"], "detail": detail}
    client.put_rule(Name=queue, EventPattern=json.dumps(pattern))
    client.put_targets(Rule=queue, Targets=[{"Id": queue, "Arn": queue_arn(queue)}])
