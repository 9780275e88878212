"""The janitor: whatever can stand still or be left lying, two of them at once, and healthy loads beside them."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from fakes import EmbeddingServer, Fault
from integration.configuration import configuration, zipped
from integration.databases import Dsns, Template
from integration.indexing.rows import Seen, row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.aws.queue import Backlog
from onec_rag.indexing import grouping, janitor
from onec_rag.indexing.hear import claim_object
from onec_rag.indexing.janitor import Rules, is_at_rest
from onec_rag.store import janitor as store
from onec_rag.store import uploads
from onec_rag.store.database import Database

pytestmark = pytest.mark.integration

FIRST, SECOND = zipped(configuration()), zipped(configuration("2.0"))
RULES = Rules(announced=timedelta(hours=24), stuck=timedelta(minutes=25))
NOTHING = dict.fromkeys(("planned", "batches", "woken", "requeued", "failed", "archives", "vectors", "releases"), 0)
ANNOUNCED = "00000000-0000-4000-8000-000000000001"
TASKS = 7


@pytest.fixture(autouse=True)
def _small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "MEMBERS", 2)


@pytest.fixture(scope="module")
def wanted(template_database: Template) -> Seen:
    """What a load without any trouble shows."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        assert service.load("shop", FIRST)["state"] == "ready"
        return visible(service, "shop")


def tidy(service: Service, **rules: Any) -> dict[str, int]:
    """What one run did, without what it did not."""
    done = janitor.tidy(service.indexing, BUCKET, replace(RULES, **rules))
    assert done.keys() == NOTHING.keys()
    return {kind: count for kind, count in done.items() if count}


def pass_time(service: Service, minutes: int) -> None:
    """As if everything that is in the database had happened so much earlier."""
    for table, columns in {
        "upload": ("created_at", "planned_at", "finished_at", "requeued_at"),
        "upload_task": ("done_at",),
        "sync_batch": ("changed_at",),
        "release": ("ready_at",),
    }.items():
        earlier = ", ".join(f"{column} = {column} - make_interval(mins => {minutes})" for column in columns)
        service.superuser.execute(f"UPDATE {table} SET {earlier}".encode())  # noqa: S608


def announce(service: Service, key: str = "uploads/shop/id/cf.zip") -> str:
    with service.indexing.database.transaction() as connection:
        uploads.insert_upload(connection, upload_id=ANNOUNCED, source_name="shop", bucket=BUCKET, key=key)
    return key


def state(service: Service, source: str = "shop") -> tuple[str, str | None]:
    upload = service.uploads(source)[0]
    return upload["state"], upload["reason"]


def last_run(service: Service) -> dict[str, Any]:
    with service.search.database.transaction() as connection:
        run = store.read_run(connection)
    assert run is not None
    return run


def test_where_everything_is_well_nothing_is_done(service: Service) -> None:
    service.load("shop", FIRST)
    service.load("shop", SECOND)
    pass_time(service, 10_000)
    before = row_counts(service)
    assert tidy(service) == {}
    assert service.cloud.queues == {"plan": [], "index": [], "embed": []}
    assert row_counts(service) == before | {"janitor_run": 1}


def test_an_announced_upload_whose_file_never_comes_fails_after_a_day(service: Service) -> None:
    announce(service)
    pass_time(service, 23 * 60)
    assert tidy(service) == {}
    pass_time(service, 61)
    assert tidy(service) == {"failed": 1}
    assert state(service) == ("failed", "its file has not come within 24 hours")
    assert tidy(service) == {}


def test_an_announced_upload_whose_event_was_lost_is_planned(service: Service, wanted: Seen) -> None:
    service.cloud.put(BUCKET, announce(service), FIRST)
    service.cloud.lose_messages()
    pass_time(service, 2 * 24 * 60)
    assert tidy(service) == {"planned": 1}
    service.run()
    assert [str(row["id"]) for row in service.uploads("shop")] == [ANNOUNCED]
    assert visible(service, "shop") == wanted


def test_an_object_whose_event_was_lost_is_planned_once_it_is_overdue(service: Service, wanted: Seen) -> None:
    service.cloud.clock = datetime.now(UTC) - RULES.stuck + timedelta(minutes=5)
    service.put("shop", FIRST)
    service.cloud.lose_messages()
    assert tidy(service) == {}, "its event may be on its way"
    service.cloud.clock -= timedelta(minutes=10)
    service.put("shop", FIRST)
    service.cloud.lose_messages()
    assert tidy(service) == {"planned": 1}
    service.run()
    assert visible(service, "shop") == wanted
    assert tidy(service) == {}


def test_a_new_version_of_an_object_is_found_and_what_is_no_upload_is_left_alone(service: Service) -> None:
    service.load("shop", FIRST)
    service.put("shop", SECOND)
    for key in ("uploads/lying.zip", "uploads/a,b/x.zip", "uploads/shop/"):
        service.cloud.put(BUCKET, key, FIRST)
    service.cloud.lose_messages()
    assert tidy(service) == {"planned": 1}
    service.run()
    assert [row["label"] for row in service.uploads("shop")] == ["2.0", "1.0.1"]
    assert tidy(service) == {}


def test_an_upload_whose_planner_died_is_planned_again(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    service.cloud.lose_messages()
    claim_object(service.indexing, BUCKET, "uploads/shop/cf.zip")
    assert tidy(service) == {}
    pass_time(service, 26)
    assert tidy(service) == {"requeued": 1}
    assert tidy(service) == {}, "it has its time again"
    service.run()
    assert visible(service, "shop") == wanted


def test_an_older_version_that_nobody_planned_comes_to_its_end(service: Service) -> None:
    service.put("shop", FIRST)
    service.cloud.lose_messages()
    claim_object(service.indexing, BUCKET, "uploads/shop/cf.zip")
    service.load("shop", SECOND)
    pass_time(service, 26)
    assert tidy(service) == {"requeued": 1}
    service.run()
    assert [row["state"] for row in service.uploads("shop")] == ["ready", "superseded"]


def test_an_upload_whose_planner_died_while_it_read_the_archive_is_planned_again(
    service: Service, wanted: Seen
) -> None:
    service.put("shop", FIRST)
    service.cloud.lose_messages()
    upload = claim_object(service.indexing, BUCKET, "uploads/shop/cf.zip")
    with service.indexing.database.transaction() as connection:
        assert uploads.begin_loading(connection, upload.id, 1)
    pass_time(service, 26)
    assert tidy(service) == {"requeued": 1}
    service.run()
    assert visible(service, "shop") == wanted


@pytest.mark.parametrize("done", range(1, TASKS + 1))
def test_a_load_whose_messages_are_gone_goes_on_where_it_stood(service: Service, wanted: Seen, done: int) -> None:
    service.put("shop", FIRST)
    service.run(most=done)
    service.cloud.lose_messages()
    pass_time(service, 24)
    assert tidy(service) == {}, "its messages may be in somebody's hands"
    pass_time(service, 2)
    assert tidy(service) == {"requeued": 1}
    service.run()
    assert visible(service, "shop") == wanted


def test_a_load_whose_last_worker_died_before_it_activated_is_activated(
    service: Service, wanted: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.put("shop", FIRST)
    with monkeypatch.context() as patch:
        service.run(most=TASKS)
        patch.setattr("onec_rag.indexing.process.advance", lambda *_: None)
        service.run()
    assert state(service) == ("loading", None)
    pass_time(service, 26)
    assert tidy(service) == {"requeued": 1}
    assert state(service) == ("ready", None)
    assert visible(service, "shop") == wanted


@pytest.mark.parametrize("held", ["waiting", "in flight"])
def test_a_load_is_left_alone_while_the_queue_holds_anything(service: Service, held: str) -> None:
    """Its turn may be yet to come: a large upload of another source stands before it."""
    service.put("shop", FIRST)
    service.run(most=1)
    messages = service.cloud.queues["index"]
    if held == "in flight":
        service.cloud.in_flight["index"] = len(messages)
        service.cloud.queues["index"] = []
    pass_time(service, 10_000)
    before = service.rows("SELECT requeues, requeued_at FROM upload")
    assert tidy(service) == {}
    assert service.rows("SELECT requeues, requeued_at FROM upload") == before


def test_a_load_that_does_not_move_at_all_fails_and_what_was_served_is_served_on(service: Service) -> None:
    service.load("shop", FIRST)
    before = visible(service, "shop")
    service.put("shop", SECOND)
    service.run(most=3)
    for _ in range(3):
        service.cloud.lose_messages()
        pass_time(service, 26)
        assert tidy(service) == {"requeued": 1}
    service.cloud.lose_messages()
    pass_time(service, 26)
    assert tidy(service) == {"failed": 1}
    assert state(service) == (
        "failed", "no progress for 25 minutes, though it was set going again 3 times before"
    )  # fmt: skip
    assert visible(service, "shop") == before
    assert tidy(service) == {}
    assert service.load("shop", SECOND, "again.zip")["state"] == "ready"


def test_a_load_that_moves_is_set_going_again_as_often_as_it_needs(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    service.run(most=1)
    for _ in range(TASKS):
        service.cloud.lose_messages()
        pass_time(service, 26)
        assert tidy(service) == {"requeued": 1}
        service.run(most=1)
    assert visible(service, "shop") == wanted


def test_an_upload_that_can_not_be_planned_is_given_up(service: Service) -> None:
    service.put("shop", FIRST)
    claim_object(service.indexing, BUCKET, "uploads/shop/cf.zip")
    for expected in (*[{"requeued": 1}] * 3, {"failed": 1}):
        service.cloud.lose_messages()
        pass_time(service, 26)
        assert tidy(service) == expected
    assert state(service)[0] == "failed"


def test_a_parked_upload_that_nobody_woke_is_woken(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.put("shop", zipped(configuration("3.0")), "3.zip")
    service.run(most=2)
    service.cloud.queues["plan"].clear()
    while service.uploads("shop")[2]["state"] == "loading":
        service.run(most=1)
    service.cloud.lose_messages()
    assert tidy(service) == {}, "it has only just ended"
    pass_time(service, 6)
    assert tidy(service) == {"woken": 1}
    service.run()
    assert [row["state"] for row in service.uploads("shop")] == ["ready", "ready", "ready"]


def test_a_batch_of_loose_objects_that_nobody_closes_is_closed(service: Service) -> None:
    service.cloud.put(BUCKET, "sync/docs/a.md", b"# A\n\nB")
    service.run()
    service.cloud.lose_messages()
    assert tidy(service) == {}
    pass_time(service, 7)
    assert tidy(service) == {"batches": 1}
    service.run()
    assert state(service, "docs") == ("ready", None)
    assert tidy(service) == {}


def test_loose_objects_that_no_event_has_told_of_are_found(service: Service) -> None:
    service.cloud.put(BUCKET, "sync/docs/a.md", b"# A\n\nB")
    service.cloud.put(BUCKET, "sync/a.md", b"# A\n\nB")
    service.cloud.lose_messages()
    assert tidy(service) == {"batches": 1}
    assert tidy(service) == {}, "the batch is open"
    pass_time(service, 2)
    service.cloud.release_delayed()
    service.run()
    assert state(service, "docs") == ("ready", None)


def test_archives_of_ended_uploads_go_and_those_of_heads_and_strangers_stay(service: Service) -> None:
    for text in ("B", "C"):
        service.cloud.put(BUCKET, "sync/docs/a.md", f"# A\n\n{text}".encode())
        service.run()
        pass_time(service, 2)
        service.cloud.release_delayed()
        service.run()
    service.put("shop", FIRST)
    service.run(most=2)
    second, first = (str(row["id"]) for row in service.uploads("docs"))
    (loading,) = (str(row["id"]) for row in service.uploads("shop"))
    stay = {
        f"content/docs/{second}.zip", f"staged/{loading}.zip", f"content/shop/{loading}.zip", "staged/notes.txt",
        "content/docs/readme.md",
    }  # fmt: skip
    go = {f"content/docs/{first}.zip", f"staged/{first}.zip", f"staged/{second}.zip", f"staged/{ANNOUNCED}.zip"}
    assert (BUCKET, f"content/docs/{second}.zip") in service.cloud.objects
    archive = service.cloud.objects[BUCKET, f"content/docs/{second}.zip"].data
    for key in (stay | go) - {f"content/docs/{second}.zip"}:
        service.cloud.put(BUCKET, key, archive)
    service.cloud.queues["plan"].clear()
    assert tidy(service) == {"archives": len(go)}
    left = {key for _, key in service.cloud.objects if key.startswith(("staged/", "content/"))}
    assert left == stay
    versions = {row["id"]: row["staged_version"] for row in service.rows("SELECT id::text, staged_version FROM upload")}
    assert versions[second] is not None, "the next release takes from it what is unchanged"


def test_vectors_whose_messages_are_gone_are_made(embedding_service: Service, embedding: EmbeddingServer) -> None:
    embedding_service.put("shop", FIRST)
    while not embedding_service.cloud.queues["embed"]:
        embedding_service.run(most=1)
    assert tidy(embedding_service) == {}
    embedding_service.cloud.lose_messages()
    assert tidy(embedding_service) == {"vectors": 1}
    embedding_service.run()
    assert embedding_service.ask("цена").coverage == 1.0
    assert set(embedding.texts.values()) == {1}
    assert tidy(embedding_service) == {}


def test_vectors_that_wait_for_the_endpoint_are_left_alone(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding.always = Fault.SERVER_ERROR
    embedding_service.load("shop", FIRST)
    assert embedding_service.cloud.delayed
    assert tidy(embedding_service) == {}


def test_of_what_the_endpoint_refuses_a_few_texts_are_tried_until_it_takes_them(
    embedding_service: Service, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onec_rag.indexing.left_over.MESSAGE_CHUNKS", 3)
    embedding.always = Fault.WRONG_SIZE
    embedding_service.load("shop", FIRST)
    embedding.requests = 0
    for _ in range(2):
        assert tidy(embedding_service) == {"vectors": 1}
        embedding_service.run()
    assert embedding.requests == 2
    embedding.always = None
    assert tidy(embedding_service) == {"vectors": 1}
    embedding_service.run()
    assert len(embedding.texts) == 3
    assert tidy(embedding_service) == {"vectors": 1}
    embedding_service.run()
    assert embedding_service.ask("цена").coverage == 1.0
    assert tidy(embedding_service) == {}


def test_releases_beyond_the_retention_go_with_what_only_they_had(service: Service) -> None:
    for number in range(1, 5):
        service.load("book", zipped({"а.md": f"# А\n\nстраница {number}"}, ""), f"{number}.zip", f"{number}.0")
    service.load("other", FIRST)
    assert tidy(service) == {}
    assert tidy(service, keep=4) == {}
    assert tidy(service, keep=1, older_than=timedelta(days=30)) == {}
    assert tidy(service, keep=2) == {"releases": 2}
    assert tidy(service, keep=2) == {}
    pass_time(service, 31 * 24 * 60)
    assert tidy(service, older_than=timedelta(days=30)) == {"releases": 1}
    left = service.rows("SELECT label FROM release JOIN source ON source.id = source_id WHERE name = 'book'")
    assert left == [{"label": "4.0"}]
    assert service.value("SELECT count(*) FROM chunk WHERE source_id = 1") == 1
    orphans = "SELECT count(*) FROM outline WHERE NOT EXISTS (SELECT FROM document WHERE outline_hash = hash)"
    assert service.value(orphans) == 0


def test_a_run_is_noted_with_the_dead_letters_of_each_queue(service: Service) -> None:
    service.cloud.queues |= {"plan-dead": ["x"], "embed-dead": ["y", "z"]}
    announce(service)
    pass_time(service, 2 * 24 * 60)
    tidy(service)
    run = last_run(service)
    assert run["done"] == NOTHING | {"failed": 1}
    assert run["dead_letters"] == {"plan": 1, "index": 0, "embed": 2}
    assert run["ended_at"] > run["requested_at"] - timedelta(seconds=1)
    service.superuser.execute("UPDATE janitor_run SET requested_at = requested_at - interval '31 days'")
    tidy(service)
    assert service.value("SELECT count(*) FROM janitor_run") == 1


def test_a_queue_that_is_asked_tells_what_it_holds(service: Service) -> None:
    service.indexing.plan_queue.send([{"upload": "1"}, {"upload": "2"}])
    service.indexing.plan_queue.send([{"upload": "3"}], delay=9)
    assert service.indexing.plan_queue.backlog() == Backlog(2, 0, 1, 0)
    service.cloud.queues["plan"].clear()
    assert not service.indexing.plan_queue.backlog().idle
    service.cloud.delayed.clear()
    assert service.indexing.plan_queue.backlog().idle


def test_a_janitor_that_comes_while_another_is_at_work_does_nothing(service: Service, database: Dsns) -> None:
    announce(service)
    pass_time(service, 2 * 24 * 60)
    other = Database(database.indexer, "another janitor")
    with other.transaction() as connection:
        assert store.try_lock(connection)
        assert janitor.tidy(service.indexing, BUCKET, RULES, ANNOUNCED) == {}
        run = service.rows("SELECT done, ended_at IS NOT NULL AS ended FROM janitor_run")
        assert run == [{"done": None, "ended": True}]
    other.close()
    assert tidy(service) == {"failed": 1}


def test_two_janitors_at_once_do_what_one_does(service: Service, wanted: Seen) -> None:
    service.put("shop", FIRST)
    service.run(most=3)
    service.cloud.lose_messages()
    announce(service, "uploads/other/id/cf.zip")
    service.cloud.put(BUCKET, f"staged/{ANNOUNCED[:-1]}2.zip", b"")
    service.cloud.queues["plan"].clear()
    pass_time(service, 2 * 24 * 60)
    total = dict.fromkeys(NOTHING, 0)
    with ThreadPoolExecutor(4) as janitors:
        for done in janitors.map(lambda _: janitor.tidy(service.indexing, BUCKET, RULES), range(4)):
            total = {kind: total[kind] + done.get(kind, 0) for kind in total}
    assert total == NOTHING | {"requeued": 1, "failed": 1, "archives": 1}
    service.run()
    with service.indexing.database.transaction() as connection:
        failed = uploads.read_upload(connection, ANNOUNCED)
    assert failed is not None
    assert failed.state == "failed"
    service.superuser.execute("DELETE FROM upload WHERE state = 'failed'")
    assert visible(service, "shop") == wanted


@pytest.mark.parametrize("seed", range(6))
def test_nothing_of_a_healthy_load_is_touched_however_often_it_is_looked_at(
    embedding_service: Service, embedding: EmbeddingServer, seed: int
) -> None:
    """Two sources, two uploads of one of them and loose objects, with a run between any two messages."""
    service, choice = embedding_service, random.Random(seed)
    service.put("shop", FIRST, "1.zip")
    service.put("shop", SECOND, "2.zip")
    service.put("stock", FIRST)
    service.cloud.put(BUCKET, "sync/docs/a.md", b"# A\n\nB")
    steps = 0
    while service.run(most=1, seed=choice.randrange(1_000)):
        steps += 1
        if choice.random() < 0.4:
            assert tidy(service) == {}
    assert steps > 2 * TASKS
    assert service.rows("SELECT requeues FROM upload WHERE requeues > 0") == []
    pass_time(service, 2)
    service.cloud.release_delayed()
    while service.run(most=1, seed=choice.randrange(1_000)):
        assert tidy(service) == {}
    states = {row["key"]: row["state"] for row in service.uploads()}
    assert states.pop("uploads/shop/1.zip") in ("ready", "superseded"), "where it comes after the second"
    assert set(states.values()) == {"ready"}
    assert set(embedding.texts.values()) == {1}
    service.load("fresh", SECOND)
    assert visible(service, "shop") == visible(service, "fresh")


def test_where_nothing_has_happened_for_a_day_the_database_is_not_asked(service: Service) -> None:
    resting = replace(service.indexing, database=Database("postgresql://indexer@127.0.0.1:1/nothing", "tests"))
    service.put("shop", FIRST)
    assert not is_at_rest(resting, BUCKET), "a message waits"
    service.cloud.queues["plan"].clear()
    assert is_at_rest(resting, BUCKET)
    service.cloud.clock = datetime.now(UTC) - timedelta(hours=23)
    service.cloud.put(BUCKET, "sync/docs/a.md", b"")
    service.cloud.lose_messages()
    assert not is_at_rest(resting, BUCKET), "what came today may have got lost"
