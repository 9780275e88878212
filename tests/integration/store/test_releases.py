"""Which release a request reads, who may change releases, and what waits for whom."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from psycopg.types.json import Jsonb

from integration.configuration import zipped
from integration.databases import Template
from integration.service import Service, service_over
from onec_rag.errors import InvalidRequest, NotFound
from onec_rag.store import releases, retention, search
from onec_rag.store.database import ALL_SOURCES, Database
from onec_rag.store.queries import query
from waiting import wait_until

pytestmark = pytest.mark.integration

DAYS = {
    1: datetime(2026, 1, 10, tzinfo=UTC),
    2: datetime(2026, 2, 10, tzinfo=UTC),
    3: datetime(2026, 3, 10, tzinfo=UTC),
}
"""When each release of `book` became ready."""
Change = Callable[[Service, int], str | None]


def load(service: Service, *labels: str, source: str = "book") -> None:
    for number, label in enumerate(labels):
        service.load(source, zipped({"а.md": f"# А\n\n{source} {number}"}, ""), label=label)


@pytest.fixture(scope="module")
def loaded(template_database: Template) -> Iterator[Service]:
    """`book` in releases of January, February (the current one) and March; `manual` in one of June that is called 2;
    `empty`, whose only release failed."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        load(service, "a", "b", "c")
        load(service, "2", source="manual")
        service.load("empty", zipped({"а.md": ""}, ""))
        for number, day in DAYS.items():
            service.rows("UPDATE release SET ready_at = %s WHERE source_id = 1 AND no = %s RETURNING no", day, number)
        june = datetime(2026, 6, 1, tzinfo=UTC)
        service.rows("UPDATE release SET ready_at = %s WHERE label = '2' RETURNING no", june)
        service.rows("UPDATE source SET current_release = 2 WHERE id = 1 RETURNING id")
        yield service


@pytest.fixture
def api(service: Service) -> Database:
    return service.search.database


def read(service: Service, *names: str, release: str | None = None, as_of: datetime | None = None) -> dict[str, int]:
    """The number of the release of each source that a request reads."""
    with service.search.database.transaction(ALL_SOURCES) as connection:
        scope = search.resolve_scope(connection, names, release, as_of)
        shown = search.read_sources(connection, scope, others=False)
    assert {item.source: item.release_no for item in scope} == {row["name"]: row["no"] for row in shown}
    return {item.source: item.release_no for item in scope}


@pytest.mark.parametrize(
    ("release", "found"),
    [(None, {"book": 2, "manual": 1}), ("c", {"book": 3}), ("1", {"book": 1, "manual": 1}), ("4", {})],
)
def test_a_release_is_read_by_label_or_number(loaded: Service, release: str | None, found: dict[str, int]) -> None:
    assert read(loaded, release=release) == found


def test_a_number_comes_before_a_label(loaded: Service) -> None:
    assert read(loaded, release="2") == {"book": 2, "manual": 1}, "manual has no second release, and one called 2"
    load(loaded, "x", "y", source="numbers")
    load(loaded, "1", source="numbers")
    assert read(loaded, "numbers", release="1") == {"numbers": 1}
    with loaded.indexing.database.transaction() as connection:
        assert releases.find_release(connection, "numbers", "1")["label"] == "x"


@pytest.mark.parametrize(
    ("as_of", "found"),
    [
        (DAYS[1] - timedelta(microseconds=1), {}),
        (DAYS[1], {"book": 1}),
        (DAYS[3] - timedelta(microseconds=1), {"book": 2}),
        (DAYS[3], {"book": 3}),
        (datetime(2026, 6, 1, tzinfo=UTC), {"book": 3, "manual": 1}),
        (datetime.max.replace(tzinfo=UTC), {"book": 3, "manual": 1}),
        (datetime.min.replace(tzinfo=UTC), {}),
    ],
    ids=str,
)
def test_a_time_is_read_in_the_latest_release_that_was_ready_by_then(
    loaded: Service, as_of: datetime, found: dict[str, int]
) -> None:
    assert read(loaded, "book", "manual", as_of=as_of) == found


def test_a_release_and_a_time_together_are_refused(loaded: Service) -> None:
    with pytest.raises(InvalidRequest, match="give a release or as_of, not both"):
        read(loaded, release="a", as_of=DAYS[1])


def test_a_search_reads_the_time_it_is_asked_for(loaded: Service) -> None:
    (hit,) = loaded.ask("book", as_of=DAYS[2]).hits
    assert (hit.place.release, hit.text) == ("b", "book 1")
    with pytest.raises(NotFound, match=r"a release as of 2025-01-01T00:00:00\+00:00 of any source is not here"):
        loaded.ask("book", as_of=datetime(2025, 1, 1, tzinfo=UTC))
    with pytest.raises(NotFound, match=r"a release as of 2026-01-10T00:00:00\+00:00 of manual is not here"):
        loaded.ask("book", as_of=DAYS[1], sources=("book", "manual"))


def test_sources_without_a_release_are_listed_unless_one_is_asked_for(loaded: Service) -> None:
    with loaded.search.database.transaction(ALL_SOURCES) as connection:
        scope = search.resolve_scope(connection, ["manual"], None)
        rows = search.read_sources(connection, scope)
    assert {"book", "empty", "manual"} <= {row["name"] for row in rows}
    assert {row["name"]: row["no"] for row in rows}["empty"] is None


def test_releases_are_listed_with_what_they_are(loaded: Service) -> None:
    with loaded.search.database.transaction(("book", "empty")) as connection:
        rows = releases.read_releases(connection)
    marks = [(row["source"], row["release"], row["label"], row["state"], row["current"], row["head"]) for row in rows]
    assert marks[:3] == [
        ("book", 3, "c", "ready", False, True), ("book", 2, "b", "ready", True, False),
        ("book", 1, "a", "ready", False, False),
    ]  # fmt: skip
    assert [(source, state, current, head) for source, _, _, state, current, head in marks[3:]] == [
        ("empty", "failed", False, False)
    ]
    uploads = {upload["id"]: upload["release"] for upload in loaded.uploads("book")}
    assert [uploads[row["upload"]] for row in rows[:3]] == [3, 2, 1]


def test_a_label_of_several_releases_names_none_of_them(service: Service, api: Database) -> None:
    load(service, "twice", "twice")
    with api.transaction(ALL_SOURCES) as connection:
        with pytest.raises(InvalidRequest, match="several releases of book are called twice; name one by its number"):
            releases.find_release(connection, "book", "twice")
        assert releases.find_release(connection, "book", "2")["release"] == 2


def test_a_failed_release_does_not_take_its_label_away(service: Service, api: Database) -> None:
    service.load("book", zipped({"а.md": ""}, ""), label="a")
    load(service, "a")
    with api.transaction(ALL_SOURCES) as connection:
        assert releases.find_release(connection, "book", "a")["release"] == 2
        assert releases.find_release(connection, "book", "1")["state"] == "failed"
        assert releases.activate_old_release(connection, 1, 1) == "unready"
        assert retention.delete_release(connection, 1, 1) is None
        assert [row["release"] for row in releases.read_releases(connection)] == [2]


@pytest.mark.parametrize("allowed", [None, (), ("manual",)], ids=["nothing set", "nothing", "another source"])
@pytest.mark.parametrize("role", ["api", "indexer"])
def test_nobody_changes_a_source_that_is_not_allowed(
    service: Service, role: str, allowed: tuple[str, ...] | None
) -> None:
    load(service, "a", "b")
    database = service.search.database if role == "api" else service.indexing.database
    with database.transaction(allowed) as connection:
        assert releases.activate_old_release(connection, 1, 1) == "missing"
        assert retention.delete_release(connection, 1, 1) == "missing"
        assert retention.delete_source(connection, 1) == "missing"
    assert service.rows("SELECT no FROM release ORDER BY no") == [{"no": 1}, {"no": 2}]
    assert service.value("SELECT current_release FROM source") == 2


def test_an_extension_outlives_its_base(service: Service, api: Database) -> None:
    load(service, "a")
    load(service, "a", source="extension")
    service.rows("UPDATE source SET base_source_id = 1 WHERE name = 'extension' RETURNING id")
    with api.transaction(ALL_SOURCES) as connection:
        assert retention.delete_source(connection, 1) is None
    assert service.rows("SELECT name, base_source_id FROM source") == [{"name": "extension", "base_source_id": None}]


@pytest.fixture
def other() -> Iterator[ThreadPoolExecutor]:
    """A thread, and so a connection, beside the test's own."""
    with ThreadPoolExecutor(1) as thread:
        yield thread


def wait_for_a_lock(service: Service) -> None:
    """Until a session of the test's database waits for another."""
    statement = (
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')"
    )
    wait_until(lambda: service.value(statement))


def activate(service: Service, no: int) -> str | None:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return releases.activate_old_release(connection, 1, no)


def delete(service: Service, no: int) -> str | None:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return retention.delete_release(connection, 1, no)


def sweep(service: Service) -> bool:
    with service.search.database.transaction() as connection:
        return retention.sweep_outlines(connection)


def test_a_release_is_not_deleted_under_its_reader(service: Service, api: Database, other: ThreadPoolExecutor) -> None:
    load(service, "a", "b")
    with api.transaction(ALL_SOURCES) as connection:
        scope = search.resolve_scope(connection, (), "a")
        deletion = other.submit(delete, service, 1)
        wait_for_a_lock(service)
        assert search.read_surroundings(connection, scope, 0, 1)
    assert deletion.result() is None
    assert read(service, release="a") == {}


@pytest.mark.parametrize(("first", "second", "refusal"), [(activate, delete, "current"), (delete, activate, "missing")])
def test_the_current_release_is_there_whoever_comes_first(
    service: Service, other: ThreadPoolExecutor, first: Change, second: Change, refusal: str
) -> None:
    load(service, "a", "b")
    with service.search.database.transaction(ALL_SOURCES):
        assert first(service, 1) is None  # in this transaction, which is not over yet
        later = other.submit(second, service, 1)
        wait_for_a_lock(service)
    assert later.result() == refusal
    assert {"no": service.value("SELECT current_release FROM source")} in service.rows("SELECT no FROM release")


def test_the_next_load_is_compared_with_the_head_that_a_deletion_leaves(
    service: Service, other: ThreadPoolExecutor
) -> None:
    load(service, "a", "b")
    activate(service, 1)
    service.put("book", zipped({"а.md": "# А\n\nbook 2"}, ""), name="c.zip", label="c")
    with service.search.database.transaction(ALL_SOURCES):
        assert delete(service, 2) is None
        planned = other.submit(service.run, most=1)
        wait_for_a_lock(service)
    assert planned.result() == 1
    service.run()
    assert service.rows("SELECT added_in, removed_in FROM chunk ORDER BY id") == [
        {"added_in": 1, "removed_in": 3}, {"added_in": 3, "removed_in": None},
    ]  # fmt: skip


def test_an_outline_that_a_load_has_just_met_is_not_swept(service: Service, other: ThreadPoolExecutor) -> None:
    load(service, "a")
    orphan = {"hash": uuid4(), "places": Jsonb({})}
    service.superuser.execute(query("insert_outline"), orphan)
    with service.indexing.database.transaction() as connection:
        connection.execute(query("insert_outline"), orphan)
        swept = other.submit(sweep, service)
        wait_for_a_lock(service)
        connection.execute(
            "INSERT INTO document (source_id, id, root, path, kind, fqn, title, section, file_hash, outline_hash,"
            " added_in) SELECT 1, 7, '', 'б.md', kind, '', '', '', file_hash, %s, 1 FROM document",
            [orphan["hash"]],
        )
    assert swept.result() is False
    assert service.value("SELECT count(*) FROM outline WHERE hash = %s", orphan["hash"]) == 1
    service.rows("DELETE FROM document WHERE id = 7 RETURNING id")
    sweep(service)
    assert service.value("SELECT count(*) FROM outline WHERE hash = %s", orphan["hash"]) == 0


def test_sweeping_is_bounded(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "SWEPT_AT_ONCE", 2)
    service.rows("INSERT INTO outline SELECT gen_random_uuid(), '{}' FROM generate_series(1, 5) RETURNING hash")
    service.rows("INSERT INTO space (model, dimensions, prefix, active) VALUES ('m', 1, '', true) RETURNING id")
    service.rows(
        "INSERT INTO chunk_vector SELECT 0, 1, no, 1, gen_random_uuid(), '[1]'::halfvec"
        " FROM generate_series(1, 3) AS no RETURNING chunk_id"
    )
    with service.indexing.database.transaction() as connection:
        assert [retention.sweep_outlines(connection) for _ in range(3)] == [True, True, False]
        assert [retention.sweep_vectors(connection, 0) for _ in range(2)] == [True, False]
        assert retention.sweep_vectors(connection, 77) is False, "a shard that is gone"
