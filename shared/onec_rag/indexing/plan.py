"""An object of the bucket → an upload with a release and bounded tasks."""

from datetime import UTC, datetime

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Member
from onec_rag.formats.base import Root, RootKind, Wave
from onec_rag.formats.table import format_of
from onec_rag.indexing.activate import advance, fail_upload
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.contents import describe, known_members, roots_of
from onec_rag.indexing.delta import complete
from onec_rag.indexing.grouping import Placed, group_tasks
from onec_rag.indexing.guard import holds_unsent
from onec_rag.indexing.hear import Event, claim_object, hear, is_page
from onec_rag.indexing.kept import read_listed
from onec_rag.indexing.keys import SYNC
from onec_rag.indexing.loose import gather
from onec_rag.indexing.manifest import FOLDER, MANIFEST, pack_manifest
from onec_rag.indexing.stage import Archive, open_archive
from onec_rag.indexing.sync import close_batch
from onec_rag.model.tasks import Task, Upload, UploadState
from onec_rag.observability import correlate, logger
from onec_rag.store import arrivals, content, kept, releases, uploads
from onec_rag.store.database import Connection

LARGE = 30 * 1024**2
"""Inflated bytes of known members; about 20,000 chunks, from where a source gets a shard of its own."""
_WANTED = (
    "an export of a configuration or extension to files (Configuration.xml or Configuration.mdo), of an external data"
    " processor or report, books of the platform's help (.hbk), or pages of documentation (Markdown, HTML, DOCX, PDF,"
    " EPUB, text)"
)
PLAIN = -1
"""The `method` of the one member of an upload that is no archive."""


def plan_upload(indexing: Indexing, upload: Upload) -> None:
    """Takes an upload from `receiving` or `parked` to its first queued tasks, or to its end with a reason."""
    correlate(upload=upload.id)
    if upload.state in (UploadState.RECEIVING, UploadState.PARKED):
        if _needs_nothing(indexing, upload):
            advance(indexing, upload.id)  # wakes the next one
            return
        if not _begin_loading(indexing, upload.id):
            return
    elif upload.state is not UploadState.LOADING:
        return
    if upload.release_no is None:
        try:
            _plan_tasks(indexing, upload)
        except PermanentError as error:
            logger.warning("upload refused", extra={"upload": upload.id, "reason": str(error)})
            fail_upload(indexing, upload.id, str(error))
            return
    advance(indexing, upload.id)


def _needs_nothing(indexing: Indexing, upload: Upload) -> bool:
    """Ends an upload whose bytes are loaded already, or that is older than what is."""
    with indexing.database.transaction() as connection:
        same = uploads.release_of_same_content(connection, upload, indexing.pipeline)
        if same is not None:
            uploads.finish_upload(connection, upload.id, UploadState.UNCHANGED, same, "the same bytes are loaded")
            return True
        if arrivals.is_superseded(connection, upload.id):
            uploads.finish_upload(connection, upload.id, UploadState.SUPERSEDED, None, arrivals.SUPERSEDED)
            return True
    return False


def _begin_loading(indexing: Indexing, upload_id: str) -> bool:
    """Whether the upload is the source's load now; else it is parked until the load before it ends.

    Parked it tries once more: the load before may have ended just before it saw this one waiting.
    """
    for _ in range(2):
        with indexing.database.transaction() as connection:
            if uploads.begin_loading(connection, upload_id, indexing.pipeline):
                return True
    return False


def _plan_tasks(indexing: Indexing, upload: Upload) -> None:
    """Reads the list of members and stores release and tasks, all in one transaction."""
    archive = _open(indexing, upload)
    if archive is None:
        with indexing.database.transaction() as connection:
            if _lock_unplanned(connection, upload.id):
                reason = "the object was replaced before it was read"
                uploads.finish_upload(connection, upload.id, UploadState.SUPERSEDED, None, reason)
        return
    if archive.staged_version:
        with indexing.database.transaction() as connection:
            uploads.set_staged(connection, upload.id, archive.staged_key, archive.staged_version)
    partial = is_page(upload.key)
    members = [member for member in archive.members if not member.path.startswith(FOLDER)]
    roots = [Root("", RootKind.DOCUMENTATION)] if partial else roots_of(members, archive.content.read_range)
    placed = list(known_members(members, roots))
    if not placed:
        raise PermanentError(f"nothing in this upload is known among its {len(members)} files: {_WANTED}")
    about = describe(members, roots, archive.content.read_range, indexing.limits)
    _require_kind(indexing, upload.source_name, about.kind)
    label = upload.label or about.version or archive.platform
    tasks = _tasks(placed)
    listed = read_listed(
        indexing, archive.content, next((item for item in archive.members if item.path == MANIFEST), None)
    )
    packed = pack_manifest(listed) if listed and listed.hashed == "sha256" else None
    with indexing.database.transaction() as connection:
        locked = _lock_unplanned(connection, upload.id)
        if locked is None:
            return
        if not partial and holds_unsent(connection, indexing, locked, [item.member.document_id for item in placed]):
            return
        release = releases.begin_release(
            connection,
            source_name=upload.source_name,
            kind=about.kind,
            title=about.title,
            label=label or datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
            upload_id=upload.id,
            roots={root.key: root.prefix for root in roots},
            large=sum(item.member.size for item in placed) > LARGE,
        )
        skipped = len(members) - len(placed)
        uploads.attach_release(connection, upload.id, release, read=len(placed), skipped=skipped, partial=partial)
        uploads.insert_tasks(connection, upload.id, tasks)
        content.close_missing_names(connection, release, upload.id)
        uploads.insert_problems(connection, upload.id, archive.problems)
        if packed:
            kept.insert_manifest(connection, upload.id, packed)


def _lock_unplanned(connection: Connection, upload_id: str) -> Upload | None:
    """The upload, locked; None where another planner of the same event was faster."""
    locked = uploads.lock_upload(connection, upload_id)
    return locked if locked.state is UploadState.LOADING and locked.release_no is None else None


def _open(indexing: Indexing, upload: Upload) -> Archive | None:
    """The archive that holds all that the upload brings; None where something newer has taken its place."""
    if upload.key.startswith(SYNC):
        return gather(indexing, upload)
    facts = indexing.objects.facts(upload.bucket, upload.key)
    if facts.version != upload.version:
        return None
    whole = indexing.objects.pinned(upload.bucket, upload.key, upload.version)
    if not is_page(upload.key):
        return complete(indexing, upload, open_archive(indexing, upload, whole, facts.size))
    name = upload.key.rpartition("/")[2]
    return Archive(whole, [Member(name, 0, facts.size, facts.size, facts.size, PLAIN, 0, encrypted=False)], [])


def _require_kind(indexing: Indexing, source_name: str, kind: str) -> None:
    """A source stays what it is: a page beside the dump, or another dump, must not take a configuration's place."""
    with indexing.database.transaction() as connection:
        known = releases.source_kind(connection, source_name)
    if known not in (None, kind):
        raise PermanentError(f"the source {source_name} is of the kind {known}, this upload is of the kind {kind}")


def _tasks(placed: list[Placed]) -> list[Task]:
    """Descriptors alone in wave 1 (their names are read by others), then everything in wave 2."""
    descriptors = [item for item in placed if _wave(item) is Wave.DESCRIPTORS]
    first = list(group_tasks(descriptors, Wave.DESCRIPTORS, 1))
    return [*first, *group_tasks(placed, Wave.CONTENT, len(first) + 1)]


def _wave(item: Placed) -> Wave:
    known = format_of(item.member.kind, item.member.path)
    return known.wave if known else Wave.CONTENT


def plan_message(indexing: Indexing, message: Event) -> None:
    """One message of the plan queue: an EventBridge event of the bucket, or one of our own: `{"upload": id}` for an
    upload that was parked or confirmed, `{"bucket", "key"}` for an object whose event was lost, `{"bucket", "sync":
    source}` for a batch of loose objects that may have come to rest."""
    try:
        if "upload" in message:
            with indexing.database.transaction() as connection:
                upload = uploads.read_upload(connection, message["upload"])
        elif "sync" in message:
            upload = close_batch(indexing, message["bucket"], message["sync"])
        elif "key" in message:
            upload = claim_object(indexing, message["bucket"], message["key"])
        else:
            upload = hear(indexing, message)
    except PermanentError as error:  # gone by now, or put beside the sources: the same however often it is tried
        logger.warning("not an upload", extra={"reason": str(error)})
        return
    if upload is not None:
        plan_upload(indexing, upload)
