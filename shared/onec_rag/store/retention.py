"""Releases and sources that go for good, and what nobody refers to afterwards."""

from datetime import timedelta
from typing import Any

from onec_rag.store.database import Connection
from onec_rag.store.queries import query

SWEPT_AT_ONCE = 20_000
"""Rows in one transaction: a second's work at the most."""


def delete_release(connection: Connection, source_id: int, no: int) -> str | None:
    """Deletes a release that the caller may see, with all that no other release shows.

    None when it is done, else why not: `missing`, `loading`, `current`, or `compared`: it is the head, and a load
    that is in progress is being compared with it.
    """
    return _refusal(connection, "delete_release", source_id=source_id, no=no)


def find_source(connection: Connection, name: str) -> dict[str, Any] | None:
    """Id, number of ready releases, and whether an upload is loading; None where the caller sees no such source."""
    return connection.execute(query("find_source"), {"name": name}).fetchone()


def delete_source(connection: Connection, source_id: int) -> str | None:
    """Deletes a source that the caller may see, with its releases, its uploads and its shard.

    None when it is done, else why not: `missing`, or `loading`.
    """
    return _refusal(connection, "delete_source", source_id=source_id)


def releases_beyond(
    connection: Connection, source_id: int, keep: int | None, older_than: timedelta | None
) -> list[int]:
    """Numbers of the ready releases that no rule keeps, oldest first: they are not among the newest `keep`, and became
    ready longer ago than `older_than`. A rule that is None keeps nothing; the current one and the head always stay.
    """
    rows = connection.execute(
        query("releases_beyond"), {"source_id": source_id, "keep": keep, "older_than": older_than}
    ).fetchall()
    return [row["no"] for row in rows]


def sweep_outlines(connection: Connection) -> bool:
    """Deletes outlines that no document refers to, a bounded number; whether there may be more.

    In a transaction of its own: loads of every source wait for its end.
    """
    return _swept(connection, "sweep_outlines", most=SWEPT_AT_ONCE) == SWEPT_AT_ONCE


def sweep_vectors(connection: Connection, shard: int) -> bool:
    """Deletes vectors of chunks that are gone, a bounded number of one shard's; whether there may be more."""
    return _swept(connection, "sweep_vectors", shard=shard, most=SWEPT_AT_ONCE) == SWEPT_AT_ONCE


def _refusal(connection: Connection, statement: str, /, **values: int) -> str | None:
    row = connection.execute(query(statement), values).fetchone()
    return row["refusal"] if row else None


def _swept(connection: Connection, statement: str, /, **values: int) -> int:
    row = connection.execute(query(statement), values).fetchone()
    return int(row["swept"]) if row else 0
