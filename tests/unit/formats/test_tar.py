"""Tar archives as programs and attackers write them: what comes into the zip, and what is refused by which words."""

import gzip
import io
import random
import struct
import tarfile
import tracemalloc
import unicodedata
import zipfile
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, list_members, read_member
from onec_rag.formats.tar import is_tar, repack

LONG = "/".join(["ОченьДлиннаяПапка"] * 20) + "/Модуль.bsl"
FORMATS = [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT]


def tar(members: Iterable[tuple[str | tarfile.TarInfo, bytes]], format_: int = tarfile.PAX_FORMAT) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format_, encoding="utf-8") as archive:
        for member, content in members:
            entry = tarfile.TarInfo(member) if isinstance(member, str) else member
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def header(name: bytes = b"a", size: bytes = b"00000000000\0", kind: bytes = b"0", tail: bytes = b"") -> bytes:
    """A header by hand, as programs before POSIX wrote it; its checksum is right."""
    block = name.ljust(100, b"\0") + b"0000644\0" * 3 + size + b"00000000000\0" + b" " * 8 + kind
    block = (block + b"\0" * 100 + tail).ljust(512, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def repacked(data: bytes, limits: Limits | None = None) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """What is in the zip, read as any other, and the problems told."""
    limits = limits or Limits()
    target = io.BytesIO()
    problems = repack(io.BytesIO(data), target, limits)
    archive = target.getvalue()
    members, more = list_members(lambda offset, length: archive[offset : offset + length], len(archive), limits)
    contents = {member.path: read_member(archive, 0, member, limits) for member in members}
    return contents, [(error.path, error.reason) for error in (*problems, *more)]


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("packed", [False, True])
def test_members_come_into_the_zip_with_their_names(format_: int, packed: bool) -> None:
    files = {"src/cf/Ёлка й.xml": "ё".encode() * 1_000, "пусто.bsl": b"", "plain.txt": b"a" * 512}
    data = tar(files.items(), format_)
    assert repacked(gzip.compress(data) if packed else data) == (files, [])


@pytest.mark.parametrize("format_", FORMATS[1:])
def test_long_names_are_whole(format_: int) -> None:
    assert repacked(tar([(LONG, b"a"), ("б", b"b")], format_)) == ({LONG: b"a", "б": b"b"}, [])


def test_a_name_in_two_parts_is_whole() -> None:
    name = "a" * 90 + "/" + "b" * 90
    assert repacked(tar([(name, b"")], tarfile.USTAR_FORMAT))[0] == {name: b""}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        (unicodedata.normalize("NFD", "Ёй/а").encode(), "Ёй/а"),
        ("Справочники".encode("cp866"), "Справочники"),
        ("Справочники".encode("cp1251"), "Справочники"),
        (b"./a//b/./c", "a/b/c"),
        (b"/a\\b", "a/b"),
        (b"C:\\a", "a"),
    ],
)
def test_names_are_made_relative_nfc_and_readable(name: bytes, path: str) -> None:
    assert repacked(header(name) + b"\0" * 1024) == ({path: b""}, [])


def test_folders_and_litter_go_silently() -> None:
    names = ["__MACOSX/a", "a/._b", "a/.DS_Store", "Thumbs.db", "v7/"]
    data = tar([(special("папка", tarfile.DIRTYPE), b""), *((name, b"x") for name in names), ("a/b", b"c")])
    assert repacked(data) == ({"a/b": b"c"}, [])


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (special("ссылка", tarfile.SYMTYPE, "/etc/passwd"), "a symbolic link, not a file"),
        (special("ссылка", tarfile.LNKTYPE, "b"), "a hard link, not a file"),
        (special("ссылка", tarfile.CHRTYPE), "a device, not a file"),
        (special("ссылка", tarfile.FIFOTYPE), "a pipe, not a file"),
        (special("ссылка", b"V"), "a member of an unknown kind, not a file"),
        ("../ссылка", "the path leads out of the archive"),
        ("a/../../ссылка", "the path leads out of the archive"),
        ("ссыл\nка", "the path holds control characters"),
        ("x" * 70_000, "the path has more than the 65535 bytes allowed"),
    ],
)
def test_what_is_no_file_or_has_an_unsafe_path_is_left_out_and_told(member: str | tarfile.TarInfo, reason: str) -> None:
    contents, [(path, told)] = repacked(tar([("а", b"1"), (member, b""), ("б", b"2")]))
    assert (contents, told) == ({"а": b"1", "б": b"2"}, reason)
    assert "\n" not in path


def test_sparse_files_of_both_kinds_are_left_out_and_what_follows_is_read() -> None:
    pax = tarfile.TarInfo("а")
    pax.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}
    assert repacked(tar([(pax, b"x" * 600), ("б", b"2")])) == ({"б": b"2"}, [("а", "a sparse file, not a file")])
    old = header(b"a", b"00000000600\0", b"S")
    old = old[:148] + b" " * 8 + old[156:482] + b"\1" + old[483:]
    old = old[:148] + b"%06o\0 " % sum(old) + old[156:]
    maps = (b"\0" * 504 + b"\1").ljust(512, b"\0") + b"\0" * 512
    data = old + maps + b"x" * 512 + tar([("б", b"2")])
    assert repacked(data) == ({"б": b"2"}, [("a", "a sparse file, not a file")])


def test_of_equal_paths_the_last_one_wins_and_it_is_told() -> None:
    contents, [(path, reason)] = repacked(tar([("а", b"1"), ("а", b"2")]))
    assert (contents, path) == ({"а": b"2"}, "а")
    assert "more than once" in reason


@pytest.mark.parametrize(
    ("limits", "size", "reason"),
    [
        (Limits(entries=2), 0, "more than the 2 members allowed"),
        (Limits(inflated_bytes=4_000), 4_000, "more than the 4000 bytes allowed"),
        (Limits(ratio=2), 2 << 20, "more than the 2 times allowed"),
    ],
)
def test_an_archive_above_a_limit_is_an_error(limits: Limits, size: int, reason: str) -> None:
    data = tar([("а", b"\0" * size), ("б", b""), ("в", b"")])
    with pytest.raises(PermanentError, match=reason):
        repack(io.BytesIO(gzip.compress(data)), io.BytesIO(), limits)


def test_a_member_above_its_limit_is_left_out_and_told() -> None:
    data = tar([("а", b"1"), ("б", b"x" * 2_000), ("в", b"3")])
    reason = "the member has 2000 bytes, more than the 1000 allowed"
    assert repacked(data, Limits(member_bytes=1_000)) == ({"а": b"1", "в": b"3"}, [("б", reason)])


def test_a_bomb_is_refused_before_it_is_inflated() -> None:
    """Two megabytes that would become two gigabytes; headers say nothing of it."""
    bomb = zlib_zeros(2 << 30)
    tracemalloc.start()
    with pytest.raises(PermanentError, match="times allowed"):
        repack(io.BytesIO(bomb), io.BytesIO(), Limits())
    assert tracemalloc.get_traced_memory()[1] < 16 << 20
    tracemalloc.stop()


def zlib_zeros(size: int) -> bytes:
    """A gzip of one file of zeros in a tar, made of a repeated piece so that it costs little."""
    piece = gzip.compress(b"\0" * (64 << 20), 9)
    return gzip.compress(header(b"a", b"%011o\0" % size)) + piece * (size >> 26)


def test_one_member_is_never_whole_in_memory() -> None:
    content = random.Random(1).randbytes(1 << 16) * 512
    data = gzip.compress(tar([("а", content)]), 1)
    limits = Limits()
    with io.BytesIO(data) as source, open("/dev/null", "wb") as target:  # noqa: PTH123
        tracemalloc.start()
        repack(source, target, limits)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < len(content) // 8


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "truncated"),
        (b"text" * 200, "no header is where one must be"),
        (b"\0" * 10_240, "empty"),
        (tar([("а", b"1" * 2_000)])[:2_000], "truncated"),
        (tar([("а", b"1")])[:1_024], "truncated"),
        (tar([("а", b"1"), ("б", b"2")])[:1_024] + b"x" * 512, "no header is where one must be"),
        (gzip.compress(tar([("а", b"1" * 2_000)]), mtime=0)[:-60], "truncated"),
        (gzip.compress(tar([("а", b"1")]), mtime=0)[:-8], "truncated"),
        (gzip.compress(tar([("а", b"1")]), mtime=0)[:-8] + b"\0" * 8, "gzip data are damaged"),
        (gzip.compress(tar([("а", b"1")]), mtime=0) + b"tail", "gzip data are damaged"),
        (b"\x1f\x8b\x08" + b"\xff" * 100, "gzip data are damaged|no header|truncated"),
        (header(size=b"x" * 11 + b"\0") + b"\0" * 1_024, "no size"),
        (header(size=b"\xff" * 12) + b"\0" * 1_024, "truncated"),
        (header(kind=b"x", size=b"00077777777\0") + b"\0" * 1_024, "header has more"),
        (header(kind=b"x", size=b"%011o\0" % 9) + b"9 path=a\n".ljust(512, b"\0") + header()[:100], "truncated"),
        (header(kind=b"x", size=b"%011o\0" % 6) + b"99 a=b".ljust(512, b"\0"), "extended header is damaged"),
        (header(kind=b"x", size=b"%011o\0" % 6) + b"0 a=b\n".ljust(512, b"\0"), "extended header is damaged"),
    ],
)
def test_what_is_damaged_or_no_tar_is_an_error(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason):
        repack(io.BytesIO(data), io.BytesIO(), Limits())


def test_gzip_streams_that_follow_each_other_are_one() -> None:
    data = tar([("а", b"1" * 3_000), ("б", b"2")])
    packed = gzip.compress(data[:700]) + gzip.compress(b"") + gzip.compress(data[700:]) + b"\0" * 100
    assert repacked(packed) == ({"а": b"1" * 3_000, "б": b"2"}, [])


def test_the_same_tar_gives_the_same_zip_and_it_says_that_names_are_utf_8() -> None:
    data = tar([("ё", b"1"), ("a", b"2")])
    first, second = io.BytesIO(), io.BytesIO()
    repack(io.BytesIO(data), first, Limits())
    repack(io.BytesIO(gzip.compress(data)), second, Limits())
    assert first.getvalue() == second.getvalue()
    with zipfile.ZipFile(first) as archive:
        assert [(entry.filename, entry.flag_bits & 0x800) for entry in archive.infolist()] == [("ё", 0x800), ("a", 0)]
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_tar_is_told_by_its_head() -> None:
    data = tar([("а" * 300, b"1" * 2_000)])
    old = header()
    signed = header("а".encode())
    signed = (
        signed[:148] + b"%06o\0 " % (sum(struct.unpack("512b", signed)) - sum(signed[148:156]) + 256) + signed[156:]
    )
    packed = gzip.compress(random.Random(1).randbytes(100_000))
    assert [is_tar(head) for head in (data[:600], old, signed, gzip.compress(data)[:2_000])] == [True] * 4
    assert [is_tar(head) for head in (b"", b"\0" * 600, data[:511], b"PK\3\4" * 200, packed, b"\x1f\x8b\x08")] == [
        False
    ] * 6


@given(st.one_of(st.binary(max_size=2_000), st.integers(0, 2**32)), st.booleans())
@settings(deadline=None)
def test_any_bytes_give_a_zip_or_a_permanent_error(change: bytes | int, packed: bool) -> None:
    """A number is a seed of changes to a true archive."""
    data = bytearray(change if isinstance(change, bytes) else tar([("а", b"1" * 600), (LONG, b"2"), ("б", b"3")]))
    data = bytearray(gzip.compress(data)) if packed else data
    if isinstance(change, int):
        chance = random.Random(change)
        for _ in range(chance.randint(1, 5)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 3))
    target = io.BytesIO()
    try:
        problems = repack(io.BytesIO(bytes(data)), target, Limits())
    except PermanentError:
        return
    assert all(isinstance(problem, PermanentError) for problem in problems)
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
