"""Holds back what would remove a large part of a source: the wrong folder, half a dump, the wrong source's name."""

from onec_rag.indexing.base import Indexing
from onec_rag.model.tasks import Release, Upload
from onec_rag.store import uploads
from onec_rag.store.database import Connection


def holds_unsent(connection: Connection, indexing: Indexing, upload: Upload, ids: list[int]) -> bool:
    """Holds an upload that is being planned and has only these documents, when too many of the head's are missing.

    Before anything is loaded. What turns out to be empty or protected is counted by `holds_removed`.
    """
    return _holds(connection, indexing, upload, *uploads.count_unsent(connection, upload.source_name, ids))


def holds_removed(connection: Connection, indexing: Indexing, upload: Upload, release: Release) -> bool:
    """Holds an upload whose release is loaded, when it has too few of the head's documents; the release is the
    caller's to take back."""
    return _holds(connection, indexing, upload, *uploads.count_removed(connection, upload.id, release))


def _holds(connection: Connection, indexing: Indexing, upload: Upload, total: int, gone: int) -> bool:
    if upload.confirmed or gone <= total * indexing.most_removed:
        return False
    reason = f"it would remove {gone} of {total} documents, more than {indexing.most_removed:.0%}; to be confirmed"
    uploads.hold_upload(connection, upload.id, reason)
    return True
