"""Every file of `events/` through its function: what comes back, and what is then in the database."""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from integration.configuration import configuration, zipped
from integration.databases import Dsns
from onec_rag.store import uploads
from onec_rag.store.database import Database
from onec_rag_local.aws import BUCKET, Aws, s3, sqs
from onec_rag_local.database import prepare_database
from onec_rag_local.postgres import Postgres
from runtime.cloudformation import CloudFormation
from runtime.lambdas import Deployment, Lambda
from runtime.templates import ROOT

pytestmark = pytest.mark.runtime

UPLOAD, GIVEN_UP = "0b2f6f9e-52a1-4d0e-9a4e-3c1f5b8d7a10", "5c3e1a44-8d0b-4c2f-b1a9-6e7f80912345"
KEY = f"uploads/магазин/{UPLOAD}/Выгрузка 1.0+правки 100%.zip"
NOTHING_FAILED = {"batchItemFailures": []}
Run = Callable[..., Any]


@pytest.fixture(scope="session")
def superuser(dsns: Dsns) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    with psycopg.connect(dsns.superuser, autocommit=True, row_factory=dict_row) as connection:
        yield connection


@pytest.fixture(scope="session")
def announce(dsns: Dsns, aws: Aws) -> Callable[[str, str], None]:
    """An upload as the API announces it, and its object in the bucket."""

    def put(upload_id: str, key: str) -> None:
        database = Database(dsns.indexer, "tests")
        with database.transaction() as connection:
            uploads.insert_upload(
                connection, upload_id=upload_id, source_name=key.split("/")[1], bucket=BUCKET, key=key
            )
        database.close()
        client = s3(aws.url)
        client.put_object(Bucket=BUCKET, Key=key, Body=zipped(configuration()))
        client.close()

    return put


@pytest.fixture(scope="session")
def planned(run: Run, announce: Callable[[str, str], None]) -> Any:
    announce(UPLOAD, KEY)
    return run("planner_created")


@pytest.fixture(scope="session")
def indexed(planned: Any, run: Run, aws: Aws, function: Callable[[str], Lambda]) -> Any:
    """The answer to the batch; then the upload's other tasks are done too."""
    answer = run("indexer_batch_one_bad")
    for message in taken(aws, "index"):
        event = {"Records": [message]}
        assert function("IndexerFunction").response(event) == NOTHING_FAILED
    return answer


@pytest.fixture(scope="session")
def embedded(indexed: Any, run: Run) -> Any:
    return run("embedder_batch")


def taken(aws: Aws, queue: str, wait_seconds: int = 0) -> Iterator[dict[str, Any]]:
    """A queue's messages as records of an event, until there are no more."""
    client, url = sqs(aws.url), aws.queue_urls[queue]
    while messages := client.receive_message(QueueUrl=url, WaitTimeSeconds=wait_seconds).get("Messages"):
        for message in messages:
            client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            yield {
                "messageId": message["MessageId"], "receiptHandle": "", "body": message["Body"], "attributes": {},
                "messageAttributes": {}, "md5OfBody": "", "eventSource": "aws:sqs", "eventSourceARN": "arn",
                "awsRegion": "us-east-1",
            }  # fmt: skip
    client.close()


def row(connection: psycopg.Connection[Any], statement: str, *values: Any) -> dict[str, Any]:
    """The one row of a statement."""
    (found,) = connection.execute(statement.encode(), values).fetchall()
    return dict(found)


def log_lines(function: Lambda) -> list[dict[str, Any]]:
    """What the handler logged; the runtime client's own lines are no JSON."""
    return [json.loads(line) for line in function.printed().splitlines() if line.startswith("{")]


def body(answer: Mapping[str, Any]) -> Any:
    """The body as API Gateway would send it on."""
    text = answer["body"]
    return json.loads(base64.b64decode(text) if answer["isBase64Encoded"] else text)


def test_every_event_file_is_run_here() -> None:
    files = {path.stem for path in (ROOT / "events").glob("*")}
    text = (ROOT / "tests/runtime/test_events.py").read_text("utf-8")
    assert {name for name in files if f'"{name}"' not in text} == set()


def test_a_created_object_becomes_an_upload_with_tasks(planned: Any, superuser: psycopg.Connection[Any]) -> None:
    assert planned == NOTHING_FAILED
    upload = row(superuser, "SELECT key, release_no FROM upload WHERE id = %s", UPLOAD)
    assert upload == {"key": KEY, "release_no": 1}
    assert row(superuser, "SELECT count(*) FROM upload_task WHERE upload_id = %s", UPLOAD)["count"] > 1


@pytest.mark.parametrize("event", ["planner_duplicate", "planner_deleted", "planner_test_event", "planner_gone"])
def test_what_makes_no_upload_is_done_with(
    event: str, planned: Any, run: Run, aws: Aws, superuser: psycopg.Connection[Any]
) -> None:
    """A key is not decoded: the object that `planner_gone` would name then is not planned."""
    client = s3(aws.url)
    client.put_object(Bucket=BUCKET, Key="uploads/магазин/Выгрузка 1.zip", Body=zipped(configuration()))
    client.close()
    before = superuser.execute("SELECT id FROM upload").fetchall()
    assert run(event) == NOTHING_FAILED
    assert superuser.execute("SELECT id FROM upload").fetchall() == before


def test_the_key_that_a_bucket_tells_is_taken_as_it_is(
    function: Callable[[str], Lambda], aws: Aws, superuser: psycopg.Connection[Any]
) -> None:
    key = "uploads/склад/Остатки+цены 50%/%D0%92.zip"
    sqs(aws.url).purge_queue(QueueUrl=aws.queue_urls["plan"])
    client = s3(aws.url)
    client.put_object(Bucket=BUCKET, Key=key, Body=zipped(configuration()))
    client.close()
    for message in taken(aws, "plan", wait_seconds=2):
        assert function("PlannerFunction").response({"Records": [message]}) == NOTHING_FAILED
    rows = superuser.execute("SELECT key, state FROM upload WHERE source_name = 'склад'").fetchall()
    assert rows == [{"key": key, "state": "loading"}]


def test_only_the_bad_message_of_a_batch_goes_back(
    indexed: Any, function: Callable[[str], Lambda], superuser: psycopg.Connection[Any]
) -> None:
    records = json.loads((ROOT / "events/indexer_batch_one_bad.json").read_text("utf-8"))["Records"]
    (bad,) = [record["messageId"] for record in records if "JSON" in record["body"]]
    assert indexed == {"batchItemFailures": [{"itemIdentifier": bad}]}
    state = row(superuser, "SELECT state FROM upload WHERE id = %s", UPLOAD)
    assert state == {"state": "ready"}
    (line,) = [line for line in log_lines(function("IndexerFunction")) if line.get("message_id") == bad]
    assert line["level"] == "WARNING"
    assert "JSONDecodeError" in line["exception"]
    assert "upload" not in line


def test_log_lines_carry_the_upload_and_the_task(indexed: Any, function: Callable[[str], Lambda]) -> None:
    lines = [line for line in log_lines(function("IndexerFunction")) if line.get("upload") == UPLOAD]
    (line,) = [line for line in lines if line["message"] == "release ready"]
    assert line["task"] > 1
    assert line["service"] == "indexer"
    assert line["function_request_id"]


def test_handled_and_failed_messages_are_measured(indexed: Any, function: Callable[[str], Lambda]) -> None:
    measured = [line for line in log_lines(function("IndexerFunction")) if "_aws" in line]
    assert [measured[0][name] for name in ("Messages", "FailedMessages", "service")] == [[3.0], [1.0], "indexer"]
    assert measured[0]["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "onec-rag"


def test_a_task_that_was_given_up_fails_its_upload_with_a_reason(
    run: Run, function: Callable[[str], Lambda], announce: Callable[[str, str], None],
    superuser: psycopg.Connection[Any],
) -> None:  # fmt: skip
    key = f"uploads/архив/{GIVEN_UP}/cf.zip"
    announce(GIVEN_UP, key)
    created = {"detail-type": "Object Created", "detail": {"bucket": {"name": BUCKET}, "object": {"key": key}}}
    event = json.loads((ROOT / "events/planner_created.json").read_text("utf-8"))
    event["Records"][0]["body"] = json.dumps(created)
    assert function("PlannerFunction").response(event) == NOTHING_FAILED
    assert run("indexerdeadletters_task") == NOTHING_FAILED
    upload = row(superuser, "SELECT state, reason FROM upload WHERE id = %s", GIVEN_UP)
    assert upload["state"] == "failed"
    assert "task 1" in upload["reason"]


def test_chunks_of_a_batch_get_their_vectors(embedded: Any, superuser: psycopg.Connection[Any]) -> None:
    assert embedded == NOTHING_FAILED
    rows = superuser.execute("SELECT chunk_id FROM chunk_vector WHERE chunk_id <= 4 ORDER BY 1").fetchall()
    assert [row["chunk_id"] for row in rows] == [1, 2, 3, 4]


def test_the_api_finds_what_was_uploaded(embedded: Any, run: Run) -> None:
    answer = run("api_search")
    assert answer["statusCode"] == 200
    assert answer["headers"]["x-request-id"] == "search-42"
    # Not its rank: the fake endpoint's vectors mean nothing.
    assert "ЦенаТовара" in [hit["symbol"] for hit in body(answer)["hits"]]


def test_an_encoded_path_is_decoded_once_and_not_found_by_name(run: Run) -> None:
    answer = run("api_path_encoded")
    assert answer["statusCode"] == 404
    assert answer["headers"]["content-type"] == "application/problem+json"


def test_a_stage_before_the_path_is_left_out(indexed: Any, run: Run) -> None:
    answer = run("api_behind_stage")
    assert answer["statusCode"] == 200
    assert "магазин" in [source["name"] for source in body(answer)]


def test_the_health_of_the_api_needs_no_key(run: Run) -> None:
    assert body(run("api_healthz"))["status"] == "ok"


def test_a_wrong_key_is_a_problem_document(run: Run) -> None:
    answer = run("api_wrong_key")
    assert answer["statusCode"] == 401
    assert body(answer)["status"] == 401


@pytest.mark.parametrize("event", ["migrator_create", "migrator_update", "migrator_delete"])
def test_cloudformation_hears_that_the_schema_is_there(event: str, run: Run, cloudformation: CloudFormation) -> None:
    run(event, RESPONSE_URL=cloudformation.url)
    (answer,) = cloudformation.answers
    asked = json.loads((ROOT / f"events/{event}.json").read_text("utf-8"))
    assert answer == {
        "Status": "SUCCESS",
        "Reason": "",
        "PhysicalResourceId": "onec-rag-schema",
        **{name: asked[name] for name in ("StackId", "RequestId", "LogicalResourceId")},
    }
    assert cloudformation.content_types == [""]


def test_an_empty_database_is_migrated_once(
    deployment: Deployment, postgres: Postgres, cloudformation: CloudFormation
) -> None:
    prepare_database(postgres.dsn(), postgres.passwords, "empty")
    text = (ROOT / "events/migrator_create.json").read_text("utf-8")
    event = json.loads(text.replace("$RESPONSE_URL", cloudformation.url))
    with deployment.started("MigratorFunction", DATABASE_URL=postgres.dsn("migrator", "empty")) as migrator:
        first, second = (migrator.response(event)["applied"] for _ in range(2))
    assert "0001_core.sql" in first
    assert second == []
    assert [answer["Status"] for answer in cloudformation.answers] == ["SUCCESS", "SUCCESS"]


def test_cloudformation_hears_why_a_migration_failed(
    deployment: Deployment, postgres: Postgres, cloudformation: CloudFormation
) -> None:
    text = (ROOT / "events/migrator_create.json").read_text("utf-8")
    event = json.loads(text.replace("$RESPONSE_URL", cloudformation.url))
    with deployment.started("MigratorFunction", DATABASE_URL=postgres.dsn("migrator", "nowhere")) as migrator:
        migrator.response(event)
    (answer,) = cloudformation.answers
    assert answer["Status"] == "FAILED"
    assert 'database "nowhere" does not exist' in answer["Reason"]
    assert postgres.passwords["migrator"] not in json.dumps(answer)


def test_the_janitor_sends_again_what_is_open(indexed: Any, run: Run) -> None:
    assert set(run("janitor_resume")) == {"uploads", "sources"}


def test_the_janitor_looks_what_stands_still(indexed: Any, run: Run) -> None:
    """What the tests have uploaded came today, so that the shorter schedule looks too."""
    for schedule in ("janitor_schedule", "janitor_daily"):
        done = run(schedule)
        assert {"requeued", "failed", "releases"} < done.keys()
        assert done["failed"] == 0
