"""Migrations on real databases, empty and not."""

import importlib.util
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

from integration.databases import Dsns, Template
from onec_rag.errors import ConfigurationError, RetryableError
from onec_rag.store.database import Database
from onec_rag.store.migrate import migrate
from onec_rag_local.database import prepare_database
from onec_rag_local.postgres import Postgres

pytestmark = pytest.mark.integration

EMPTY = "test_empty"
SNAPSHOT_SCRIPT = Path(__file__).parents[3] / "scripts" / "schema_snapshot.py"


@pytest.fixture
def empty(postgres: Postgres) -> Iterator[str]:
    """The migrator's address of a database without tables."""
    prepare_database(postgres.dsn(), postgres.passwords, EMPTY)
    yield postgres.dsn("migrator", EMPTY)
    with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {EMPTY} WITH (FORCE)")


@pytest.fixture(scope="module")
def snapshot() -> ModuleType:
    specification = importlib.util.spec_from_file_location("schema_snapshot", SNAPSHOT_SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def change_ledger(dsns: Dsns, statement: str) -> None:
    with psycopg.connect(dsns.migrator) as connection:
        connection.execute(statement.encode())


def test_everything_is_applied_once_and_in_order(empty: str) -> None:
    applied = migrate(empty)
    migrations, functions = ([name for name in applied if (name.index("_") == 4) is wanted] for wanted in (True, False))
    assert applied == sorted(migrations) + sorted(functions)
    assert "0001_core.sql" in migrations
    assert "030_search.sql" in functions
    assert migrate(empty) == []


def test_two_migrators_at_once_follow_each_other(empty: str) -> None:
    results: list[list[str]] = []
    threads = [threading.Thread(target=lambda: results.append(migrate(empty))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(bool, results)) == [False, True]


def test_an_edited_migration_is_refused_and_nothing_is_applied(database: Dsns) -> None:
    edited = "UPDATE schema_ledger SET checksum = 'edited' WHERE file IN ('m/0001_core.sql', 'f/030_search.sql')"
    change_ledger(database, edited)
    with pytest.raises(ConfigurationError, match=r"0001_core\.sql was changed after it had been applied"):
        migrate(database.migrator)
    with psycopg.connect(database.migrator) as connection:
        row = connection.execute("SELECT count(*) FROM schema_ledger WHERE checksum = 'edited'").fetchone()
    assert row == (2,)


def test_a_database_of_a_newer_version_is_refused(database: Dsns) -> None:
    change_ledger(database, "INSERT INTO schema_ledger (file, checksum) VALUES ('m/9999_future.sql', '')")
    with pytest.raises(ConfigurationError, match=r"newer than this code: it knows m/9999_future\.sql"):
        migrate(database.migrator)


def test_functions_that_changed_are_applied_again(database: Dsns) -> None:
    change_ledger(database, "UPDATE schema_ledger SET checksum = 'older' WHERE file = 'f/030_search.sql'")
    assert migrate(database.migrator) == ["030_search.sql"]
    assert migrate(database.migrator) == []


def test_the_committed_schema_is_what_migrations_make(template_database: Template, snapshot: ModuleType) -> None:
    with template_database.clone() as dsns:
        made = snapshot.schema_of(dsns.superuser)
    assert snapshot.SNAPSHOT.read_text("utf-8") == made, "run scripts/schema_snapshot.py and look at the difference"


def test_the_template_is_made_by_the_owner_and_not_by_a_superuser(database: Dsns) -> None:
    with psycopg.connect(database.superuser) as connection:
        owners = connection.execute(
            "SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p', 'S')"
        ).fetchall()
    assert owners == [("migrator",)]


def test_a_database_without_a_schema_names_the_migrator(postgres: Postgres, empty: str) -> None:
    database = Database(postgres.dsn("indexer", EMPTY), "tests")
    with pytest.raises(ConfigurationError, match="run the migrator"), database.transaction():
        pass


def test_an_unreachable_database_is_a_retryable_error() -> None:
    database = Database("postgresql://api@127.0.0.1:1/nothing", "tests")
    with pytest.raises(RetryableError, match=r"^database: "), database.transaction():
        pass
