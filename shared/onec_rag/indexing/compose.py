"""A new archive out of members of others: what is unchanged is copied as it is packed, read in large ranges."""

import io
import struct
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING
from zipfile import ZipFile, ZipInfo

from onec_rag.formats.archive import Member, ReadRange

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER = 4 << 20
"""Bytes of one ranged read."""
_BLOCK = 1 << 20
_LOCAL_HEADER = struct.Struct("<26xHH")  # the lengths of name and extra field end it


class RangedFile(io.RawIOBase):
    """Bytes that are read by ranges, as a file of `size` bytes."""

    def __init__(self, read: ReadRange, size: int) -> None:
        self._read, self._size, self._position = read, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        return self._position

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        data = self._read(self._position, max(min(len(view), self._size - self._position), 0))
        view[: len(data)] = data
        self._position += len(data)
        return len(data)


def copy_members(read: ReadRange, members: Iterable[Member], target: ZipFile) -> None:
    """Copies members of one archive into a new one without unpacking them.

    Raises:
        PermanentError: the archive is gone or was replaced.
    """
    ordered = sorted(members, key=lambda member: member.offset)
    source = io.BufferedReader(RangedFile(read, max((member.end for member in ordered), default=0)), BUFFER)
    for member in ordered:
        source.seek(member.offset)
        name_length, extra_length = _LOCAL_HEADER.unpack(source.read(_LOCAL_HEADER.size))
        source.read(name_length + extra_length)
        _append(target, member, source)


def _append(target: ZipFile, member: Member, packed: IO[bytes]) -> None:
    """`ZipFile.open` would pack the bytes again; these are its steps without that."""
    info = ZipInfo(member.path)
    info.compress_type, info.CRC, info.flag_bits = member.method, member.crc, int(member.encrypted)
    info.compress_size, info.file_size = member.compressed_size, member.size
    file = target.fp
    if file is None:
        raise ValueError("the new archive is closed")
    file.seek(target.start_dir)
    info.header_offset = file.tell()
    file.write(info.FileHeader())
    left = member.compressed_size
    while left and (block := packed.read(min(left, _BLOCK))):
        file.write(block)
        left -= len(block)
    target.start_dir = file.tell()
    target.filelist.append(info)
    target.NameToInfo[info.filename] = info
