"""Databases of one test or one module, cloned from a template that is migrated once a session."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count

import psycopg
from psycopg import sql

from onec_rag.store.migrate import migrate
from onec_rag_local.database import prepare_database
from onec_rag_local.postgres import Postgres

TEMPLATE = "onec_rag_template"


@dataclass(frozen=True, slots=True)
class Dsns:
    """One database's address for each role."""

    migrator: str
    indexer: str
    api: str
    superuser: str


class Template:
    """A database with the product's schema and nothing in it."""

    def __init__(self, server: Postgres, administrator: psycopg.Connection) -> None:
        prepare_database(server.dsn(), server.passwords, TEMPLATE)
        migrate(server.dsn("migrator", TEMPLATE))
        self.server = server
        self._administrator = administrator
        self._numbers = count(1)
        self._left: list[str] = []

    @contextmanager
    def clone(self) -> Iterator[Dsns]:
        """A copy for the length of the block. It goes when the next one is made: by then its connections have ended."""
        while self._left:
            self._run("DROP DATABASE {name} WITH (FORCE)", self._left.pop())
        name = f"test_{next(self._numbers)}"
        # Files are copied six times faster than pages through the log. Rights on the database itself are not copied.
        for statement in (
            "CREATE DATABASE {name} TEMPLATE {template} OWNER migrator STRATEGY file_copy",
            "REVOKE ALL ON DATABASE {name} FROM PUBLIC",
            "GRANT CONNECT ON DATABASE {name} TO indexer, api",
        ):
            self._run(statement, name)
        try:
            yield Dsns(*(self.server.dsn(role, name) for role in ("migrator", "indexer", "api", "postgres")))
        finally:
            self._left.append(name)

    def _run(self, statement: str, name: str) -> None:
        names = {"name": sql.Identifier(name), "template": sql.Identifier(TEMPLATE)}
        self._administrator.execute(sql.SQL(statement).format(**names))
