"""What the end of a task makes possible: the next wave, the release's activation, the next upload of the source."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from onec_rag.errors import PermanentError
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.embed import fill_message
from onec_rag.indexing.guard import holds_removed
from onec_rag.model.tasks import Upload, UploadState
from onec_rag.observability import logger
from onec_rag.store import arrivals, kept, releases, uploads
from onec_rag.store.database import Connection


def advance(indexing: Indexing, upload_id: str) -> None:
    """Queues the tasks of the open wave, or ends the upload when none is left; does nothing where nothing is due.

    Under a lock on the upload's row, so that of workers that end together one sees the last task done. It may be
    called any number of times: a redelivered message repairs what a crash between commit and sending left out.
    """
    with indexing.database.transaction() as connection:
        upload = uploads.lock_upload(connection, upload_id)
        if upload.state is UploadState.LOADING:
            due = uploads.tasks_to_queue(connection, upload_id) if upload.release_no is not None else []
            if due is not None:
                indexing.index_queue.send({"upload": upload_id, "task": no} for no in due)
                uploads.mark_tasks_queued(connection, upload_id, due)
                return
            _activate(connection, indexing, upload)
    _end(indexing, upload)


def fail_upload(indexing: Indexing, upload_id: str, reason: str) -> None:
    """Ends an upload that can't be loaded; nothing of it is left but its status, what was served is served on."""
    with indexing.database.transaction() as connection:
        upload = uploads.lock_upload(connection, upload_id, writers=True)
        if upload.state not in (UploadState.RECEIVING, UploadState.PARKED, UploadState.LOADING):
            return
        _fail(connection, upload, reason)
    _end(indexing, upload)


def _activate(connection: Connection, indexing: Indexing, upload: Upload) -> None:
    if upload.source_id is None or upload.release_no is None:
        raise PermanentError("an upload without a release can't be activated")
    release = releases.read_release(connection, upload.source_id, upload.release_no)
    counts = sum_counts(uploads.read_task_counts(connection, upload.id))
    if not counts.get("documents"):
        _fail(connection, upload, "no file of this upload could be read")
        return
    if holds_removed(connection, indexing, upload, release):
        releases.undo_release(connection, release, upload.id)
        return
    if releases.activate_release(connection, release, upload.id, counts):
        uploads.finish_upload(connection, upload.id, UploadState.READY, release.no)
        logger.info("release ready", extra={"upload": upload.id, "release": release.no, **counts})
    else:
        head = releases.head_no(connection, upload.source_id)
        uploads.finish_upload(connection, upload.id, UploadState.UNCHANGED, head, "nothing differs from this release")
    if indexing.embedder is not None:
        indexing.embed_queue.send([fill_message(release.source_id, release.shard)])


def _fail(connection: Connection, upload: Upload, reason: str) -> None:
    if upload.source_id is not None and upload.release_no is not None:
        release = releases.read_release(connection, upload.source_id, upload.release_no)
        releases.undo_release(connection, release, upload.id)
    uploads.finish_upload(connection, upload.id, UploadState.FAILED, None, reason)
    logger.warning("upload failed", extra={"upload": upload.id, "reason": reason})


def _end(indexing: Indexing, upload: Upload) -> None:
    """After the end of an upload is committed: archives and lists of files that nobody needs any more go, older
    uploads that wait to be confirmed end, the source's next upload is woken (see `plan_upload`)."""
    with indexing.database.transaction() as connection:
        idle = kept.idle_archives(connection, upload.source_name)
    for archive in idle:
        indexing.objects.delete(archive["bucket"], archive["staged_key"])
    with indexing.database.transaction() as connection:
        kept.forget_archives(connection, [archive["id"] for archive in idle])
        kept.forget_manifests(connection, upload.source_name)
        arrivals.supersede_held(connection, upload.source_name)
        waiting = uploads.next_parked_upload(connection, upload.source_name)
    if waiting is not None:
        indexing.plan_queue.send([{"upload": waiting}])


def sum_counts(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The tasks' counts summed; what was found stands flat beside them."""
    total: Counter[str] = Counter()
    for row in rows:
        total.update({name: value for name, value in row.items() if isinstance(value, int)})
        total.update(row.get("found", {}))
    return dict(total)
