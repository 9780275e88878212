"""One task: read its range, parse, chunk, compare with the head, store; done once, in one transaction."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onec_rag.errors import PermanentError, ProtectedError
from onec_rag.formats.archive import Member, read_member
from onec_rag.formats.base import Wave
from onec_rag.formats.table import format_of
from onec_rag.indexing.activate import advance, fail_upload
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.facts import read_facts
from onec_rag.indexing.plan import PLAIN
from onec_rag.indexing.prepare import document_row, membership_rows, name_rows
from onec_rag.model.code import Module
from onec_rag.model.document import Document
from onec_rag.model.metadata import MetadataObject, walk_fields
from onec_rag.model.rows import DocumentRow
from onec_rag.model.tasks import Release, Task, TaskCounts, TaskMember, Upload
from onec_rag.store import content, releases, uploads


@dataclass(frozen=True, slots=True)
class ReadMember:
    """A member that was read; `document` is None where the file holds nothing."""

    member: TaskMember
    data: bytes
    document: Document | None


Problem = tuple[TaskMember, PermanentError]


def process_task(indexing: Indexing, upload_id: str, task_no: int) -> None:
    """Does a task of an upload, then whatever its end makes possible. A task that is done is not done again."""
    with indexing.database.transaction() as connection:
        upload = uploads.read_upload(connection, upload_id)
        task = uploads.read_task(connection, upload_id, task_no)
        if upload and task and upload.source_id and upload.release_no:
            release = releases.read_release(connection, upload.source_id, upload.release_no)
        else:
            task = None
    if upload is None:
        return
    if task is not None:
        try:
            read, problems = _read_members(indexing, upload, task)
        except PermanentError as error:  # the archive itself is gone or changed
            fail_upload(indexing, upload_id, str(error))
            return
        if task.wave == Wave.DESCRIPTORS:
            _store_names(indexing, upload_id, release, task, read)
        else:
            rows = _chunk(indexing, release, read)
            _store_documents(indexing, upload_id, release, task, read, rows, problems)
    advance(indexing, upload_id)


def _read_members(indexing: Indexing, upload: Upload, task: Task) -> tuple[list[ReadMember], list[Problem]]:
    pinned = indexing.objects.pinned(upload.bucket, *upload.archive)
    span = pinned.read_range(task.first_byte, task.end_byte - task.first_byte)
    read, problems = [], list[Problem]()
    for member in task.members:
        known = format_of(member.kind, member.path)
        try:
            data = span if member.method == PLAIN else _inflate(indexing, span, task, member)
            read.append(ReadMember(member, data, known.read(member.path, data) if known else None))
        except PermanentError as error:
            problems.append((member, error))
    return read, problems


def _inflate(indexing: Indexing, span: bytes, task: Task, member: TaskMember) -> bytes:
    archived = Member(
        member.path, member.offset, task.end_byte, member.compressed_size, member.size, member.method, member.crc,
        encrypted=member.encrypted,
    )  # fmt: skip
    return read_member(span, task.first_byte, archived, indexing.limits)


def _store_names(indexing: Indexing, upload_id: str, release: Release, task: Task, read: Sequence[ReadMember]) -> None:
    """Wave 1: what others will read. Problems are told by wave 2, which reads the same files again."""
    owners = [
        (item.member, item.document, item.document.content)
        for item in read
        if item.document is not None and isinstance(item.document.content, MetadataObject)
    ]
    with indexing.database.transaction() as connection:
        if not uploads.finish_task(connection, upload_id, task.no):
            return
        content.write_names(
            connection,
            release,
            [item.member.document_id for item in read],
            [row for member, document, owner in owners
             for row in name_rows(member.document_id, member.root, document, owner)],
            [row for member, _, owner in owners for row in membership_rows(member.document_id, owner)],
        )  # fmt: skip


def _chunk(indexing: Indexing, release: Release, read: Sequence[ReadMember]) -> list[DocumentRow]:
    """The documents' chunks, with the facts that wave 1 has gathered from all files."""
    found = [(item, item.document) for item in read if item.document is not None]
    with indexing.database.transaction() as connection:
        facts = read_facts(connection, release, [document for _, document in found], indexing.window)
    return [
        document_row(
            item.member.document_id,
            item.member.root,
            item.data,
            document,
            facts.chunks(item.member.root, document),
            adopted=facts.adopted(item.member.root, document),
        )
        for item, document in found
    ]


def _store_documents(
    indexing: Indexing,
    upload_id: str,
    release: Release,
    task: Task,
    read: Sequence[ReadMember],
    rows: Sequence[DocumentRow],
    problems: Sequence[Problem],
) -> None:
    """Wave 2: documents and chunks against the head, what could not be read, and the task's end, all or nothing."""
    told = [PermanentError(error.reason, _shown(release, member), error.place) for member, error in problems]
    with indexing.database.transaction() as connection:
        if not uploads.finish_task(connection, upload_id, task.no):
            return
        new, kept, closed = content.write_documents(
            connection,
            release,
            upload_id,
            rows,
            unreadable=[member.document_id for member, error in problems if not isinstance(error, ProtectedError)],
            gone=[
                *(item.member.document_id for item in read if item.document is None),
                *(member.document_id for member, error in problems if isinstance(error, ProtectedError)),
            ],
        )
        uploads.insert_problems(connection, upload_id, told)
        uploads.record_counts(
            connection,
            upload_id,
            task.no,
            TaskCounts(
                documents=len(rows),
                empty=len(read) - len(rows),
                problems=len(problems),
                chunks_new=new,
                chunks_kept=kept,
                chunks_closed=closed,
                found=_found(item.document for item in read if item.document is not None),
            ),
        )


def _shown(release: Release, member: TaskMember) -> str:
    """The member's path as the uploader knows it."""
    return release.roots.get(member.root, "") + member.path


def _found(documents: Iterator[Document]) -> dict[str, int]:
    """How many of what a 1C developer counts: documents by kind, objects, fields and procedures."""
    found: Counter[str] = Counter()
    for document in documents:
        found[f"documents.{document.kind}"] += 1
        match document.content:
            case MetadataObject() as owner:
                found.update(f"fields.{item.kind}" for _, item in walk_fields(owner))
            case Module() as module:
                found["procedures"] += len(module.procedures)
                found["procedures.export"] += sum(item.export for item in module.procedures)
    return dict(found)
