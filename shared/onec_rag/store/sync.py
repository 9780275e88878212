"""Batches of changed loose objects: open from the first change on, closed when nothing has changed for a while."""

from dataclasses import dataclass
from datetime import datetime

from onec_rag.store.database import Connection
from onec_rag.store.queries import query


@dataclass(frozen=True, slots=True)
class Batch:
    """An open batch; `quiet` are the seconds since its last change."""

    changed_at: datetime
    quiet: float


def open_batch(connection: Connection, bucket: str, source_name: str) -> bool:
    """Notes a change; whether it is the first one of a new batch."""
    place = {"bucket": bucket, "source_name": source_name}
    if connection.execute(query("open_batch"), place).fetchone():
        return True
    connection.execute(query("touch_batch"), place)
    return False


def read_batch(connection: Connection, bucket: str, source_name: str) -> Batch | None:
    row = connection.execute(query("read_batch"), {"bucket": bucket, "source_name": source_name}).fetchone()
    return Batch(row["changed_at"], row["quiet"]) if row else None


def close_batch(connection: Connection, bucket: str, source_name: str, batch: Batch) -> bool:
    """False where something has changed since the batch was read: it stays open."""
    place = {"bucket": bucket, "source_name": source_name, "changed_at": batch.changed_at}
    return connection.execute(query("close_batch"), place).fetchone() is not None


def open_batches(connection: Connection, bucket: str) -> list[str]:
    """Names of the sources whose batch is open."""
    rows = connection.execute(query("open_batches"), {"bucket": bucket}).fetchall()
    return [row["source_name"] for row in rows]
