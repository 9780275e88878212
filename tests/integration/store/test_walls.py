"""The two walls between callers: what the role `api` may touch at all, and which sources it sees of the rest."""

from collections.abc import Iterator

import psycopg
import pytest

from fakes import EmbeddingServer, vector_of
from integration.configuration import configuration, zipped
from integration.databases import Dsns, Template
from integration.service import Service, embedder_of, service_over
from onec_rag.model.search import NO_FILTERS, Scoped
from onec_rag.store import search, uploads
from onec_rag.store.database import ALL_SOURCES, Connection, Database
from onec_rag.store.vectors import read_active_space

pytestmark = pytest.mark.integration

SMALL_TABLES = ("source", "release", "document", "name", "membership", "upload", "upload_task", "file_problem",
                "vector_plan", "upload_manifest")  # fmt: skip
HIDDEN_TABLES = ("chunk", "chunk_0", "chunk_1", "chunk_vector", "chunk_vector_0", "chunk_vector_1", "outline", "word",
                 "word_of_task", "api_key", "schema_ledger", "embedding_pace", "embedded_minute",
                 "refused_text", "sync_batch")  # fmt: skip
INNER_FUNCTIONS = ("allowed_scope", "lexical_candidates", "vector_candidates", "index_shard", "create_shard",
                   "attach_shard", "drop_unattached_shard", "build_vector_index", "cut_over",
                   "remove_retired_space")  # fmt: skip
PROBLEM = {"Catalogs/Битый.xml": "<MetaDataObject"}


@pytest.fixture(scope="module")
def service(template_database: Template) -> Iterator[Service]:
    """Two sources in the shared shard, with vectors and a problem each, and one shard of its own."""
    with (
        template_database.clone() as dsns,
        EmbeddingServer() as server,
        service_over(dsns, embedder_of(server)) as service,
    ):
        for name in ("ours", "theirs"):
            service.load(name, zipped(configuration() | PROBLEM))
        service.rows("SELECT create_shard(1), attach_shard(1)")
        service.rows("INSERT INTO upload_manifest SELECT id, '' FROM upload RETURNING upload_id")
        yield service


@pytest.fixture
def api(service: Service) -> Database:
    return service.search.database


@pytest.fixture
def foreign(api: Database) -> list[Scoped]:
    with api.transaction(ALL_SOURCES) as connection:
        return search.resolve_scope(connection, ["theirs"], None)


def denied(api: Database, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), api.transaction(ALL_SOURCES) as connection:
        connection.execute(statement.encode())


@pytest.mark.parametrize("table", HIDDEN_TABLES)
def test_the_api_reads_no_table_of_content_or_keys(api: Database, table: str) -> None:
    denied(api, f"SELECT FROM {table}")


@pytest.mark.parametrize("function", INNER_FUNCTIONS)
def test_the_api_may_not_call_what_is_inside_of_the_search_functions(service: Service, function: str) -> None:
    statement = "SELECT has_function_privilege('api', oid, 'EXECUTE') AS may FROM pg_proc WHERE proname = %s"
    assert service.rows(statement, function) == [{"may": False}]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO source (name, kind) VALUES ('x', 'configuration')",
        "UPDATE source SET current_release = 1",
        "UPDATE upload SET source_name = 'ours'",
        "DELETE FROM upload",
        "DELETE FROM file_problem",
        "TRUNCATE upload",
    ],
)
def test_the_api_changes_nothing_but_the_state_of_an_upload(api: Database, statement: str) -> None:
    denied(api, statement)


@pytest.mark.parametrize("table", ["api_key", "schema_ledger"])
def test_the_indexer_reads_no_keys(service: Service, table: str) -> None:
    with (
        pytest.raises(psycopg.errors.InsufficientPrivilege),
        service.indexing.database.transaction() as connection,
    ):
        connection.execute(f"SELECT FROM {table}".encode())


def test_every_table_that_the_api_reads_has_row_level_security(service: Service) -> None:
    readable = service.rows(
        "SELECT relname, relrowsecurity FROM pg_class WHERE relnamespace = 'public'::regnamespace"
        " AND relkind IN ('r', 'p', 'v', 'm') AND has_table_privilege('api', oid, 'SELECT')"
    )
    walls = {row["relname"]: row["relrowsecurity"] for row in readable}
    assert walls == dict.fromkeys(SMALL_TABLES, True) | {"space": False}


def test_every_function_with_the_owners_rights_fixes_its_search_path(service: Service) -> None:
    open_ones = service.rows(
        "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
        " AND NOT coalesce(array_to_string(proconfig, ' '), '') LIKE '%%search_path=public, pg_temp%%'"
    )
    assert open_ones == []


@pytest.mark.parametrize("table", SMALL_TABLES)
def test_rows_of_small_tables_are_those_of_the_allowed_sources(service: Service, api: Database, table: str) -> None:
    def count(*sources: str) -> int:
        with api.transaction(sources) as connection:
            return len(connection.execute(f"SELECT FROM {table}".encode()).fetchall())

    everything = len(service.rows(f"SELECT FROM {table}"))
    assert count("*") == everything
    assert count("ours") + count("theirs") == everything
    assert 0 < count("ours") < everything
    assert count("nobody's") == count("") == 0


@pytest.mark.parametrize("table", SMALL_TABLES)
def test_nothing_set_means_nothing_seen(api: Database, table: str) -> None:
    with api.transaction() as connection:
        assert connection.execute(f"SELECT FROM {table}".encode()).fetchall() == []


def test_the_allowed_sources_end_with_the_transaction(api: Database) -> None:
    with api.transaction(ALL_SOURCES) as connection:
        assert search.read_sources(connection)
    with api.transaction() as connection:
        assert search.read_sources(connection) == []


@pytest.mark.parametrize("allowed", [("ours",), ()], ids=["another source", "nothing"])
def test_every_search_function_is_blind_to_foreign_sources(
    api: Database, foreign: list[Scoped], allowed: tuple[str, ...]
) -> None:
    with api.transaction(ALL_SOURCES) as connection:
        seen = look_everywhere(connection, foreign)
        assert all(seen.values()), "the same look must find something where it may"
    with api.transaction(allowed) as connection:
        assert not any(look_everywhere(connection, foreign).values())


def look_everywhere(connection: Connection, scope: list[Scoped]) -> dict[str, object]:
    """What each search function gives for the scope."""
    words, vector = ["цена"], vector_of("цена", 8)
    space = read_active_space(connection)
    statistics = search.word_statistics(connection, scope, words)
    found = search.search_chunks(
        connection, scope, words=words, weights=[1.0], look_ups=1, vector=vector, space=space,
        filters=NO_FILTERS, exact=False, top=10,
    )  # fmt: skip
    chunks = [(0, number) for number in range(1, 200)]
    return {
        "scope": search.resolve_scope(connection, [item.source for item in scope], None),
        "statistics": statistics.chunks or statistics.documents,
        "lexical": [item for item in found if item.lexical_rank],
        "vector": [item for item in found if item.vector_rank],
        "count": search.count_chunks(connection, scope, NO_FILTERS, 100),
        "read": search.read_chunks(connection, scope, chunks),
        "surroundings": [row for place in chunks for row in search.read_surroundings(connection, scope, *place)],
        "coverage": search.vector_coverage(connection, scope, space),
    }


def test_a_foreign_source_hides_behind_an_allowed_one_in_vain(api: Database, foreign: list[Scoped]) -> None:
    with api.transaction(("ours",)) as connection:
        ours = search.resolve_scope(connection, [], None)
        both = search.vector_coverage(connection, [*ours, *foreign], None)
    assert list(both) == [ours[0].source_id]


def test_an_upload_is_announced_for_allowed_sources_only(api: Database) -> None:
    def announce(source: str, number: int) -> None:
        with api.transaction(("ours",)) as connection:
            uploads.insert_upload(
                connection, upload_id=f"00000000-0000-4000-8000-{number:012}", source_name=source, bucket="b",
                key=f"k{number}",
            )  # fmt: skip

    announce("ours", 1)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        announce("theirs", 2)


def test_an_unready_release_is_not_searched(service: Service, api: Database, foreign: list[Scoped]) -> None:
    unready = [Scoped(item.source_id, item.source, 2, "2", {}, 0, 0) for item in foreign]
    service.rows("INSERT INTO release (source_id, no, label, state) VALUES (%s, 2, '2', 'loading') RETURNING no",
                 foreign[0].source_id)  # fmt: skip
    try:
        with api.transaction(ALL_SOURCES) as connection:
            assert not any(value for name, value in look_everywhere(connection, unready).items() if name != "scope")
    finally:
        service.rows("DELETE FROM release WHERE no = 2 RETURNING no")


def test_keys_are_read_by_id_alone(database: Dsns) -> None:
    with psycopg.connect(database.superuser, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO api_key (id, title, scopes, sources, expires_at, revoked_at) VALUES"
            " ('good', 'x', '{read}', NULL, NULL, NULL), ('few', 'x', '{read}', '{ours}', now() + '1 day', NULL),"
            " ('old', 'x', '{read}', NULL, now(), NULL), ('gone', 'x', '{read}', NULL, NULL, now())"
        )
    api = Database(database.api, "tests")
    with api.transaction() as connection:
        keys = {key_id: search.read_api_key(connection, key_id) for key_id in ("good", "few", "old", "gone", "none")}
    api.close()
    assert keys == {
        "good": {"title": "x", "scopes": ["read"], "sources": None},
        "few": {"title": "x", "scopes": ["read"], "sources": ["ours"]},
        "old": None, "gone": None, "none": None,
    }  # fmt: skip
