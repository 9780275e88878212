"""What is kept of uploads for those that follow: the head's archive, and the list of its files."""

from collections.abc import Sequence
from typing import Any

from onec_rag.model.tasks import Upload
from onec_rag.store.database import Connection
from onec_rag.store.queries import query
from onec_rag.store.uploads import upload_of


def idle_archives(connection: Connection, source_name: str) -> list[dict[str, Any]]:
    """Archives made of the source's uploads that nobody needs any more: `id`, `bucket`, `staged_key`."""
    return connection.execute(query("idle_archives"), {"source_name": source_name}).fetchall()


def forget_archives(connection: Connection, upload_ids: Sequence[Any]) -> None:
    """Says that these are gone."""
    connection.execute(query("forget_archives"), {"ids": list(upload_ids)})


def head_upload(connection: Connection, source_name: str) -> Upload | None:
    """The upload that the source's head release was made of."""
    row = connection.execute(query("head_upload"), {"source_name": source_name}).fetchone()
    return upload_of(row) if row else None


def insert_manifest(connection: Connection, upload_id: str, packed: bytes) -> None:
    """Keeps the list of an upload's files."""
    connection.execute(query("insert_manifest"), {"upload_id": upload_id, "packed": packed})


def read_manifest(connection: Connection, source_name: str, pipeline: int) -> dict[str, Any] | None:
    """The list of files of the source's head, with `upload`, `release` and `label`; None where there is none, or where
    another version of the pipeline has read them."""
    asked = {"source_name": source_name, "pipeline": pipeline}
    return connection.execute(query("read_manifest"), asked).fetchone()


def forget_manifests(connection: Connection, source_name: str) -> None:
    """Drops the lists of the source's uploads that have ended and are not the head's."""
    connection.execute(query("forget_manifests"), {"source_name": source_name})
