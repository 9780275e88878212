"""The central directory of a zip archive: where it is, whether it can be trusted, its raw records.

Source: PKWARE APPNOTE.TXT 6.3.10 (4.3.12 central header, 4.3.14 to 4.3.16 end records, 4.5.3 zip64 field, 7.3
encrypted directory).
"""

import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

from onec_rag.errors import PermanentError

ReadRange = Callable[[int, int], bytes]
"""(offset, length) → exactly these bytes of the archive."""


class Record(NamedTuple):
    """What is used of a central header.

    `name` is as written, `unicode_path` the extra field 0x7075 or nothing; `offset` is that of the local header, from
    the start of the file.
    """

    name: bytes
    unicode_path: bytes
    flags: int
    method: int
    crc: int
    compressed_size: int
    size: int
    offset: int


def read_directory(read: ReadRange, size: int, entries_allowed: int, bytes_allowed: int) -> tuple[list[Record], int]:
    """Read the records of an archive of `size` bytes, and the byte where its central directory begins.

    One read for a small archive, two for others, three where a zip64 end is unusually long. Raises
    `PermanentError` for what is no archive, and for one that is empty, split, damaged, encrypted or above a limit.
    """
    archive = _Archive(read, size)
    failure: PermanentError | None = None
    for position in archive.end_positions():
        try:
            directory = _locate(archive, _read_end(archive, position), bytes_allowed)
            return _parse(directory, entries_allowed), directory.begin
        except PermanentError as error:
            failure = failure or error
    raise failure or _not_an_archive(archive)


# Fields that are not used (times, versions, attributes) are skipped with `x`.
_CENTRAL = struct.Struct("<4s4xHH4xIIIHHH8xI")  # …, flags, method, crc, packed, size, three lengths, offset
_END = struct.Struct("<4sHHHHIIH")  # …, disk, directory's disk, entries on it, entries, bytes, offset, comment length
_LOCATOR = struct.Struct("<4s4xQ4x")  # …, offset of the zip64 end
_END64 = struct.Struct("<4sQ2xHIIQQQQ")  # …, bytes that follow, version needed, then as in _END
_CENTRAL_SIGNATURE, _END_SIGNATURE, _LOCATOR_SIGNATURE, _END64_SIGNATURE = b"PK\1\2", b"PK\5\6", b"PK\6\7", b"PK\6\6"

_TAIL_BYTES = _END64.size + _LOCATOR.size + _END.size + 0xFFFF  # a comment's length has 16 bits
_END_CANDIDATES = 4  # a comment may hold any number of false ends, and each may cost a read
_NO_VALUE = 0xFFFFFFFF  # the value is in the zip64 field
_ZIP64_FIELD, _UNICODE_PATH_FIELD = 0x0001, 0x7075
_DIRECTORY_ENCRYPTED = 1 << 13


class _Archive:
    """Ranged reads, with the archive's tail kept: it holds the first answers, and often all of them."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self.size = size
        self._read = read
        self._tail_begin = max(0, size - _TAIL_BYTES)
        self._tail = read(self._tail_begin, size - self._tail_begin) if size else b""

    def take(self, offset: int, length: int) -> bytes:
        if offset >= self._tail_begin:
            data = self._tail[offset - self._tail_begin :][:length]
        else:
            data = self._read(offset, length)
        if len(data) != length:
            raise PermanentError("the archive is truncated", place=f"byte {offset}")
        return data

    def end_positions(self) -> list[int]:
        """Where an end record may be, last first, but before all others those whose comment ends with the file."""
        exact: list[int] = []
        followed: list[int] = []
        position = self._tail.rfind(_END_SIGNATURE)
        while position >= 0:
            comment = position + _END.size
            left = len(self._tail) - comment - int.from_bytes(self._tail[comment - 2 : comment], "little")
            if left >= 0:
                (followed if left else exact).append(self._tail_begin + position)
            position = self._tail.rfind(_END_SIGNATURE, 0, position)
        return (exact + followed)[:_END_CANDIDATES]


class _End(NamedTuple):
    """What the end record (or the zip64 one) says; `begin` is where it begins, and so where the directory ends."""

    begin: int
    entries: int
    length: int
    offset: int


class _Directory(NamedTuple):
    """The central directory's bytes; `shift` is the length of what was put before the archive."""

    data: bytes
    begin: int
    shift: int
    entries: int


def _read_end(archive: _Archive, position: int) -> _End:
    begin = position
    _, disk, directory_disk, entries_here, entries, length, offset, _ = _END.unpack(archive.take(position, _END.size))
    wide = _read_end64(archive, position - _LOCATOR.size)
    if wide:
        begin, record = wide
        _, rest, version, disk, directory_disk, entries_here, entries, length, offset = _END64.unpack(record)
        # Since version 6.2 a longer record tells how the directory is packed and encrypted.
        if version & 0xFF >= 62 and rest + 12 > _END64.size:
            raise PermanentError("the archive's central directory is encrypted")
    if disk or directory_disk or entries_here != entries:
        raise PermanentError("the archive is split into several files")
    return _End(begin, entries, length, offset)


def _read_end64(archive: _Archive, locator: int) -> tuple[int, bytes] | None:
    """Where the zip64 end begins and its bytes, if there is a locator that leads to one."""
    if locator < 0:
        return None
    signature, told = _LOCATOR.unpack(archive.take(locator, _LOCATOR.size))
    if signature != _LOCATOR_SIGNATURE:
        return None
    # Usually it is right before its locator, whatever the prefix; a longer one is only where the locator tells.
    for begin in (locator - _END64.size, told):
        if 0 <= begin <= locator - _END64.size:
            record = archive.take(begin, _END64.size)
            if record.startswith(_END64_SIGNATURE):
                return begin, record
    return None


def _locate(archive: _Archive, end: _End, bytes_allowed: int) -> _Directory:
    if not end.length:
        raise PermanentError("the archive is empty")
    if end.length > bytes_allowed:
        raise PermanentError(f"the central directory has {end.length} bytes, more than the {bytes_allowed} allowed")
    place = f"byte {end.offset}"
    shift = end.begin - end.length - end.offset
    if shift < 0:
        raise PermanentError("the archive is truncated: its central directory does not fit", place=place)
    # The directory ends where the end record begins, so what its offset lacks was put before the archive (a
    # self-extracting program); if it is not there, something stands between the two.
    for prefix in dict.fromkeys((shift, 0)):
        data = archive.take(end.offset + prefix, end.length)
        if data.startswith(_CENTRAL_SIGNATURE):
            return _Directory(data, end.offset + prefix, prefix, end.entries)
    raise PermanentError("no central directory is where the archive's end says: the archive is damaged", place=place)


def _parse(directory: _Directory, entries_allowed: int) -> list[Record]:
    data, position = directory.data, 0
    records: list[Record] = []
    while position < len(data):
        place = f"byte {directory.begin + position}"
        names = position + _CENTRAL.size
        if names > len(data):
            raise PermanentError("the central directory is cut: the archive is damaged", place=place)
        signature, flags, method, crc, packed, size, name_length, extra_length, comment_length, offset = (
            _CENTRAL.unpack_from(data, position)
        )
        extras = names + name_length
        position = extras + extra_length + comment_length
        if signature != _CENTRAL_SIGNATURE or position > len(data):
            raise PermanentError("the central directory is damaged", place=place)
        if flags & _DIRECTORY_ENCRYPTED:
            raise PermanentError("the archive's central directory is encrypted", place=place)
        if len(records) == entries_allowed:
            raise PermanentError(f"the archive holds more than the {entries_allowed} entries allowed")
        fields = _extra_fields(data[extras : extras + extra_length])
        size, packed, offset = _widen((size, packed, offset), fields.get(_ZIP64_FIELD, b""))
        unicode_path = fields.get(_UNICODE_PATH_FIELD, b"")
        offset += directory.shift
        records.append(Record(data[names:extras], unicode_path, flags, method, crc, packed, size, offset))
    # Writers that know no zip64 count modulo 65,536.
    if (len(records) - directory.entries) % 0x10000:
        raise PermanentError(f"the archive is damaged: {len(records)} entries, but {directory.entries} are declared")
    return records


def _extra_fields(extra: bytes) -> dict[int, bytes]:
    fields: dict[int, bytes] = {}
    position = 0
    while position + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, position)
        fields.setdefault(kind, extra[position + 4 : position + 4 + length])
        position += 4 + length
    return fields


def _widen(values: Sequence[int], field: bytes) -> list[int]:
    """Fill in from the zip64 field, which holds, in this order, only the values that the header has no room for."""
    wide = (number for (number,) in struct.iter_unpack("<Q", field[: len(field) // 8 * 8]))
    return [next(wide, value) if value == _NO_VALUE else value for value in values]


_SIGNATURES = (
    (b"rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\x1f\x8b", "a gzip file (tar.gz?)"),
    (b"bzh", "a bzip2 file"),
    (b"\xfd7zxz\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\xff\xff\xff\x7f", "a binary file of 1C (cf, cfe, epf, erf): export it to files"),
    (b"1cibdmpf", "an infobase dump of 1C (dt): export the configuration to files"),
    (b"1cdbmsv8", "an infobase of 1C (1CD): export the configuration to files"),
    (b"%pdf", "a PDF document"),
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"<?xml", "an XML document"),
)


def _not_an_archive(archive: _Archive) -> PermanentError:
    if not archive.size:
        return PermanentError("not a zip archive: the file is empty")
    head = archive.take(0, min(archive.size, 512))
    if head.startswith(b"PK\7\x08"):
        return PermanentError("the archive is split into several files")
    if head.startswith(b"PK\3\4"):
        return PermanentError("the archive is truncated: it begins like a zip, but its end is missing")
    if head[257:262] == b"ustar":
        return PermanentError("not a zip archive: it seems to be a tar archive")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for signature, name in _SIGNATURES:
        if start.startswith(signature):
            return PermanentError(f"not a zip archive: it seems to be {name}")
    return PermanentError("not a zip archive: it has no end record")
