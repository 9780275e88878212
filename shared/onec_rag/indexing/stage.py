"""An upload whose members can't be read by ranges → a zip of its own in the bucket, made once."""

import io
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from onec_rag.aws.objects import PinnedObject
from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, Member, ReadRange, list_members, read_member
from onec_rag.formats.base import RootKind
from onec_rag.formats.bsl import CONTAINER_SIGN
from onec_rag.formats.container import binary_refusal
from onec_rag.formats.hbk import expand
from onec_rag.formats.tar import is_tar, repack
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.compose import BUFFER, RangedFile
from onec_rag.indexing.contents import roots_of
from onec_rag.indexing.keys import staged_key
from onec_rag.model.tasks import Upload

_HEAD = 8192
_PLATFORM = re.compile(r"(?<![\d.])8\.\d+\.\d+\.\d+(?![\d.])")


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip to be read by ranges; `staged_key` and `staged_version` are empty where it is the upload itself.

    `platform` is the version of the platform whose help it holds, where a name tells it (`8.3.27.1859`), else empty.
    """

    content: PinnedObject
    members: Sequence[Member]
    problems: Sequence[PermanentError]
    staged_key: str = ""
    staged_version: str = ""
    platform: str = ""


def open_archive(indexing: Indexing, upload: Upload, content: PinnedObject, size: int) -> Archive:
    """The zip that an upload of `size` bytes is or becomes.

    A tar (packed by gzip or not) and books of the platform's help (.hbk, alone or in a zip) become one. Raises
    `PermanentError` for what is no archive; of a configuration's binary file it tells how to export.
    """
    head = content.read_range(0, min(size, _HEAD))
    name = upload.key.rpartition("/")[2]
    problems: list[PermanentError] = []
    if is_tar(head):
        with tempfile.TemporaryFile() as staged:
            problems = repack(io.BufferedReader(RangedFile(content.read_range, size), BUFFER), staged, indexing.limits)
            return store_archive(indexing, upload, staged, problems, staged_key(upload.id))
    if head.startswith(CONTAINER_SIGN) and _is_book(name):
        pages = expand(content.read_range, size, _book(name), problems)
        return replace(_store_pages(indexing, upload, pages, problems), platform=platform_version(name))
    if refusal := binary_refusal(head):
        raise PermanentError(refusal, name)
    members, problems = list_members(content.read_range, size, indexing.limits)
    books = [member for member in members if _is_book(member.path)]
    if books and all(root.kind is RootKind.DOCUMENTATION for root in roots_of(members, content.read_range)):
        pages = _pages(content, books, indexing.limits, problems)
        version = platform_version(name, *(book.path for book in books))
        return replace(_store_pages(indexing, upload, pages, problems), platform=version)
    return Archive(content, members, problems)


def platform_version(*names: str) -> str:
    """The first version of the platform in names of files and folders, or nothing."""
    return next((found[0] for name in names if (found := _PLATFORM.search(name))), "")


def _is_book(path: str) -> bool:
    return path.lower().endswith(".hbk")


def _book(path: str) -> str:
    """A book's name (`shcntx_ru`) by its file's."""
    return path.rpartition("/")[2][: -len(".hbk")]


def _pages(
    content: PinnedObject, books: Sequence[Member], limits: Limits, problems: list[PermanentError]
) -> Iterator[tuple[str, bytes]]:
    """The pages of every book of a zip; a book that can't be read, or comes again, is a problem of its own."""
    seen = set[str]()
    for member in books:
        book = _book(member.path)
        if book in seen:
            problems.append(PermanentError("a book of this name was read already", member.path))
            continue
        seen.add(book)
        try:
            span = content.read_range(member.offset, member.end - member.offset)
            data = read_member(span, member.offset, member, limits)
            yield from expand(_reader(data), len(data), book, problems)
        except PermanentError as error:
            problems.append(PermanentError(error.reason, member.path, error.place))


def _reader(data: bytes) -> ReadRange:
    return lambda start, length: data[start : start + length]


def _store_pages(
    indexing: Indexing, upload: Upload, pages: Iterable[tuple[str, bytes]], problems: list[PermanentError]
) -> Archive:
    with tempfile.TemporaryFile() as staged:
        with zipfile.ZipFile(staged, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for path, data in pages:
                packed.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
        return store_archive(indexing, upload, staged, problems, staged_key(upload.id))


def store_archive(
    indexing: Indexing, upload: Upload, staged: BinaryIO, problems: Sequence[PermanentError], key: str
) -> Archive:
    """Puts a finished zip into the bucket and lists it, as any upload is."""
    size = staged.seek(0, io.SEEK_END)
    staged.seek(0)
    version = indexing.objects.put(upload.bucket, key, staged)
    content = indexing.objects.pinned(upload.bucket, key, version)
    members, more = list_members(content.read_range, size, indexing.limits)
    return Archive(content, members, [*problems, *more], key, version)
