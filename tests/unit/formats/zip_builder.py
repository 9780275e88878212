"""Zip archives from raw bytes, with any lie in them; `zipfile` writes only true ones and chooses flags by itself."""

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

UTF8, DESCRIPTOR, ENCRYPTED, DIRECTORY_ENCRYPTED = 1 << 11, 1 << 3, 1 << 0, 1 << 13
FULL = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Entry:
    """A member; what is None is told truly. `extra` goes into both headers, `local_extra` only into the local one."""

    name: bytes
    content: bytes = b""
    flags: int = 0
    method: int = 8
    extra: bytes = b""
    local_extra: bytes = b""
    packed: bytes | None = None
    size: int | None = None
    crc: int | None = None
    offset: int | None = None
    zip64: bool = False


def deflate(content: bytes) -> bytes:
    """Compress as zip members are: a raw stream, no zlib header."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush()


def unicode_path(name: bytes, path: str) -> bytes:
    """The extra field 0x7075 for the raw `name`."""
    field = b"\1" + struct.pack("<I", zlib.crc32(name)) + path.encode()
    return struct.pack("<HH", 0x7075, len(field)) + field


def build(
    entries: Iterable[Entry],
    *,
    prefix: bytes = b"",
    gap: bytes = b"",
    comment: bytes = b"",
    zip64: bool = False,
    end64_tail: bytes = b"",
    version_needed: int = 45,
    disk: int = 0,
    count: int | None = None,
) -> bytes:
    """Put members, central directory and end together; offsets do not know of `prefix`, `gap` is before the end."""
    body, directory, number = bytearray(), bytearray(), 0
    for entry in entries:
        number += 1
        packed = entry.packed
        if packed is None:
            packed = deflate(entry.content) if entry.method == 8 else entry.content
        size = len(entry.content) if entry.size is None else entry.size
        crc = zlib.crc32(entry.content) if entry.crc is None else entry.crc
        offset = len(body) if entry.offset is None else entry.offset
        told = (0, 0, 0) if entry.flags & DESCRIPTOR else (crc, len(packed), size)
        local_extra = entry.extra + entry.local_extra
        body += struct.pack(
            "<4s5H3I2H", b"PK\3\4", 20, entry.flags, entry.method, 0, 33, *told, len(entry.name), len(local_extra)
        )
        body += entry.name + local_extra + packed
        if entry.flags & DESCRIPTOR:
            body += struct.pack("<4s3I", b"PK\7\x08", crc, len(packed), size)
        numbers, extra = (len(packed), size, offset), entry.extra
        if entry.zip64:
            extra = struct.pack("<HH3Q", 1, 24, size, len(packed), offset) + extra
            numbers = (FULL, FULL, FULL)
        directory += struct.pack("<4s6H3I", b"PK\1\2", 20, 20, entry.flags, entry.method, 0, 33, crc, *numbers[:2])
        directory += struct.pack("<5H2I", len(entry.name), len(extra), 0, 0, 0, 0, numbers[2]) + entry.name + extra
    number = number if count is None else count
    end = (disk, disk, number, number, len(directory), len(body))
    archive = prefix + bytes(body) + bytes(directory) + gap
    if zip64:
        begin = len(body) + len(directory) + len(gap)  # as the writer of the archive saw it, before the prefix
        archive += struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44 + len(end64_tail), 45, version_needed, *end) + end64_tail
        archive += struct.pack("<4sIQI", b"PK\6\7", 0, begin, 1)
        end = (disk, disk, 0xFFFF, 0xFFFF, FULL, FULL)
    return archive + struct.pack("<4s4H2IH", b"PK\5\6", *end, len(comment)) + comment
