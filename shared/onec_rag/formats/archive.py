"""Zip archives over ranged reads: list the members, then read the bytes of each.

Two reads list any usual archive (its end, its central directory), so an upload is planned without being fetched.
Sizes, offsets and names in an archive are claims of whoever made it: each is checked before it is used. No member
gives more bytes than it declares and the declared total is bounded, so what a task inflates is at most the sum of
its members' `size`.

Source: PKWARE APPNOTE.TXT 6.3.10 (4.3.7 local header, 4.4.4 flags, 4.4.5 methods).
"""

import struct
import zlib
from bisect import bisect_right
from dataclasses import dataclass

from onec_rag.errors import PermanentError
from onec_rag.formats.zip_directory import ReadRange, read_directory
from onec_rag.formats.zip_names import decode_names, is_litter, path_fault, printable, relative_path

__all__ = ["HEAD", "Limits", "Member", "ReadRange", "list_members", "read_head", "read_member"]

HEAD = 4096
"""Bytes that tell what a member is."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold; the defaults admit a real dump of 811 MB in 33,000 files, packed ten times.

    `inflated_bytes` bounds the sum of all declared sizes, `ratio` the inflated bytes per packed byte of a member
    above 1 MiB, `directory_bytes` the central directory, which listing keeps in memory.
    """

    entries: int = 200_000
    inflated_bytes: int = 4 << 30
    member_bytes: int = 256 << 20
    ratio: int = 200
    directory_bytes: int = 64 << 20


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive.

    `path` is NFC, relative, with `/`. Header and data lie in the archive's bytes `offset` to `end` (exclusive), where
    the next header or the central directory begins; members whose `end` and `offset` meet can be read together.
    """

    path: str
    offset: int
    end: int
    compressed_size: int
    size: int
    method: int
    crc: int
    encrypted: bool


def list_members(read: ReadRange, size: int, limits: Limits) -> tuple[list[Member], list[PermanentError]]:
    """List an archive of `size` bytes: its files in the order of their offsets, and what is wrong with single ones.

    A member that can't be taken (unsafe path, overlapping data) is left out and told as a problem. Of equal paths the
    last one wins, which is a problem too. Folders and the litter of macOS and Windows are dropped silently.
    Raises `PermanentError` when there is nothing to read: no zip, truncated, empty, split, encrypted, above a limit.
    """
    records, directory_begin = read_directory(read, size, limits.entries, limits.directory_bytes)
    if sum(record.size for record in records) > limits.inflated_bytes:
        raise PermanentError(f"the archive declares more than the {limits.inflated_bytes} inflated bytes allowed")
    borders = sorted({directory_begin, *(record.offset for record in records if record.offset < directory_begin)})
    members: dict[str, Member] = {}
    problems: list[PermanentError] = []
    for record, name in zip(records, decode_names(records), strict=True):
        path = relative_path(name)
        if name.endswith(("/", "\\")) or is_litter(path):
            continue
        following = bisect_right(borders, record.offset)
        end = borders[following] if following < len(borders) else record.offset
        place = f"byte {record.offset}"
        reason = path_fault(path)
        if record.offset + _LOCAL_HEADER.size + record.compressed_size > end:
            reason = reason or "the member overlaps what follows it: the archive is damaged"
        if reason:
            problems.append(PermanentError(reason, printable(path), place))
            continue
        if path in members:
            problems.append(PermanentError("the path occurs more than once; the last one is taken", path, place))
        encrypted = bool(record.flags & _ENCRYPTED)
        members[path] = Member(
            path, record.offset, end, record.compressed_size, record.size, record.method, record.crc, encrypted
        )
    if not members and not problems:
        raise PermanentError("the archive is empty")
    return sorted(members.values(), key=lambda member: member.offset), problems


def read_member(data: bytes, start: int, member: Member, limits: Limits) -> bytes:
    """Give the member's bytes from `data`, a range of the archive that begins at byte `start` and covers the member.

    Inflating stops at the declared size, which must be within the limits. Raises `PermanentError` with path and place
    for a member that is encrypted, packed by an unknown method, above a limit, truncated or damaged.
    """
    reason = _refusal(member, limits)
    if reason:
        raise _error(member, reason)
    packed = _packed(data, start, member)
    if member.method == _STORED:
        content = bytes(packed)
    else:
        try:
            # One byte more than declared, to see a lie; zlib stops there, whatever would follow.
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, member.size + 1)
        except zlib.error as error:
            raise _error(member, f"the member's data are damaged ({error})") from error
    if len(content) != member.size:
        relation = "more" if len(content) > member.size else "less"
        raise _error(member, f"the member holds {relation} than the {member.size} bytes it declares")
    if zlib.crc32(content) != member.crc:
        raise _error(member, "the member's checksum is wrong: the archive is damaged")
    return content


def read_head(data: bytes, member: Member) -> bytes:
    """The member's first bytes, as many as `data` (the archive from the member's offset on) gives; none where it can't
    be read."""
    if member.encrypted or member.method not in (_STORED, _DEFLATED) or len(data) < _LOCAL_HEADER.size:
        return b""
    _, name_length, extra_length = _LOCAL_HEADER.unpack_from(data)
    packed = data[_LOCAL_HEADER.size + name_length + extra_length :][: member.compressed_size]
    try:
        return packed if member.method == _STORED else zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, HEAD)
    except zlib.error:
        return b""


_STORED, _DEFLATED = 0, 8
_METHODS = {1: "Shrink", 6: "Implode", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "zstd", 95: "xz", 98: "PPMd"}
_ENCRYPTED = 1 << 0
_RATIO_FREE_BYTES = 1 << 20  # small files of repeated text do inflate a thousand times
_LOCAL_HEADER = struct.Struct("<4s22xHH")  # signature, (the central directory tells the rest), name and extra lengths


def _error(member: Member, reason: str) -> PermanentError:
    return PermanentError(reason, member.path, f"byte {member.offset}")


def _refusal(member: Member, limits: Limits) -> str:
    """Why the member must not be inflated, or nothing."""
    if member.encrypted:
        return "the member is encrypted"
    if member.method not in (_STORED, _DEFLATED):
        method = _METHODS.get(member.method, f"method {member.method}")
        return f"the member is packed by {method}; only stored and deflated members can be read"
    if member.size > limits.member_bytes:
        return f"the member declares {member.size} bytes, more than the {limits.member_bytes} allowed"
    if member.size > max(_RATIO_FREE_BYTES, member.compressed_size * limits.ratio):
        return f"the member inflates more than the {limits.ratio} times allowed"
    return ""


def _packed(data: bytes, start: int, member: Member) -> memoryview:
    header = member.offset - start
    if header < 0 or header + _LOCAL_HEADER.size > len(data):
        raise _error(member, "the member's header lies outside the bytes read: the archive is truncated")
    signature, name_length, extra_length = _LOCAL_HEADER.unpack_from(data, header)
    if signature != b"PK\3\4":
        raise _error(member, "no member begins where the central directory says: the archive is damaged")
    begin = header + _LOCAL_HEADER.size + name_length + extra_length
    packed = memoryview(data)[begin : min(begin + member.compressed_size, member.end - start)]
    if len(packed) < member.compressed_size:
        raise _error(member, "the member's data are cut: the archive is truncated or damaged")
    return packed
