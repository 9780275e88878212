"""Tar archives, packed by gzip or not, made into the zip archives that everything else reads.

A tar has no directory and gzip has no places to begin at, so no member can be read by itself; one pass makes it so.
Names, sizes and links are claims of whoever made the archive: each is checked before it is used.

Source: POSIX.1-2017, "pax" (ustar interchange format, extended headers); GNU tar manual, "Basic Tar Format"; RFC 1952.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits
from onec_rag.formats.zip_directory import Record
from onec_rag.formats.zip_names import decode_names, is_litter, path_fault, printable, relative_path


def is_tar(head: bytes) -> bool:
    """Whether a file that begins with these bytes (some thousands of them) is a tar archive, packed by gzip or not."""
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(_GZIP_WINDOW).decompress(head, _BLOCK)
        except zlib.error:
            return False
    return _has_checksum(head[:_BLOCK])


def repack(source: BinaryIO, target: BinaryIO, limits: Limits) -> list[PermanentError]:
    """Write the members of a tar into a zip, in their order, and tell what is wrong with single ones.

    The same tar always gives the same zip; no more than a piece of one member is in memory. Links, devices and members
    with an unsafe path or above a limit are left out and told; folders and litter go silently. Of equal paths the zip
    holds all, and who lists it tells that the last one wins. Raises `PermanentError` when there is nothing to read: no
    tar, damaged, truncated, empty, above a limit.
    """
    problems: list[PermanentError] = []
    entries = 0
    stream = _Stream(_inflated(source, limits))
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=1) as archive:  # time counts here, not the last bytes
        for member in _members(stream):
            path = relative_path(member.name)
            if member.kind == _FOLDER or member.name.endswith("/") or _is_litter(path):
                continue
            entries += 1
            if entries > limits.entries:
                raise PermanentError(f"the archive has more than the {limits.entries} members allowed")
            if reason := _refusal(member, path, limits):
                problems.append(PermanentError(reason, printable(path), f"byte {member.offset}"))
                continue
            archive.NameToInfo.pop(path, None)  # zipfile would warn of a path that occurs again
            with archive.open(_entry(path, member.size), "w") as content:
                for piece in stream.pieces(member.size):
                    content.write(piece)
    if not entries:
        raise PermanentError("the archive is empty")
    return problems


_GZIP, _GZIP_WINDOW = b"\x1f\x8b", 16 + zlib.MAX_WBITS
_BLOCK = 512
_PIECE = 1 << 18  # bytes that are read, inflated and written at a time
_LONGEST_HEADER = 1 << 20  # bytes of an extended header, which holds names
_LONGEST_PATH = 0xFFFF  # bytes, in a zip
_RATIO_FREE_BYTES = 1 << 20  # as in zip archives
_FOLDER, _SPARSE = b"5", b"S"
_EXTENDED, _GLOBAL, _LONG_NAME, _LONG_LINK = b"x", b"g", b"L", b"K"
_CONTENTS = (b"0", b"\0", b"7")
_KINDS = {
    b"1": "hard link",
    b"2": "symbolic link",
    b"3": "device",
    b"4": "device",
    b"6": "pipe",
    _SPARSE: "sparse file",
}
_WITHOUT_DATA = (b"1", b"2", b"3", b"4", b"5", b"6")


class _Member(NamedTuple):
    """What a header says, with what the headers before it say; `offset` is the member's place in the tar."""

    name: str
    kind: bytes
    size: int
    offset: int


@dataclass(slots=True)
class _Stream:
    """Pieces of a tar, read by length; `offset` is where in the tar the next byte is."""

    source: Iterator[bytes]
    piece: bytes = b""
    position: int = 0
    offset: int = 0

    def pieces(self, length: int) -> Iterator[bytes]:
        """So many bytes, not all at once."""
        while length:
            if self.position == len(self.piece):
                self.piece, self.position = next(self.source, b""), 0
                if not self.piece:
                    raise PermanentError("the archive is truncated", place=f"byte {self.offset}")
            part = self.piece[self.position : self.position + length]
            self.position += len(part)
            self.offset += len(part)
            length -= len(part)
            yield part

    def read(self, length: int) -> bytes:
        return b"".join(self.pieces(length))

    def skip_to(self, offset: int) -> None:
        for _ in self.pieces(offset - self.offset):
            pass


def _inflated(source: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """The bytes of the tar, bounded by what comes out of it, whatever it says of itself."""
    taken = given = 0
    first = source.read(_PIECE)
    for packed, piece in _gunzip(first, source) if first.startswith(_GZIP) else _plain(first, source):
        taken += packed
        given += len(piece)
        if given > limits.inflated_bytes:
            raise PermanentError(f"the archive inflates to more than the {limits.inflated_bytes} bytes allowed")
        if given > max(_RATIO_FREE_BYTES, taken * limits.ratio):
            raise PermanentError(f"the archive inflates more than the {limits.ratio} times allowed")
        if piece:
            yield piece


def _plain(data: bytes, source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    while data:
        yield len(data), data
        data = source.read(_PIECE)


def _gunzip(data: bytes, source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """What was read (bytes) and what it inflates to; one gzip stream may follow another, and zeros the last."""
    inflater = zlib.decompressobj(_GZIP_WINDOW)
    read, total = len(data), len(data)
    while True:
        try:
            piece = inflater.decompress(data, _PIECE)
        except zlib.error as error:
            raise PermanentError(f"the gzip data are damaged ({error})", place=f"byte {total - len(data)}") from None
        yield read, piece
        read, data = 0, inflater.unconsumed_tail
        if inflater.eof:
            data = inflater.unused_data.lstrip(b"\0")
        if not data and (inflater.eof or len(piece) < _PIECE):  # else zlib holds more of what it has taken
            data = source.read(_PIECE)
            read = len(data)
            total += read
            if not data and not inflater.eof:
                raise PermanentError("the gzip data are cut: the archive is truncated", place=f"byte {total}")
        if inflater.eof:
            data = data.lstrip(b"\0")
            if not data and not read:
                return
            if data:
                inflater = zlib.decompressobj(_GZIP_WINDOW)


class _Told(NamedTuple):
    """What extended headers tell of the member that follows; nothing, -1 and false where they do not."""

    name: bytes = b""
    size: int = -1
    sparse: bool = False


def _members(stream: _Stream) -> Iterator[_Member]:
    """Every member; what its reader leaves of it is skipped."""
    told = _Told()
    while any(header := stream.read(_BLOCK)):
        offset = stream.offset - _BLOCK
        if not _has_checksum(header):
            raise PermanentError("no header is where one must be: the archive is damaged", place=f"byte {offset}")
        kind, size = header[156:157], _number(header[124:136], offset)
        if kind in (_EXTENDED, _GLOBAL, _LONG_NAME, _LONG_LINK):
            told = _read_extended(stream, kind, size, told)
            continue
        size = told.size if told.size >= 0 else size
        if kind == _SPARSE:
            _skip_map(stream, header)
        end = stream.offset + (0 if kind in _WITHOUT_DATA else size)
        yield _Member(_decode(told.name or _name(header)), _SPARSE if told.sparse else kind, size, offset)
        stream.skip_to(end + -end % _BLOCK)
        told = _Told()
    for _ in stream.source:  # checksums stand at the very end
        pass


def _has_checksum(header: bytes) -> bool:
    """Whether a block is a header: the sum of its bytes, the sum's own place blank, is in it; some take them signed."""
    try:
        sum_told = int(header[148:156].strip(b" \0") or b"-1", 8)
    except ValueError:
        return False
    rest = header[:148] + header[156:]
    total = sum(rest) + 8 * ord(" ")
    return len(header) == _BLOCK and sum_told in (total, total - 256 * sum(byte > 127 for byte in rest))


def _number(field: bytes, offset: int) -> int:
    """A number in octal digits, or in base 256 where its first bit is set."""
    if field[0] & 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    if digits.translate(None, b"01234567"):
        raise PermanentError("a header has no size: the archive is damaged", place=f"byte {offset}")
    return int(digits or b"0", 8)


def _name(header: bytes) -> bytes:
    name, prefix = header[:100].partition(b"\0")[0], header[345:500].partition(b"\0")[0]
    return prefix + b"/" + name if prefix and header[257:263] == b"ustar\0" else name


def _decode(name: bytes) -> str:
    """A name in the encoding that it seems to be in; pax says UTF-8, others say nothing."""
    return decode_names([Record(name, b"", 0, 0, 0, 0, 0, 0)])[0]


def _read_extended(stream: _Stream, kind: bytes, size: int, told: _Told) -> _Told:
    """What a header tells of the next member, with what others told before it."""
    offset = stream.offset
    if size > _LONGEST_HEADER:
        raise PermanentError(f"a header has more than the {_LONGEST_HEADER} bytes allowed", place=f"byte {offset}")
    data = stream.read(size)
    stream.skip_to(stream.offset + -stream.offset % _BLOCK)
    if kind == _LONG_NAME:
        return told._replace(name=data.partition(b"\0")[0])
    if kind != _EXTENDED:
        return told
    facts = dict(_records(data, offset))
    length = facts.get(b"size", b"")
    return _Told(
        facts.get(b"path", told.name),
        int(length) if length.isdigit() and len(length) < 20 else told.size,
        told.sparse or any(key.startswith(b"GNU.sparse.") for key in facts),
    )


def _records(data: bytes, offset: int) -> Iterator[tuple[bytes, bytes]]:
    """Pairs of an extended header, each as `<length of the record> <key>=<value>\\n`."""
    begin = 0
    while begin < len(data):
        digits = data[begin : begin + 10].partition(b" ")[0]
        length = int(digits) if digits.isdigit() else 0
        if length <= len(digits) or begin + length > len(data):
            raise PermanentError("an extended header is damaged", place=f"byte {offset + begin}")
        key, _, value = data[begin + len(digits) + 1 : begin + length - 1].partition(b"=")
        yield key, value
        begin += length


def _skip_map(stream: _Stream, header: bytes) -> None:
    """The blocks that continue the map of a sparse file."""
    goes_on = header[482]
    while goes_on:
        goes_on = stream.read(_BLOCK)[504]


def _is_litter(path: str) -> bool:
    """What macOS leaves in archives, its `._` files among it."""
    return is_litter(path) or path.rpartition("/")[2].startswith("._")


def _refusal(member: _Member, path: str, limits: Limits) -> str:
    """Why a member is not taken, or nothing."""
    if member.kind not in _CONTENTS:
        return f"a {_KINDS.get(member.kind, 'member of an unknown kind')}, not a file"
    if len(path.encode()) > _LONGEST_PATH:
        return f"the path has more than the {_LONGEST_PATH} bytes allowed"
    if member.size > limits.member_bytes:
        return f"the member has {member.size} bytes, more than the {limits.member_bytes} allowed"
    return path_fault(path)


def _entry(path: str, size: int) -> ZipInfo:
    """A member of the zip without time and rights; `zipfile` marks a path in UTF-8 by itself."""
    entry = ZipInfo(path)
    entry.compress_type, entry.file_size, entry.create_system = ZIP_DEFLATED, size, 3
    return entry
