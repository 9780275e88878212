from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from onec_rag_local.database import prepare_database, role_dsn
from onec_rag_local.errors import LocalStackError
from onec_rag_local.postgres import Postgres

pytestmark = pytest.mark.integration
DATABASE = "test_database"


@pytest.fixture
def prepared(postgres: Postgres) -> Iterator[Postgres]:
    prepare_database(postgres.dsn(), postgres.passwords, DATABASE)
    yield postgres
    with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


def run(server: Postgres, role: str, *statements: str) -> None:
    with psycopg.connect(server.dsn(role, DATABASE)) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def test_preparing_twice_is_the_same_as_once(prepared: Postgres) -> None:
    run(prepared, "migrator", "CREATE TABLE kept ()")
    prepare_database(prepared.dsn(), prepared.passwords, DATABASE)
    run(prepared, "migrator", "TABLE kept")


def test_new_passwords_replace_the_old_ones(prepared: Postgres) -> None:
    prepare_database(prepared.dsn(), dict(prepared.passwords) | {"api": "another"}, DATABASE)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        run(prepared, "api", "SELECT 1")


def test_the_migrator_owns_the_database_and_makes_the_extensions(prepared: Postgres) -> None:
    run(
        prepared,
        "migrator",
        *(f"CREATE EXTENSION IF NOT EXISTS {name}" for name in ("vector", "pg_trgm", "hstore")),
        "CREATE TABLE chunk (words tsvector, vector halfvec(384))",
        "CREATE INDEX ON chunk USING hnsw (vector halfvec_cosine_ops)",
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
        "GRANT EXECUTE ON FUNCTION one TO api",
        "CREATE SCHEMA inner_schema",
    )
    run(prepared, "api", "SELECT one()")


def test_the_migrator_is_no_superuser(prepared: Postgres) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(prepared, "migrator", "COPY (SELECT 1) TO PROGRAM 'true'")


@pytest.mark.parametrize("statement", ["CREATE TABLE t ()", "CREATE TEMPORARY TABLE t ()", "CREATE SCHEMA s"])
def test_the_api_makes_nothing(prepared: Postgres, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(prepared, "api", statement)


def test_the_api_reads_no_table_without_a_grant(prepared: Postgres) -> None:
    run(prepared, "migrator", "CREATE TABLE secret ()")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(prepared, "api", "TABLE secret")


def test_the_indexer_makes_temporary_tables_only(prepared: Postgres) -> None:
    run(prepared, "indexer", "CREATE TEMPORARY TABLE t ()")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run(prepared, "indexer", "CREATE TABLE t ()")


def test_nobody_else_may_connect(prepared: Postgres) -> None:
    with psycopg.connect(prepared.dsn(), autocommit=True) as connection:
        connection.execute("CREATE ROLE stranger LOGIN PASSWORD 'p'")
        try:
            with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
                psycopg.connect(role_dsn(prepared.dsn(), "stranger", {"stranger": "p"}, DATABASE))
        finally:
            connection.execute("DROP ROLE stranger")


def test_a_server_of_ones_own_needs_createrole_and_createdb_and_vector(public_folder: Path) -> None:
    with Postgres.start(public_folder) as server:
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute("CREATE ROLE administrator LOGIN CREATEROLE CREATEDB PASSWORD 'p'")
        theirs = role_dsn(server.dsn(), "administrator", {"administrator": "p"}, "postgres")
        with pytest.raises(LocalStackError, match="CREATE EXTENSION vector"):
            prepare_database(theirs, server.passwords, DATABASE)
        with psycopg.connect(server.dsn("postgres", DATABASE), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        prepare_database(theirs, server.passwords, DATABASE)
        run(server, "migrator", "CREATE EXTENSION pg_trgm", "CREATE TABLE chunk (vector halfvec(384))")
        run(server, "api", "SELECT 1")


def test_a_database_that_does_not_stem_russian_is_refused(postgres: Postgres) -> None:
    with psycopg.connect(postgres.dsn(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE} LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(LocalStackError, match="does not stem Russian"):
                prepare_database(postgres.dsn(), postgres.passwords, DATABASE)
        finally:
            connection.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")
