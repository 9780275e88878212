"""What was left lying: uploads that stand still, archives that nobody needs; and what the janitor has done about it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from psycopg.types.json import Jsonb

from onec_rag.store.database import Connection
from onec_rag.store.queries import query

MOST = 200
"""Rows of each kind in one run."""


@dataclass(frozen=True, slots=True)
class StuckUpload:
    """An upload that was set going again for the `requeues`-th time without progress; `planned`: it has tasks."""

    id: str
    requeues: int
    planned: bool


def try_lock(connection: Connection) -> bool:
    """Whether this is the only janitor at work, until the transaction ends."""
    row = connection.execute(query("try_janitor_lock")).fetchone()
    return bool(row and row["taken"])


def requeue_stuck_uploads(
    connection: Connection, stuck: timedelta, *, planner_idle: bool, indexer_idle: bool
) -> list[StuckUpload]:
    """Takes the mark `queued` back from the open tasks of uploads that made no progress for so long, and counts it.

    Those that wait for a planner only while it is idle, those with tasks only while the indexer is: in a queue that
    holds something their turn may be yet to come.
    """
    asked = {"stuck": stuck, "planner_idle": planner_idle, "indexer_idle": indexer_idle, "most": MOST}
    rows = connection.execute(query("requeue_stuck_uploads"), asked).fetchall()
    return [StuckUpload(str(row["id"]), row["requeues"], row["planned"]) for row in rows]


def overdue_announcements(connection: Connection, bucket: str, age: timedelta, there: Collection[str]) -> list[str]:
    """Uploads that were announced so long ago and whose key is not among those that are there."""
    asked = {"bucket": bucket, "age": age, "there": list(there), "most": MOST}
    return _ids(connection, "overdue_announcements", asked)


def claimed_keys(connection: Connection, bucket: str) -> set[str]:
    """Keys of uploads whose object was seen and not planned yet."""
    rows = connection.execute(query("claimed_keys"), {"bucket": bucket}).fetchall()
    return {row["key"] for row in rows}


def unwoken_uploads(connection: Connection, grace: timedelta) -> list[str]:
    """The next parked upload of each source where none is loading, nor has ended within the grace."""
    return _ids(connection, "unwoken_uploads", {"grace": grace, "most": MOST})


def overdue_batches(connection: Connection, bucket: str, quiet: timedelta) -> list[str]:
    """Names of the sources whose batch of loose objects is open though nothing has changed for so long."""
    asked = {"bucket": bucket, "quiet": quiet, "most": MOST}
    return [row["source_name"] for row in connection.execute(query("overdue_batches"), asked).fetchall()]


def sources_to_fill(connection: Connection) -> list[tuple[int, int, int, bool]]:
    """(source id, shard, head, whether the endpoint has refused all of it) of each source that has a release."""
    rows = connection.execute(query("sources_to_fill")).fetchall()
    return [(row["source_id"], row["shard"], row["head_release"], row["refused"]) for row in rows]


def archives_in_use(connection: Connection, upload_ids: Collection[str], *, kept: bool) -> set[str]:
    """Those of the uploads whose archives are needed: they are under way or may be again; or, where archives are asked
    for that are `kept` for the next release, the head was made of them."""
    return set(_ids(connection, "archives_in_use", {"ids": list(upload_ids), "kept": kept}))


def forget_archives(connection: Connection, keys: Collection[str]) -> None:
    """Says that archives of ended uploads are gone."""
    connection.execute(query("forget_deleted_archives"), {"keys": list(keys)})


def ask_janitor(connection: Connection, run_id: str, by_key: str) -> None:
    """Notes that somebody wants a run."""
    connection.execute(query("ask_janitor"), {"id": run_id, "by": by_key})


def end_run(
    connection: Connection, run_id: str, done: Mapping[str, int] | None, dead_letters: Mapping[str, int] | None
) -> None:
    """Notes what a run has done; nothing (None) where another one was at work. Old runs are forgotten."""
    facts = {"done": Jsonb(done) if done is not None else None,
             "dead_letters": Jsonb(dead_letters) if dead_letters is not None else None}  # fmt: skip
    connection.execute(query("end_janitor_run"), {"id": run_id} | facts)
    connection.execute(query("forget_janitor_runs"))


def read_run(connection: Connection, run_id: str | None = None) -> dict[str, Any] | None:
    """`id`, `requested_at`, `ended_at`, `done` and `dead_letters` of a run, or of the last one that did something."""
    return connection.execute(query("read_janitor_run"), {"id": run_id}).fetchone()


def last_read_upload(connection: Connection, source: str) -> str | None:
    """The source's last upload of which files were read, or else the last one; None where the caller sees none."""
    found = _ids(connection, "last_read_upload", {"source": source})
    return found[0] if found else None


def page_of_problems(connection: Connection, upload_id: str, offset: int, most: int) -> list[dict[str, Any]]:
    """Files that could not be read, from the `offset`-th on."""
    asked = {"id": upload_id, "offset": offset, "most": most}
    return connection.execute(query("page_of_problems"), asked).fetchall()


def reasons_of_problems(connection: Connection, upload_id: str, most: int = 10) -> list[dict[str, Any]]:
    """Why files of an upload could not be read, the most frequent `reason` first, with the number of `files`."""
    return connection.execute(query("reasons_of_problems"), {"id": upload_id, "most": most}).fetchall()


def _ids(connection: Connection, statement: str, values: Mapping[str, Any]) -> list[str]:
    return [str(row["id"]) for row in connection.execute(query(statement), values).fetchall()]
