import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from onec_rag_local import processes
from onec_rag_local.aws import Aws, sqs
from onec_rag_local.environment import FUNCTIONS, Endpoints, environment_of, process_environment
from onec_rag_local.supervisor import Supervisor
from waiting import wait_until

pytestmark = pytest.mark.integration

# Answers through another queue: what it got, and which module it found beside itself.
INDEXER = """
import os
import boto3
from beside import NAME

def answer(event, kind):
    for record in event["Records"]:
        boto3.client("sqs").send_message(
            QueueUrl=os.environ["ONEC_RAG_EMBED_QUEUE_URL"], MessageBody=f"{kind} {NAME} {record['body']} {os.getpid()}"
        )

def handler(event, context):
    if event["Records"][0]["body"] == "long":
        answer(event, "started")
        with open(os.environ["PIPE"]) as pipe:  # until the test writes to it
            pipe.read()
    answer(event, "done")
    return {"batchItemFailures": []}

def dead_letter_handler(event, context):
    answer(event, "buried")
"""
MIGRATOR = """
import os
print("logs are allowed to say things")

def handler(event, context):
    return {"role": os.environ["DATABASE_URL"], "function": context.function_name, "event": event}
"""

# Tells of each call, and fails at every one of them.
JANITOR = """
import os
import boto3

def handler(event, context):
    boto3.client("sqs").send_message(QueueUrl=os.environ["ONEC_RAG_EMBED_QUEUE_URL"], MessageBody=event["job"])
    raise ValueError("today nothing goes well")
"""


@pytest.fixture
def deployment(tmp_path: Path) -> Path:
    for name, code in (("indexer", INDEXER), ("migrator", MIGRATOR), ("janitor", JANITOR)):
        folder = tmp_path / "functions" / name
        folder.mkdir(parents=True)
        (folder / "handler.py").write_text(code, "utf-8")
        (folder / "beside.py").write_text(f"NAME = '{name}'", "utf-8")
    return tmp_path


@pytest.fixture
def queue_url(aws: Aws) -> str:
    """A queue for one test: the last long poll of a worker that is gone takes messages along, as on AWS."""
    name = f"test-{uuid4().hex[:8]}"
    sqs(aws.url).create_queue(QueueName=f"{name}-dead")
    return sqs(aws.url).create_queue(QueueName=name)["QueueUrl"]


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    with Supervisor(tmp_path) as supervisor:
        yield supervisor


def command(name: str, deployment: Path) -> list[str]:
    return [sys.executable, "-m", "onec_rag_local.worker", name, "--deployment", str(deployment)]


def environment(aws: Aws, name: str, queue_url: str = "") -> dict[str, str]:
    endpoints = Endpoints(
        dsns={"indexer": "dsn of indexer", "migrator": "dsn of migrator"},
        aws_url=aws.url,
        bucket="onec-rag",
        queue_urls=dict(aws.queue_urls) | {"index": queue_url},
        embedding_url="",
        embedding_key="",
        embedding_model="",
        embedding_dimensions=384,
        key_secret="",
    )
    return process_environment(environment_of(FUNCTIONS[name], endpoints, environ={}))


def answer(aws: Aws) -> list[str]:
    """The words of the next message in the queue `embed`."""
    url = aws.queue_urls["embed"]
    [message] = sqs(aws.url).receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
    sqs(aws.url).delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return message["Body"].split()


def send(aws: Aws, queue_url: str, body: str) -> None:
    sqs(aws.url).send_message(QueueUrl=queue_url, MessageBody=body)


def test_messages_reach_the_handler_of_the_file(
    aws: Aws, queue_url: str, deployment: Path, supervisor: Supervisor
) -> None:
    supervisor.start("indexer", command("indexer", deployment), environment(aws, "indexer", queue_url))
    send(aws, queue_url, "первая")
    assert answer(aws)[:3] == ["done", "indexer", "первая"]


def test_dead_letters_reach_the_handler_that_buries_them(
    aws: Aws, queue_url: str, deployment: Path, supervisor: Supervisor
) -> None:
    supervisor.start("indexer", command("indexer", deployment), environment(aws, "indexer", queue_url))
    send(aws, queue_url + "-dead", "lost")
    assert answer(aws)[:3] == ["buried", "indexer", "lost"]


def test_a_killed_worker_is_replaced_and_goes_on(
    aws: Aws, queue_url: str, deployment: Path, supervisor: Supervisor
) -> None:
    [worker] = supervisor.start("indexer", command("indexer", deployment), environment(aws, "indexer", queue_url))
    send(aws, queue_url, "before")
    first = int(answer(aws)[-1])
    assert first == worker.process.pid
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: worker.restarts == 1)
    send(aws, queue_url + "-dead", "after")
    assert int(answer(aws)[-1]) == worker.process.pid != first


def test_a_waiting_worker_stops_at_once_and_cleanly(
    aws: Aws, queue_url: str, deployment: Path, supervisor: Supervisor
) -> None:
    [worker] = supervisor.start("indexer", command("indexer", deployment), environment(aws, "indexer", queue_url))
    send(aws, queue_url, "ready")
    answer(aws)
    supervisor.stop()
    assert worker.process.returncode == 0


def test_a_worker_finishes_its_batch_before_it_stops(
    aws: Aws, queue_url: str, deployment: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    variables = environment(aws, "indexer", queue_url) | {"PIPE": str(pipe)}
    worker = processes.spawn(command("indexer", deployment), tmp_path / "log", variables)
    send(aws, queue_url, "long")
    assert answer(aws)[0] == "started"
    worker.terminate()
    pipe.write_text("go on")
    assert worker.wait(timeout=30) == 0
    assert answer(aws)[0] == "done"
    left = sqs(aws.url).get_queue_attributes(QueueUrl=queue_url, AttributeNames=["All"])["Attributes"]
    assert left["ApproximateNumberOfMessages"] == left["ApproximateNumberOfMessagesNotVisible"] == "0"


def test_a_function_without_a_queue_is_called_once(aws: Aws, deployment: Path) -> None:
    ended = subprocess.run(
        [*command("migrator", deployment), "--event", '{"имя": 1}'],
        env=environment(aws, "migrator"),
        capture_output=True,
        text=True,
        check=True,
    )
    last = ended.stdout.splitlines()[-1]
    assert json.loads(last) == {"role": "dsn of migrator", "function": "migrator", "event": {"имя": 1}}


def test_a_function_of_a_schedule_is_called_again_and_again_until_it_is_stopped(
    aws: Aws, deployment: Path, supervisor: Supervisor
) -> None:
    schedule = [*command("janitor", deployment), "--event", '{"job": "tidy"}', "--every", "0.001"]
    [worker] = supervisor.start("janitor", schedule, environment(aws, "janitor"))
    for _ in range(3):
        assert answer(aws) == ["tidy"]
    supervisor.stop()
    assert (worker.process.returncode, worker.restarts) == (0, 0)
    sqs(aws.url).purge_queue(QueueUrl=aws.queue_urls["embed"])
