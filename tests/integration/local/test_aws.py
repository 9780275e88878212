import json
from pathlib import Path
from typing import Any

import pytest

from onec_rag_local.aws import BUCKET, Aws, s3, sqs
from onec_rag_local.environment import QUEUES

pytestmark = pytest.mark.integration


def receive(aws: Aws, queue: str, wait_seconds: int = 10) -> list[dict[str, Any]]:
    """The bodies of a batch, deleted from the queue."""
    answer = sqs(aws.url).receive_message(
        QueueUrl=aws.queue_urls[queue], WaitTimeSeconds=wait_seconds, MaxNumberOfMessages=10
    )
    for message in answer.get("Messages", []):
        sqs(aws.url).delete_message(QueueUrl=aws.queue_urls[queue], ReceiptHandle=message["ReceiptHandle"])
    return [json.loads(message["Body"]) for message in answer.get("Messages", [])]


def test_an_upload_and_its_removal_reach_the_planners_queue(aws: Aws) -> None:
    key = "uploads/бсп/Выгрузка 3.1 (новая).zip"
    s3(aws.url).put_object(Bucket=BUCKET, Key=key, Body=b"PK")
    [created] = receive(aws, "plan")
    assert created["source"] == "aws.s3"
    assert created["detail-type"] == "Object Created"
    assert created["detail"]["bucket"]["name"] == BUCKET
    assert created["detail"]["object"]["key"] == key
    assert created["detail"]["object"]["size"] == 2
    s3(aws.url).delete_object(Bucket=BUCKET, Key=key)
    [deleted] = receive(aws, "plan")
    assert deleted["detail-type"] == "Object Deleted"
    assert deleted["detail"]["object"]["key"] == key


def test_loose_objects_reach_the_planners_queue(aws: Aws) -> None:
    s3(aws.url).put_object(Bucket=BUCKET, Key="sync/бсп/Configuration.xml", Body=b"<x/>")
    s3(aws.url).delete_object(Bucket=BUCKET, Key="sync/бсп/Configuration.xml")
    events = [*receive(aws, "plan"), *receive(aws, "plan", wait_seconds=2)]
    assert sorted(event["detail-type"] for event in events) == ["Object Created", "Object Deleted"]
    assert {event["detail"]["object"]["key"] for event in events} == {"sync/бсп/Configuration.xml"}


def test_what_the_product_writes_beside_the_uploads_is_not_planned(aws: Aws) -> None:
    s3(aws.url).put_object(Bucket=BUCKET, Key="staged/a.zip", Body=b"PK")
    s3(aws.url).put_object(Bucket=BUCKET, Key="uploads/a.zip", Body=b"PK")
    assert [event["detail"]["object"]["key"] for event in receive(aws, "plan")] == ["uploads/a.zip"]


def test_whoever_hears_of_an_upload_finds_its_metadata(aws: Aws) -> None:
    s3(aws.url).put_object(Bucket=BUCKET, Key="uploads/b.zip", Body=b"PK", Metadata={"label": "3.1.12.238"})
    [event] = receive(aws, "plan")
    head = s3(aws.url).head_object(Bucket=BUCKET, Key=event["detail"]["object"]["key"])
    assert head["Metadata"] == {"label": "3.1.12.238"}


@pytest.mark.parametrize("queue", QUEUES)
def test_every_queue_has_its_timeout_and_dead_letters(aws: Aws, queue: str) -> None:
    attributes = sqs(aws.url).get_queue_attributes(QueueUrl=aws.queue_urls[queue], AttributeNames=["All"])["Attributes"]
    redrive = json.loads(attributes["RedrivePolicy"])
    assert attributes["VisibilityTimeout"] == str(QUEUES[queue])
    assert redrive["maxReceiveCount"] == 5
    assert redrive["deadLetterTargetArn"].endswith(f":{queue}-dead")
    assert aws.queue_urls[f"{queue}-dead"] == aws.queue_urls[queue] + "-dead"


def test_requests_are_not_logged(aws: Aws, aws_folder: Path) -> None:
    s3(aws.url).list_buckets()
    assert (aws_folder / "logs" / "aws.log").read_text("utf-8") == ""
