"""What is damaged: every fixture with the format that reads it, and archives of fixtures with what opens them."""

import io
import struct
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, list_members, read_member
from onec_rag.formats.hbk import expand
from onec_rag.formats.table import FORMATS, format_of
from onec_rag.formats.tar import repack
from onec_rag.model.document import Document

_PACKED = 40
"""Fixtures in an archive."""
_CONTENTS = '\ufeff{2,\r\n{1,0,1,2,{0,0,{1,1,{"ru","Ёлка"}},""}},\r\n{2,1,0,{0,0,{1,1,{"ru","Игрушка"}},"/a.html"}}}'


@dataclass(frozen=True, slots=True)
class Seed:
    """A file and who reads it: `reader` names the kind of root and the format."""

    reader: str
    path: str
    data: bytes
    read: Callable[[str, bytes], Document | None]


def seeds_of(folder: Path) -> list[Seed]:
    """The fixtures below `<folder>/<kind of root>` that a row of `FORMATS` recognises, and archives of them."""
    seeds = []
    for kind in FORMATS:
        for file in sorted(path for path in (folder / kind).rglob("*") if path.is_file()):
            path = unicodedata.normalize("NFC", file.relative_to(folder / kind).as_posix())
            if row := format_of(kind, path):
                seeds.append(Seed(f"{kind} {row.name}", path, file.read_bytes(), row.read))
    return [*seeds, *_archives({seed.path: seed.data for seed in seeds[:_PACKED]})]


def _archives(files: Mapping[str, bytes]) -> Iterator[Seed]:
    stored, deflated = _zip(files, zipfile.ZIP_STORED), _zip(files, zipfile.ZIP_DEFLATED)
    yield Seed("archive zip", "а.zip", stored, _open_zip)
    yield Seed("archive zip", "а.zip", deflated, _open_zip)
    for name, mode in (("а.tar", "w"), ("а.tar.gz", "w:gz")):
        yield Seed("archive tar", name, _tar(files, mode), _repack_tar)
    book = {
        "Book": '\ufeff{7,"PlatformHelp",{1,1,{"#","Help"}},1,"CONFIG",{1,0},0}'.encode(),
        "PackBlock": _zip({"toc": _CONTENTS.encode()}, zipfile.ZIP_DEFLATED),
        "FileStorage": _zip({"a.html": "<h1 class=V8SH_pagetitle>Игрушка</h1>".encode()}, zipfile.ZIP_DEFLATED),
    }
    yield Seed("archive hbk", "а_ru.hbk", _container(book), _open_book)


def _zip(files: Mapping[str, bytes], method: int) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path), data, method)
    return packed.getvalue()


def _tar(files: Mapping[str, bytes], mode: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for path, data in files.items():
            about = tarfile.TarInfo(path)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))
    return packed.getvalue()


def _container(elements: Mapping[str, bytes]) -> bytes:
    """A v8 container of 32 bits, every block in one page."""
    nowhere = 0x7FFFFFFF
    bodies, records = b"", b""
    begin = 16 + len(_block(bytes(12 * len(elements))))
    for name, data in elements.items():
        head = _block(bytes(20) + name.encode("utf-16-le") + bytes(6))
        address = begin + len(bodies)
        records += struct.pack("<3I", address, address + len(head), nowhere)
        bodies += head + _block(data)
    return struct.pack("<4I", nowhere, 512, 0, 0) + _block(records) + bodies


def _block(data: bytes) -> bytes:
    return f"\r\n{len(data):08x} {len(data):08x} 7fffffff \r\n".encode() + data


def _open_zip(path: str, data: bytes) -> None:
    """Reads every member; what is wrong with one has the member's path, and is swallowed here."""
    limits = Limits()
    try:
        members, _ = list_members(lambda offset, length: data[offset : offset + length], len(data), limits)
    except PermanentError as error:
        raise PermanentError(error.reason, path, error.place) from None
    for member in members:
        with suppress(PermanentError):
            read_member(data[member.offset : member.end], member.offset, member, limits)


def _repack_tar(path: str, data: bytes) -> None:
    try:
        repack(io.BytesIO(data), io.BytesIO(), Limits())
    except PermanentError as error:
        raise PermanentError(error.reason, path, error.place) from None


def _open_book(path: str, data: bytes) -> None:
    """Takes every page out."""
    try:
        for _ in expand(lambda offset, length: data[offset : offset + length], len(data), "а_ru", []):
            pass
    except PermanentError as error:
        raise PermanentError(error.reason, path, error.place) from None
