"""The database and the roles of the product on a server, embedded or not; the tables are the migrations' work."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from onec_rag_local.errors import LocalStackError

DATABASE = "onec_rag"
# Role → what it may do on the server; rights inside the database are granted by migrations.
ROLES: Mapping[str, sql.SQL] = MappingProxyType(
    {"migrator": sql.SQL("LOGIN CREATEROLE"), "indexer": sql.SQL("LOGIN"), "api": sql.SQL("LOGIN")}
)
LOCK = 0x1C_DA7A  # any number that nobody else's advisory lock has


def prepare_database(superuser_dsn: str, passwords: Mapping[str, str], database: str = DATABASE) -> None:
    """Create what is missing of roles and database, and set the roles' passwords; twice is the same as once.

    The user of `superuser_dsn` is a superuser, or has CREATEROLE and CREATEDB. The database belongs to `migrator`;
    nobody else connects but `indexer` (who may make temporary tables) and `api`. The extension `vector` is made
    here, since it is not trusted; pg_trgm and hstore are, so migrations make them. Raises `LocalStackError` when
    the user may not do that, or when the server does not stem Russian.
    """
    with psycopg.connect(superuser_dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        for role in ROLES:
            _put_role(connection, role, passwords[role])
        _put_database(connection, database)
    with psycopg.connect(superuser_dsn, dbname=database, autocommit=True) as connection:
        check_russian(connection)
        if not _exists(connection, "SELECT FROM pg_extension WHERE extname = %s", "vector"):
            _create_vector(connection, database)


def role_dsn(dsn: str, role: str, passwords: Mapping[str, str], database: str = DATABASE) -> str:
    """The address of the same server for one of `ROLES`."""
    return make_conninfo(dsn, user=role, password=passwords[role], dbname=database)


def check_russian(connection: psycopg.Connection) -> None:
    """Raise `LocalStackError` unless Russian words in capitals are stemmed: a wrong locale breaks search silently."""
    row = connection.execute("SELECT to_tsvector('russian', 'ДОКУМЕНТОВ')::text").fetchone()
    if row != ("'документ':1",):
        raise LocalStackError(
            f"PostgreSQL does not stem Russian words here (ДОКУМЕНТОВ → {row and row[0]}): the database needs the "
            "encoding UTF8 and a locale that knows Cyrillic letters, as C.UTF-8 or ru_RU.UTF-8"
        )


def _put_role(connection: psycopg.Connection, role: str, password: str) -> None:
    """The password goes as its SCRAM verifier, so that no log of statements holds it."""
    if not _exists(connection, "SELECT FROM pg_roles WHERE rolname = %s", role):
        connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(role)))
    verifier = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    connection.execute(
        sql.SQL("ALTER ROLE {} {} PASSWORD {}").format(sql.Identifier(role), ROLES[role], sql.Literal(verifier))
    )


def _put_database(connection: psycopg.Connection, database: str) -> None:
    name = sql.Identifier(database)
    if not _exists(connection, "SELECT FROM pg_roles WHERE rolname = current_user AND rolsuper"):
        connection.execute("GRANT migrator TO current_user")  # else it may neither give it a database nor enter it
    if not _exists(connection, "SELECT FROM pg_database WHERE datname = %s", database):
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER migrator").format(name))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    connection.execute(sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO indexer").format(name))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO api").format(name))


def _create_vector(connection: psycopg.Connection, database: str) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported) as error:
        raise LocalStackError(
            f"the extension vector can't be made in the database {database} ({error}): have pgvector 0.8 installed on "
            f"the server, and a superuser run there: CREATE EXTENSION vector"
        ) from error


def _exists(connection: psycopg.Connection, query: LiteralString, *parameters: str) -> bool:
    return connection.execute(query, parameters).fetchone() is not None
