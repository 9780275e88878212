"""Messages that come twice, late, shuffled or never; workers that die; uploads that meet."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from integration.configuration import configuration, zipped
from integration.databases import Dsns, Template
from integration.indexing.rows import Seen, row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.errors import RetryableError
from onec_rag.indexing import grouping
from onec_rag.indexing.activate import fail_upload
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.plan import plan_message
from onec_rag.indexing.process import process_task
from onec_rag.model.rows import NameRow
from onec_rag.store import content, releases, uploads
from onec_rag.store.database import Database
from waiting import wait_until

pytestmark = pytest.mark.integration

FIRST, SECOND = zipped(configuration()), zipped(configuration("2.0"))
TASKS = 7


@pytest.fixture(autouse=True)
def _small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two members a task, so that there is something to shuffle: 3 tasks of descriptors, 4 of everything."""
    monkeypatch.setattr(grouping, "MEMBERS", 2)


@pytest.fixture(scope="module")
def wanted(template_database: Template) -> Seen:
    """What a load without any trouble shows."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        assert service.load("shop", FIRST)["state"] == "ready"
        return visible(service, "shop")


def test_messages_that_come_twice_change_nothing(service: Service, wanted: Seen) -> None:
    assert service.load("once", FIRST)["tasks"] == TASKS
    before = row_counts(service)
    service.put("shop", FIRST)
    service.run(twice=True)
    assert visible(service, "shop") == wanted
    after = row_counts(service)
    assert {table: after[table] for table in ("upload", "release", "upload_task", "chunk", "document", "name")} == {
        table: 2 * before[table] for table in ("upload", "release", "upload_task", "chunk", "document", "name")
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_messages_does_not_matter(service: Service, wanted: Seen, seed: int) -> None:
    for name in ("shop", "stock"):
        service.put(name, FIRST)
    service.run(twice=True, seed=seed)
    assert visible(service, "shop") == visible(service, "stock") == wanted


@pytest.mark.parametrize("seed", range(3))
def test_a_second_release_comes_through_shuffled_messages_too(service: Service, seed: int) -> None:
    service.load("shop", FIRST)
    service.put("shop", SECOND)
    service.run(twice=True, seed=seed)
    service.load("fresh", SECOND)
    assert visible(service, "shop") == visible(service, "fresh")


@pytest.mark.parametrize("done", range(TASKS + 2))
def test_lost_messages_are_sent_again_from_the_database(service: Service, wanted: Seen, done: int) -> None:
    """A worker died between its commit and the sending: the more often, the later it happens."""
    service.put("shop", FIRST)
    service.run(most=done)
    service.cloud.lose_messages()
    found = resume(service.indexing, BUCKET)
    assert found["uploads"] == (0 if done == TASKS + 1 else 1)
    service.run()
    assert service.uploads("shop")[0]["state"] == "ready"
    assert visible(service, "shop") == wanted


def test_resuming_twice_while_messages_are_still_there_changes_nothing(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    service.run(most=3)
    for _ in range(2):
        resume(service.indexing, BUCKET)
    service.run(seed=1)
    assert visible(service, "shop") == wanted
    assert resume(service.indexing, BUCKET) == {"uploads": 0, "sources": 1}


def test_an_announced_upload_whose_event_was_lost_is_planned_by_resume(service: Service) -> None:
    upload_id, key = "00000000-0000-4000-8000-000000000001", "uploads/shop/id/cf.zip"
    with service.indexing.database.transaction() as connection:
        uploads.insert_upload(
            connection, upload_id=upload_id, source_name="shop", bucket=BUCKET, key=key, label="announced"
        )
    service.cloud.put(BUCKET, key, FIRST)
    service.cloud.lose_messages()
    resume(service.indexing, BUCKET)
    service.run()
    (upload,) = service.uploads("shop")
    assert (str(upload["id"]), upload["state"], upload["label"]) == (upload_id, "ready", "announced")


@pytest.mark.parametrize("refusals", [1, 2, 3])
def test_a_queue_that_refuses_for_a_while_loses_nothing(service: Service, wanted: Seen, refusals: int) -> None:
    service.put("shop", FIRST)
    service.cloud.refusals = refusals
    service.run()
    assert visible(service, "shop") == wanted


def test_planners_that_get_the_same_event_at_once_make_one_upload(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    event = json.loads(service.cloud.queues["plan"].pop())
    with ThreadPoolExecutor(4) as planners:
        list(planners.map(lambda _: plan_message(service.indexing, event), range(4)))
    service.run()
    assert [upload["state"] for upload in service.uploads("shop")] == ["ready"]
    assert service.value("SELECT count(*) FROM release") == 1
    assert visible(service, "shop") == wanted


def test_two_workers_at_once_do_what_one_does(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    service.run(most=1)
    upload_id = str(service.uploads("shop")[0]["id"])

    def work(task: int) -> None:
        process_task(service.indexing, upload_id, task)

    with ThreadPoolExecutor(2) as workers:
        for wave in (range(1, 4), range(4, TASKS + 1)):
            list(workers.map(work, [task for task in wave for _ in range(2)]))
    assert service.uploads("shop")[0]["state"] == "ready"
    assert visible(service, "shop") == wanted


def test_a_second_upload_of_a_source_waits_for_the_first(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.put("shop", zipped(configuration("3.0")), "3.zip")
    service.run(most=2)
    assert [row["state"] for row in service.uploads("shop")] == ["parked", "parked", "loading"]
    service.run()
    assert [(row["state"], row["release"], row["label"]) for row in service.uploads("shop")] == [
        ("ready", 3, "3.0"), ("ready", 2, "2.0"), ("ready", 1, "1.0.1"),
    ]  # fmt: skip


def test_a_parked_upload_is_planned_when_the_first_one_fails(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.run(most=1)
    second, first = service.uploads("shop")
    assert (second["state"], first["state"]) == ("parked", "loading")
    fail_upload(service.indexing, str(first["id"]), "task 1 failed again and again; the log tells why")
    service.run()
    second, first = service.uploads("shop")
    assert (first["state"], first["reason"]) == ("failed", "task 1 failed again and again; the log tells why")
    assert (second["state"], second["release"]) == ("ready", 2)
    service.load("fresh", SECOND)
    assert visible(service, "shop") == visible(service, "fresh")


def test_a_parked_upload_survives_a_restart(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.run(most=1)
    service.cloud.lose_messages()
    resume(service.indexing, BUCKET)
    service.run()
    assert [row["state"] for row in service.uploads("shop")] == ["ready", "ready"]


@pytest.mark.parametrize("done", range(2, TASKS + 1))
def test_a_failed_release_is_taken_back_wherever_it_stood(service: Service, done: int) -> None:
    service.load("shop", FIRST)
    before, head = visible(service, "shop"), row_counts(service)
    files = configuration("2.0")
    del files["Subsystems/Торговля.xml"]
    files["CommonModules/Ценообразование/Ext/Module.bsl"] = b"\0"
    service.put("shop", zipped(files))
    service.run(most=done)
    fail_upload(service.indexing, str(service.uploads("shop")[0]["id"]), "enough")
    service.run()
    assert visible(service, "shop") == before
    after = row_counts(service)
    for table in ("chunk", "document", "name", "membership", "word", "word_of_task"):
        assert after[table] == head[table], table
    assert service.value("SELECT count(*) FROM document WHERE stale_since IS NOT NULL OR removed_in IS NOT NULL") == 0
    assert service.rows("SELECT state FROM release WHERE no = 2") == [{"state": "failed"}]


def test_a_finished_upload_can_not_be_failed_any_more(service: Service) -> None:
    upload = service.load("shop", FIRST)
    fail_upload(service.indexing, str(upload["id"]), "too late")
    assert service.uploads("shop")[0]["state"] == "ready"


def test_a_task_of_a_failed_upload_writes_nothing(service: Service) -> None:
    service.put("shop", FIRST)
    service.run(most=1)
    upload_id = str(service.uploads("shop")[0]["id"])
    fail_upload(service.indexing, upload_id, "enough")
    for task in range(1, TASKS + 1):
        process_task(service.indexing, upload_id, task)
    assert row_counts(service)["name"] == row_counts(service)["chunk"] == 0


def test_failing_waits_for_a_task_that_is_being_written(service: Service, database: Dsns) -> None:
    """Else its rows would be committed after they were taken back, and the next release would show them."""
    service.put("shop", FIRST)
    service.run(most=2)
    upload = service.uploads("shop")[0]
    upload_id = str(upload["id"])
    writer = Database(database.indexer, "a slow worker")
    failing = threading.Thread(target=fail_upload, args=(service.indexing, upload_id, "enough"))
    try:
        with writer.transaction() as connection:
            release = releases.read_release(connection, 1, 1)
            assert uploads.finish_task(connection, upload_id, 2)
            failing.start()
            wait_until(waits_for_a_lock(service))
            content.write_names(
                connection, release, [], [NameRow(1, "", "Справочник.Поздний", "Catalog", "", "{}")], []
            )
        failing.join()
    finally:
        writer.close()
    assert service.uploads("shop")[0]["state"] == "failed"
    assert service.rows("SELECT fqn FROM name") == []


def waits_for_a_lock(service: Service) -> Callable[[], bool]:
    return lambda: bool(service.rows("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))


def test_an_unreachable_database_gives_the_message_back(database: Dsns) -> None:
    with service_over(database) as service:
        broken = Database("postgresql://indexer@127.0.0.1:1/nothing", "tests")
        indexing = type(service.indexing)(
            broken, service.indexing.objects, service.indexing.plan_queue, service.indexing.index_queue,
            service.indexing.embed_queue, None, 480, service.indexing.limits,
        )  # fmt: skip
        with pytest.raises(RetryableError):
            process_task(indexing, "00000000-0000-4000-8000-000000000000", 1)
