"""A connection of this process to PostgreSQL, its transactions, and the translation of the driver's errors."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg.rows import dict_row
from psycopg.types.hstore import register_hstore

from onec_rag.errors import ConfigurationError, RetryableError

Row = dict[str, Any]
Connection = psycopg.Connection[Row]
ALL_SOURCES = ("*",)


class Database:
    """One connection a thread, opened when first needed and again when it was lost.

    Statements are never prepared and no session state is set, so a proxy in between pins nothing.
    """

    def __init__(self, dsn: str, application: str, connect_timeout: int = 10) -> None:
        self._dsn = dsn
        self._application = application
        self._connect_timeout = connect_timeout
        self._local = threading.local()

    @contextmanager
    def transaction(self, sources: Sequence[str] | None = None) -> Iterator[Connection]:
        """A transaction; `sources` are the names of those the caller may see (`ALL_SOURCES`: every one).

        Raises:
            RetryableError: the server can't be reached, went away, or gave up a lock.
        """
        connection = self._begin()
        try:
            with connection.transaction():
                if sources is not None:
                    connection.execute("SELECT set_config('onec_rag.sources', %s, true)", [",".join(sources)])
                yield connection
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            raise RetryableError(f"database: {_first_line(error)}") from error

    def close(self) -> None:
        """Closes this thread's connection."""
        held: _Held | None = getattr(self._local, "held", None)
        if held is not None:
            held.connection.close()
            self._local.held = None

    def _begin(self) -> Connection:
        held: _Held | None = getattr(self._local, "held", None)
        if held is not None and not held.connection.closed and self._alive(held.connection):
            return held.connection
        self.close()
        self._local.held = held = _Held(self._connect())
        return held.connection

    @staticmethod
    def _alive(connection: Connection) -> bool:
        """Whether the server still holds the session, seen from the socket without a round trip."""
        try:
            for _ in range(2):  # the first look may read the server's farewell, then the second finds the end
                connection.pgconn.consume_input()
        except psycopg.OperationalError:
            return False
        return not connection.closed

    def _connect(self) -> Connection:
        try:
            connection = psycopg.connect(
                self._dsn,
                autocommit=True,
                row_factory=dict_row,
                prepare_threshold=None,
                connect_timeout=self._connect_timeout,
                application_name=self._application,
            )
        except psycopg.OperationalError as error:
            raise RetryableError(f"database: {_first_line(error)}") from error
        hstore = psycopg.types.TypeInfo.fetch(connection, "hstore")
        if hstore is None:
            connection.close()
            raise ConfigurationError("the database has no schema yet; run the migrator")
        register_vector(connection)
        register_hstore(hstore, connection)
        return connection


class _Held:
    """A thread's connection, which ends with the thread: thread pools drop idle ones."""

    __slots__ = ("connection",)

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
