"""Connections and transactions of one process."""

import gc
import threading
from collections.abc import Iterator

import psycopg
import pytest

from integration.databases import Dsns
from onec_rag.errors import RetryableError
from onec_rag.store.database import Connection, Database

pytestmark = pytest.mark.integration


@pytest.fixture
def opened(database: Dsns) -> Iterator[Database]:
    opened = Database(database.indexer, "the tests")
    yield opened
    opened.close()


def process_of(connection: Connection) -> int:
    return connection.info.backend_pid


def terminate(dsns: Dsns, process: int) -> None:
    with psycopg.connect(dsns.superuser, autocommit=True) as superuser:
        superuser.execute("SELECT pg_terminate_backend(%s, 10000)", [process])


def test_the_connection_is_kept_between_transactions(opened: Database) -> None:
    processes = set()
    for _ in range(3):
        with opened.transaction() as connection:
            processes.add(process_of(connection))
    assert len(processes) == 1


def test_a_connection_that_the_server_ended_is_opened_again(opened: Database, database: Dsns) -> None:
    with opened.transaction() as connection:
        first = process_of(connection)
    terminate(database, first)
    with opened.transaction() as connection:
        assert process_of(connection) != first


def test_a_connection_that_is_lost_within_a_transaction_is_retryable(opened: Database, database: Dsns) -> None:
    def lose() -> None:
        with opened.transaction() as connection:
            terminate(database, process_of(connection))
            connection.execute("SELECT 1")

    with pytest.raises(RetryableError, match=r"^database: "):
        lose()
    with opened.transaction() as connection:
        connection.execute("SELECT 1")


def test_an_error_rolls_everything_back(opened: Database) -> None:
    def fail() -> None:
        with opened.transaction() as connection:
            connection.execute("INSERT INTO source (name, kind) VALUES ('s', 'configuration')")
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        fail()
    with opened.transaction() as connection:
        assert connection.execute("SELECT FROM source").fetchall() == []


def test_a_deadlock_is_retryable(database: Dsns) -> None:
    """Two that lock two rows crosswise: the server gives one of them up, the other goes on."""
    with psycopg.connect(database.superuser, autocommit=True) as superuser:
        superuser.execute("INSERT INTO source (name, kind) VALUES ('a', 'configuration'), ('b', 'configuration')")
    both_hold = threading.Barrier(2)
    failures: list[RetryableError] = []

    def lock(first: str, second: str) -> None:
        own = Database(database.indexer, "the tests")
        try:
            with own.transaction() as connection:
                connection.execute("SELECT FROM source WHERE name = %s FOR UPDATE", [first])
                both_hold.wait()
                connection.execute("SELECT FROM source WHERE name = %s FOR UPDATE", [second])
        except RetryableError as error:
            failures.append(error)
        finally:
            own.close()

    threads = [threading.Thread(target=lock, args=names) for names in (("a", "b"), ("b", "a"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(failures) == 1
    assert "deadlock" in str(failures[0])


def test_each_thread_has_its_own_connection_which_ends_with_it(opened: Database) -> None:
    def work() -> None:
        with opened.transaction() as connection:
            processes.append(process_of(connection))

    processes: list[int] = []
    work()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    del thread
    gc.collect()  # a connection that nobody closed would be told as a warning, which is an error here
    assert len(set(processes)) == 2


def test_no_session_state_is_left_behind(opened: Database) -> None:
    with opened.transaction(("one", "two")) as connection:
        row = connection.execute("SELECT current_setting('onec_rag.sources') AS sources").fetchone()
        assert row == {"sources": "one,two"}
    with opened.transaction() as connection:
        row = connection.execute("SELECT coalesce(current_setting('onec_rag.sources', true), '') AS sources").fetchone()
        assert row == {"sources": ""}
