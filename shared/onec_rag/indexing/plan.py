"""An object of the bucket → an upload with a release and bounded tasks."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Member
from onec_rag.formats.base import Root, RootKind, Wave
from onec_rag.formats.table import format_of
from onec_rag.indexing.activate import advance, fail_upload
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.contents import describe, known_members, roots_of
from onec_rag.indexing.grouping import Placed, group_tasks
from onec_rag.indexing.stage import Archive, open_archive
from onec_rag.model.tasks import Task, Upload, UploadState
from onec_rag.observability import correlate, logger
from onec_rag.store import content, releases, uploads

PREFIX = "uploads/"
SOURCE_NAME = re.compile(r"[^\W_][\w.-]{0,62}")
LARGE = 30 * 1024**2
"""Inflated bytes of known members; about 20,000 chunks, from where a source gets a shard of its own."""
_WANTED = (
    "an export of a configuration or extension to files (Configuration.xml or Configuration.mdo), of an external data"
    " processor or report, books of the platform's help (.hbk), or pages of documentation (Markdown, HTML, DOCX, PDF,"
    " EPUB, text)"
)
PLAIN = -1
"""The `method` of the one member of an upload that is no archive."""


def source_of(key: str) -> str:
    """`uploads/<source>/…/<name>` → the source's name.

    Raises:
        PermanentError: the key is not below `uploads/<source>/`, or the source's name is not one.
    """
    parts = key.split("/")
    if len(parts) < 3 or f"{parts[0]}/" != PREFIX or not SOURCE_NAME.fullmatch(parts[1]) or not parts[-1]:
        raise PermanentError(
            "an upload is put to uploads/<source>/<name>; a source's name has letters, digits, _ . and -", key
        )
    return parts[1]


def plan_object(indexing: Indexing, bucket: str, key: str) -> None:
    """Plans what has arrived in the bucket. The same event again finds the upload and does only what is left."""
    source_name = source_of(key)
    facts = indexing.objects.facts(bucket, key)
    with indexing.database.transaction() as connection:
        upload = uploads.claim_upload(
            connection, new_id=str(uuid4()), source_name=source_name, bucket=bucket, key=key, version=facts.version,
            size=facts.size, label=facts.metadata.get("label"),
        )  # fmt: skip
    plan_upload(indexing, upload)


def plan_upload(indexing: Indexing, upload: Upload) -> None:
    """Takes an upload from `receiving` or `parked` to its first queued tasks, or to its end with a reason."""
    correlate(upload=upload.id)
    if upload.state in (UploadState.RECEIVING, UploadState.PARKED):
        with indexing.database.transaction() as connection:
            same = uploads.release_of_same_content(connection, upload, indexing.pipeline)
            if same is not None:
                uploads.finish_upload(connection, upload.id, UploadState.UNCHANGED, same, "the same bytes are loaded")
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
    whole = indexing.objects.pinned(upload.bucket, upload.key, upload.version)
    facts = indexing.objects.facts(upload.bucket, upload.key)
    if facts.version != upload.version:
        raise PermanentError("the object was replaced before it was read", upload.key)
    name = upload.key.rpartition("/")[2]
    partial = format_of(RootKind.DOCUMENTATION, name) is not None
    if partial:
        _require_documentation(indexing, upload.source_name)
        member = Member(name, 0, facts.size, facts.size, facts.size, PLAIN, 0, encrypted=False)
        archive, roots = Archive(whole, [member], []), [Root("", RootKind.DOCUMENTATION)]
    else:
        archive = open_archive(indexing, upload, whole, facts.size)
        if archive.staged_version:
            with indexing.database.transaction() as connection:
                uploads.set_staged_version(connection, upload.id, archive.staged_version)
        roots = roots_of(archive.members, archive.content.read_range)
    placed = list(known_members(archive.members, roots))
    if not placed:
        raise PermanentError(f"nothing in this upload is known among its {len(archive.members)} files: {_WANTED}")
    about = describe(archive.members, roots, archive.content.read_range, indexing.limits)
    label = upload.label or about.version or archive.platform
    tasks = _tasks(placed)
    with indexing.database.transaction() as connection:
        if uploads.lock_upload(connection, upload.id).release_no is not None:
            return  # the same event was planned by another at the same time
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
        skipped = len(archive.members) - len(placed)
        uploads.attach_release(connection, upload.id, release, read=len(placed), skipped=skipped, partial=partial)
        uploads.insert_tasks(connection, upload.id, tasks)
        content.close_missing_names(connection, release, upload.id)
        uploads.insert_problems(connection, upload.id, archive.problems)


def _require_documentation(indexing: Indexing, source_name: str) -> None:
    """A page alone joins a source of documentation; the roots of a configuration would be lost to it."""
    with indexing.database.transaction() as connection:
        kind = releases.source_kind(connection, source_name)
    if kind not in (None, "documentation"):
        raise PermanentError(f"{source_name} is a {kind}: a single page can be added to documentation only")


def _tasks(placed: list[Placed]) -> list[Task]:
    """Descriptors alone in wave 1 (their names are read by others), then everything in wave 2."""
    descriptors = [item for item in placed if _wave(item) is Wave.DESCRIPTORS]
    first = list(group_tasks(descriptors, Wave.DESCRIPTORS, 1))
    return [*first, *group_tasks(placed, Wave.CONTENT, len(first) + 1)]


def _wave(item: Placed) -> Wave:
    known = format_of(item.member.kind, item.member.path)
    return known.wave if known else Wave.CONTENT


Event = Mapping[str, Any]


def plan_message(indexing: Indexing, message: Event) -> None:
    """One message of the plan queue: an EventBridge event of the bucket, or one of our own, `{"upload": id}` for an
    upload that was parked, `{"bucket", "key"}` for an object whose event was lost."""
    if "upload" in message:
        with indexing.database.transaction() as connection:
            upload = uploads.read_upload(connection, message["upload"])
        if upload is not None:
            plan_upload(indexing, upload)
        return
    if "key" in message:
        bucket, key = message["bucket"], message["key"]
    elif message.get("detail-type") == "Object Created":
        detail = message["detail"]
        # The key is as it is: unlike S3's own notifications, EventBridge does not encode keys.
        bucket, key = detail["bucket"]["name"], detail["object"]["key"]
    else:
        return  # deletions of uploads change no release, test events nothing at all
    if key.startswith(PREFIX):
        try:
            plan_object(indexing, bucket, key)
        except PermanentError as error:  # gone by now, or put beside the sources: the same however often it is tried
            logger.warning("not an upload", extra={"reason": str(error)})
