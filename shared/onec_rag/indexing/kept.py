"""The archive that a source's head release was made of, as far as the next release can take files from it."""

from collections.abc import Mapping
from dataclasses import dataclass

from onec_rag.aws.objects import PinnedObject
from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Member, list_members, read_member
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.manifest import MANIFEST, Manifest, read_manifest
from onec_rag.model.tasks import Upload
from onec_rag.observability import logger
from onec_rag.store import kept


@dataclass(frozen=True, slots=True)
class Kept:
    """An archive with its members by path; `manifest` is None where it holds no list of its files."""

    upload: Upload
    content: PinnedObject
    members: Mapping[str, Member]
    manifest: Manifest | None


def read_kept(indexing: Indexing, source_name: str) -> Kept | None:
    """What the source's head was made of; None where there is no head, or its archive is gone or was repacked."""
    with indexing.database.transaction() as connection:
        head = kept.head_upload(connection, source_name)
    if head is None:
        return None
    content = indexing.objects.pinned(head.bucket, *head.archive)
    try:
        size = indexing.objects.size(head.bucket, *head.archive)
        listed, _ = list_members(content.read_range, size, indexing.limits)
        members = {member.path: member for member in listed}
        return Kept(head, content, members, read_listed(indexing, content, members.get(MANIFEST)))
    except PermanentError as error:
        logger.info("the head's archive can't be used", extra={"upload": head.id, "reason": str(error)})
        return None


def read_listed(indexing: Indexing, content: PinnedObject, member: Member | None) -> Manifest | None:
    """The list of files in an archive; None where it has none."""
    if member is None:
        return None
    span = content.read_range(member.offset, member.end - member.offset)
    return read_manifest(read_member(span, member.offset, member, indexing.limits))
