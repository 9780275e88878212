"""Archives as programs and attackers write them: what is listed, what is read, and what is refused by which words."""

import io
import random
import struct
import tracemalloc
import unicodedata
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, Member, list_members, read_member
from unit.formats.zip_builder import (
    DESCRIPTOR,
    DIRECTORY_ENCRYPTED,
    ENCRYPTED,
    UTF8,
    Entry,
    build,
    deflate,
    unicode_path,
)

LIMITS = Limits()
TEXT = "Процедура Записать() Экспорт\nКонецПроцедуры\n".encode()


def listing(archive: bytes, limits: Limits = LIMITS) -> tuple[list[Member], list[PermanentError]]:
    return list_members(lambda offset, length: archive[offset : offset + length], len(archive), limits)


def contents(archive: bytes, limits: Limits = LIMITS) -> dict[str, bytes]:
    """Read each member from its own range alone, as a task's range begins and ends anywhere."""
    members, problems = listing(archive, limits)
    assert not problems
    return {
        member.path: read_member(archive[member.offset : member.end], member.offset, member, limits)
        for member in members
    }


def paths(*names: bytes, flags: int = 0) -> list[str]:
    members, problems = listing(build(Entry(name, TEXT, flags) for name in names))
    assert not problems
    return [member.path for member in members]


def refusal_of(archive: bytes, limits: Limits = LIMITS) -> str:
    with pytest.raises(PermanentError) as caught:
        listing(archive, limits)
    return caught.value.reason


def refusal_of_member(entry: Entry, limits: Limits = LIMITS) -> str:
    archive = build([Entry(b"before", TEXT), entry])
    members, problems = listing(archive, limits)
    assert not problems
    member = members[1]
    with pytest.raises(PermanentError) as caught:
        read_member(archive, 0, member, limits)
    assert (caught.value.path, caught.value.place) == (member.path, f"byte {member.offset}")
    return caught.value.reason


class TestReading:
    @pytest.mark.parametrize("method", [0, 8])
    def test_a_stored_and_a_deflated_member_give_their_bytes(self, method: int) -> None:
        assert contents(build([Entry(b"a.bsl", TEXT, method=method)])) == {"a.bsl": TEXT}

    def test_members_are_read_from_one_range_that_begins_in_the_middle_of_the_archive(self) -> None:
        archive = build(Entry(b"%d.txt" % number, TEXT * number) for number in range(5))
        members, _ = listing(archive)
        begin, end = members[2].offset, members[3].end
        data = archive[begin:end]
        assert [read_member(data, begin, member, LIMITS) for member in members[2:4]] == [TEXT * 2, TEXT * 3]

    def test_a_member_ends_where_the_next_header_begins_even_if_that_is_a_folder(self) -> None:
        archive = build([Entry(b"a.txt", TEXT), Entry(b"folder/"), Entry(b"folder/b.txt", TEXT)])
        members, _ = listing(archive)
        headers = [at for at in range(len(archive)) if archive.startswith(b"PK\3\4", at)]
        assert [(member.offset, member.end) for member in members] == [
            (headers[0], headers[1]),
            (headers[2], archive.index(b"PK\1\2")),
        ]

    def test_a_longer_extra_field_in_the_local_header_is_skipped(self) -> None:
        assert contents(build([Entry(b"a.txt", TEXT, local_extra=b"\x55\x54\x05\x00" + bytes(5))])) == {"a.txt": TEXT}

    def test_sizes_come_from_the_directory_when_the_local_header_leaves_them_to_a_descriptor(self) -> None:
        archive = build([Entry(b"a.txt", TEXT, DESCRIPTOR), Entry(b"b.txt", TEXT * 2, DESCRIPTOR)])
        assert contents(archive) == {"a.txt": TEXT, "b.txt": TEXT * 2}

    def test_an_empty_file_is_a_member(self) -> None:
        assert contents(build([Entry(b"empty.txt"), Entry(b"stored.txt", method=0)])) == {
            "empty.txt": b"",
            "stored.txt": b"",
        }

    def test_a_nested_archive_is_a_member_like_any_other(self) -> None:
        inner = build([Entry(b"inner.txt", TEXT)], comment=b"inner")
        archive = build([Entry(b"inner.zip", inner, method=0), Entry(b"b.txt", TEXT)])
        assert contents(archive) == {"inner.zip": inner, "b.txt": TEXT}

    def test_members_come_in_the_order_of_their_offsets(self) -> None:
        second = 30 + len(b"b.txt") + len(deflate(TEXT))
        archive = build([Entry(b"b.txt", TEXT, offset=second), Entry(b"a.txt", TEXT, offset=0)])
        assert [(member.path, member.offset) for member in listing(archive)[0]] == [("a.txt", 0), ("b.txt", second)]


class TestFindingTheDirectory:
    def test_a_prefix_such_as_a_self_extracting_program_shifts_every_offset(self) -> None:
        archive = build([Entry(b"a.txt", TEXT), Entry(b"b.txt", TEXT)], prefix=b"MZ program " * 50)
        assert contents(archive) == {"a.txt": TEXT, "b.txt": TEXT}

    def test_bytes_between_the_directory_and_the_end_are_no_prefix(self) -> None:
        assert contents(build([Entry(b"a.txt", TEXT)], gap=b"signature block")) == {"a.txt": TEXT}

    def test_a_comment_may_hold_the_signature_of_an_end(self) -> None:
        false_end = build([])
        assert contents(build([Entry(b"a.txt", TEXT)], comment=b"begin " + false_end + b" end")) == {"a.txt": TEXT}

    def test_a_comment_may_end_with_a_whole_false_end(self) -> None:
        false_end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, 46, 0, 0)
        assert contents(build([Entry(b"a.txt", TEXT)], comment=b"begin " + false_end)) == {"a.txt": TEXT}

    def test_an_archive_inside_the_comment_is_not_taken_for_the_archive(self) -> None:
        inner = build([Entry(b"inner.txt", TEXT)])
        assert contents(build([Entry(b"a.txt", TEXT)], comment=b"begin " + inner + b" end")) == {"a.txt": TEXT}

    def test_the_longest_comment_is_read(self) -> None:
        assert contents(build([Entry(b"a.txt", TEXT)], comment=b"x" * 0xFFFF)) == {"a.txt": TEXT}

    def test_bytes_after_the_end_do_no_harm(self) -> None:
        assert contents(build([Entry(b"a.txt", TEXT)]) + bytes(512)) == {"a.txt": TEXT}

    @pytest.mark.parametrize("prefix", [b"", b"MZ program "])
    def test_zip64_offsets_and_sizes_are_taken_from_the_extra_field(self, prefix: bytes) -> None:
        entries = [Entry(b"a.txt", TEXT, zip64=True), Entry(b"b.txt", TEXT), Entry(b"c.txt", TEXT, zip64=True)]
        archive = build(entries, zip64=True, prefix=prefix)
        assert contents(archive) == {"a.txt": TEXT, "b.txt": TEXT, "c.txt": TEXT}

    def test_a_zip64_end_with_private_data_is_found_by_its_locator(self) -> None:
        assert contents(build([Entry(b"a.txt", TEXT)], zip64=True, end64_tail=b"private data")) == {"a.txt": TEXT}

    def test_more_than_65535_entries_are_listed_when_their_count_has_wrapped(self) -> None:
        archive = build((Entry(b"%05d" % number, b"", method=0) for number in range(0x10001)), count=1)
        assert len(listing(archive)[0]) == 0x10001

    @pytest.mark.parametrize(
        ("members", "end64_tail", "reads"), [(10, b"", 1), (2_000, b"", 2), (2_000, bytes(100_000), 3)]
    )
    def test_listing_costs_few_reads(self, members: int, end64_tail: bytes, reads: int) -> None:
        archive = build((Entry(b"%d" % number, TEXT) for number in range(members)), zip64=True, end64_tail=end64_tail)
        lengths: list[int] = []

        def read(offset: int, length: int) -> bytes:
            lengths.append(length)
            return archive[offset : offset + length]

        assert len(list_members(read, len(archive), LIMITS)[0]) == members
        assert len(lengths) == reads


class TestNames:
    def test_names_with_the_utf8_flag_are_utf8(self) -> None:
        assert paths("Справочники/Валюты.xml".encode(), flags=UTF8) == ["Справочники/Валюты.xml"]

    def test_names_without_a_flag_in_utf8_are_recognised_and_composed(self) -> None:
        name = unicodedata.normalize("NFD", "Общий/Йод и ёлка.txt")
        assert name != unicodedata.normalize("NFC", name)
        assert paths(name.encode()) == ["Общий/Йод и ёлка.txt"]
        assert paths(name.encode(), flags=UTF8) == ["Общий/Йод и ёлка.txt"]

    @pytest.mark.parametrize("encoding", ["cp866", "cp1251"])
    @pytest.mark.parametrize(
        "name",
        ["Catalogs/Номенклатура/Ext/ObjectModule.bsl", "Руководство/Учёт НДС.md", "ОПИСАНИЕ.md", "где.md"],
    )
    def test_names_by_windows_are_read_in_either_of_its_encodings(self, name: str, encoding: str) -> None:
        assert paths(name.encode(encoding)) == [name]

    def test_a_short_word_that_happens_to_be_utf8_follows_its_neighbours(self) -> None:
        names = ["тип.md", "шаг.md", "Настройка обмена.md"]
        assert names[0].encode("cp866").decode() != names[0]  # valid, but not what was meant
        assert paths(*(name.encode("cp866") for name in names)) == names

    def test_one_broken_name_does_not_spoil_an_archive_in_utf8(self) -> None:
        names = ["Документы/Заказ.xml", "Документы/Счёт.xml"]
        assert paths(*(name.encode() for name in names), "Отчёт.xml".encode("cp866")) == [*names, "Отчёт.xml"]

    def test_the_unicode_path_field_is_believed_when_it_was_made_for_this_name(self) -> None:
        name = "Отчет.txt".encode("cp437", errors="replace")
        archive = build([Entry(name, TEXT, extra=b"\x55\x54\x01\x00\x00" + unicode_path(name, "Отчёт.txt"))])
        assert contents(archive) == {"Отчёт.txt": TEXT}

    def test_the_unicode_path_field_is_ignored_when_the_name_was_changed_after(self) -> None:
        assert contents(build([Entry(b"new.txt", TEXT, extra=unicode_path(b"old.txt", "старый.txt"))])) == {
            "new.txt": TEXT
        }

    def test_a_false_utf8_flag_is_not_believed(self) -> None:
        assert paths("Отчёт.txt".encode("cp866"), flags=UTF8) == ["Отчёт.txt"]

    @pytest.mark.parametrize(
        "name",
        [
            rb"a\b.txt",
            b"/a/b.txt",
            b"./a/b.txt",
            b"a//./b.txt",
            rb"C:\a\b.txt",
            b"C:a/b.txt",
            b"//a/b.txt",
            b"./C:/./D:/a/b.txt",
        ],
    )
    def test_paths_are_made_relative_with_forward_slashes(self, name: bytes) -> None:
        assert paths(name) == ["a/b.txt"]

    def test_dots_inside_a_name_are_kept(self) -> None:
        assert paths(b".github/a..b", b"...", b"a/.hidden") == [".github/a..b", "...", "a/.hidden"]

    @pytest.mark.parametrize("name", [b"../a", b"a/../../b", rb"..\a", rb"C:\..\a", b"a/..", b"/../etc/passwd"])
    def test_a_path_that_leads_out_is_a_problem_and_the_rest_is_listed(self, name: bytes) -> None:
        members, problems = listing(build([Entry(name, TEXT), Entry(b"good.txt", TEXT)]))
        assert [member.path for member in members] == ["good.txt"]
        assert [(problem.reason, problem.place) for problem in problems] == [
            ("the path leads out of the archive", "byte 0")
        ]

    @pytest.mark.parametrize("name", [b"a\0.txt", b"a\n.txt", b"\x7f", "a\x85b".encode()])
    def test_control_characters_in_a_name_are_a_problem_whose_path_can_be_stored(self, name: bytes) -> None:
        members, problems = listing(build([Entry(name, TEXT), Entry(b"good.txt", TEXT)]))
        assert [member.path for member in members] == ["good.txt"]
        assert [problem.reason for problem in problems] == ["the path holds control characters"]
        assert problems[0].path.replace("\ufffd", "").isprintable()

    def test_an_empty_name_is_a_problem(self) -> None:
        assert [problem.reason for problem in listing(build([Entry(b"", TEXT)]))[1]] == ["the member has no name"]

    def test_of_equal_paths_the_last_one_is_taken_and_it_is_told(self) -> None:
        names = [unicodedata.normalize(form, "Йод.txt").encode() for form in ("NFC", "NFD")]
        archive = build([Entry(names[0], b"first"), Entry(names[1], b"last")])
        (member,), (problem,) = listing(archive)
        assert read_member(archive, 0, member, LIMITS) == b"last"
        assert (problem.path, problem.place) == ("Йод.txt", f"byte {member.offset}")
        assert "more than once" in problem.reason

    def test_folders_and_the_litter_of_desktops_are_dropped_silently(self) -> None:
        litter = (b"__MACOSX/._a.txt", b"src/.DS_Store", b"Thumbs.db", b"src/", b"src\\cf\\")
        assert paths(b"a.txt", *litter) == ["a.txt"]


class TestWholeArchivesRefused:
    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "the file is empty"),
            (b"Rar!\x1a\x07\x01\x00" + bytes(100), "RAR"),
            (b"7z\xbc\xaf\x27\x1c" + bytes(100), "7z"),
            (b"\x1f\x8b\x08" + bytes(100), "tar.gz"),
            (bytes(257) + b"ustar\x0000" + bytes(300), "tar archive"),
            (b"\xff\xff\xff\x7f\x00\x02\x00\x00" + bytes(100), "1C (cf"),
            (b"1CIBDmpF3" + bytes(100), "1C (dt)"),
            (b"\xef\xbb\xbf\r\n<!DOCTYPE html><html>", "HTML"),
            (b"<?xml version='1.0'?><Error/>", "XML"),
            ("Просто текст".encode(), "no end record"),
            (b"PK", "no end record"),
        ],
    )
    def test_what_is_no_zip_is_called_by_its_name(self, data: bytes, words: str) -> None:
        reason = refusal_of(data)
        assert reason.startswith("not a zip archive: ")
        assert words in reason

    @pytest.mark.parametrize("zip64", [False, True])
    def test_an_archive_without_entries_is_empty(self, zip64: bool) -> None:
        assert refusal_of(build([], zip64=zip64)) == "the archive is empty"

    def test_an_archive_of_folders_alone_is_empty(self) -> None:
        assert refusal_of(build([Entry(b"src/"), Entry(b"src/cf/")])) == "the archive is empty"

    def test_an_archive_cut_at_any_byte_is_truncated(self) -> None:
        archive = build(Entry(b"%d.txt" % number, TEXT) for number in range(3))
        for length in range(4, len(archive)):
            assert "truncated" in refusal_of(archive[:length])

    def test_an_archive_whose_beginning_is_lost_is_truncated(self) -> None:
        archive = build(Entry(b"%d.txt" % number, TEXT) for number in range(3))
        assert "truncated" in refusal_of(archive[50:])

    @pytest.mark.parametrize("zip64", [False, True])
    def test_a_part_of_a_split_archive_is_refused(self, zip64: bool) -> None:
        assert "split" in refusal_of(build([Entry(b"a.txt", TEXT)], disk=2, zip64=zip64))
        assert "split" in refusal_of(b"PK\7\x08" + build([Entry(b"a.txt", TEXT)])[:-30])

    def test_an_encrypted_directory_is_named(self) -> None:
        assert "directory is encrypted" in refusal_of(build([Entry(b"1", TEXT, DIRECTORY_ENCRYPTED)]))
        archive = build([Entry(b"1", TEXT)], zip64=True, version_needed=62, end64_tail=bytes(30))
        assert "directory is encrypted" in refusal_of(archive)

    @pytest.mark.parametrize("count", [None, 2])
    def test_too_many_entries_are_refused_whatever_the_end_says(self, count: int | None) -> None:
        archive = build((Entry(b"%d" % number) for number in range(5)), count=count)
        assert "more than the 4 entries allowed" in refusal_of(archive, Limits(entries=4))
        assert len(listing(build(Entry(b"%d" % number) for number in range(4)), Limits(entries=4))[0]) == 4

    def test_a_declared_total_above_the_limit_is_refused(self) -> None:
        archive = build([Entry(b"a", TEXT), Entry(b"b", TEXT)])
        assert "declares more than" in refusal_of(archive, Limits(inflated_bytes=2 * len(TEXT) - 1))
        assert len(contents(archive, Limits(inflated_bytes=2 * len(TEXT)))) == 2

    def test_a_directory_above_the_limit_is_refused(self) -> None:
        archive = build([Entry(b"a" * 100, TEXT)])
        assert "central directory has 146 bytes" in refusal_of(archive, Limits(directory_bytes=145))

    def test_a_count_that_does_not_match_is_damage(self) -> None:
        assert "2 are declared" in refusal_of(build([Entry(b"a", TEXT)], count=2))

    def test_a_damaged_directory_is_refused_with_its_place(self) -> None:
        archive = build([Entry(b"a.txt", TEXT), Entry(b"b.txt", TEXT)])
        second = archive.rindex(b"PK\1\2")
        with pytest.raises(PermanentError, match="directory is damaged") as caught:
            listing(archive[:second] + b"XX" + archive[second + 2 :])
        assert caught.value.place == f"byte {second}"

    def test_a_directory_that_ends_inside_a_record_is_damage(self) -> None:
        archive = bytearray(build([Entry(b"a.txt", TEXT)], gap=b"PK\1\2 and no more"))
        length = len(archive) - 22 - archive.index(b"PK\1\2")
        archive[-10:-6] = length.to_bytes(4, "little")
        assert "directory is cut" in refusal_of(bytes(archive))
        archive = bytearray(build([Entry(b"a.txt", TEXT)]))
        archive[archive.index(b"PK\1\2") + 28] += 1
        assert "directory is damaged" in refusal_of(bytes(archive))


class TestMembersRefused:
    @pytest.mark.parametrize(
        ("method", "name"), [(9, "Deflate64"), (12, "bzip2"), (14, "LZMA"), (93, "zstd"), (77, "method 77")]
    )
    def test_a_method_that_is_not_read_is_named(self, method: int, name: str) -> None:
        assert f"packed by {name};" in refusal_of_member(Entry(b"a.txt", TEXT, method=method))

    def test_an_encrypted_member_is_named(self) -> None:
        assert refusal_of_member(Entry(b"a.txt", TEXT, ENCRYPTED)) == "the member is encrypted"

    def test_a_bomb_that_declares_little_is_stopped_at_what_it_declares(self) -> None:
        bomb = Entry(b"bomb", packed=deflate(bytes(50 << 20)), size=10)
        tracemalloc.start()
        assert refusal_of_member(bomb) == "the member holds more than the 10 bytes it declares"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
        tracemalloc.stop()

    def test_a_bomb_that_declares_its_ratio_is_not_inflated(self) -> None:
        assert "200 times" in refusal_of_member(Entry(b"bomb", bytes(2 << 20)))

    def test_a_bomb_that_declares_its_size_is_not_inflated(self) -> None:
        assert "1000 allowed" in refusal_of_member(Entry(b"bomb", b"x" * 1001), Limits(member_bytes=1000))
        assert "more than the" in refusal_of_member(Entry(b"bomb", TEXT, size=3 << 30))

    def test_a_small_file_of_repeated_text_is_no_bomb(self) -> None:
        content = b" " * (1 << 20)
        assert len(deflate(content)) * 200 < len(content)
        assert contents(build([Entry(b"spaces.txt", content)])) == {"spaces.txt": content}

    @pytest.mark.parametrize("method", [0, 8])
    @pytest.mark.parametrize(("difference", "relation"), [(-1, "more"), (1, "less")])
    def test_a_false_size_is_found(self, method: int, difference: int, relation: str) -> None:
        entry = Entry(b"a.txt", TEXT, method=method, size=len(TEXT) + difference)
        assert f"holds {relation} than" in refusal_of_member(entry)

    def test_a_wrong_checksum_is_found(self) -> None:
        assert "checksum" in refusal_of_member(Entry(b"a.txt", TEXT, crc=1))

    def test_data_that_are_not_deflated_are_damaged(self) -> None:
        assert "damaged" in refusal_of_member(Entry(b"a.txt", TEXT, packed=b"\xff" * 20))

    def test_data_that_overlap_the_next_member_are_a_problem(self) -> None:
        archive = build([Entry(b"a.txt", TEXT, method=0), Entry(b"b.txt", TEXT, offset=20)])
        members, problems = listing(archive)
        assert [member.path for member in members] == ["b.txt"]
        assert [(problem.path, problem.place) for problem in problems] == [("a.txt", "byte 0")]
        assert "overlaps" in problems[0].reason
        with pytest.raises(PermanentError, match="no member begins"):
            read_member(archive, 0, members[0], LIMITS)

    def test_offsets_beyond_the_directory_are_problems(self) -> None:
        archive = build([Entry(b"a", TEXT, offset=1 << 30), Entry(b"b", TEXT, offset=1 << 31), Entry(b"c", TEXT)])
        members, problems = listing(archive)
        assert [member.path for member in members] == ["c"]
        assert [problem.path for problem in problems] == ["a", "b"]

    def test_data_that_a_long_local_header_pushes_into_the_next_member_are_cut(self) -> None:
        archive = bytearray(build([Entry(b"a.txt", TEXT), Entry(b"b.txt", TEXT)]))
        archive[28:30] = (5).to_bytes(2, "little")
        member = listing(bytes(archive))[0][0]
        with pytest.raises(PermanentError, match="are cut"):
            read_member(bytes(archive), 0, member, LIMITS)

    def test_a_range_that_does_not_hold_the_member_is_refused(self) -> None:
        archive = build([Entry(b"a.txt", TEXT), Entry(b"b.txt", TEXT)])
        member = listing(archive)[0][1]
        for begin, end in ((0, member.offset + 10), (0, member.end - 5), (member.offset + 1, member.end)):
            with pytest.raises(PermanentError, match="truncated"):
                read_member(archive[begin:end], begin, member, LIMITS)


def test_200_archives_by_zipfile_are_read_as_zipfile_reads_them() -> None:
    randomness = random.Random(238)
    words = ["src", "cf", "Catalogs", "Документы", "Учёт", "Йод", "a b", "模块", "x" * 60]
    for number in range(200):
        buffer = io.BytesIO(b"program" * randomness.randrange(2))
        buffer.seek(0, io.SEEK_END)
        with zipfile.ZipFile(buffer, "a", randomness.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
            archive.comment = randomness.randbytes(randomness.choice([0, 20, 3000]))
            for member in range(randomness.randrange(1, 20)):
                path = "/".join(randomness.choices(words, k=randomness.randrange(1, 5))) + f"/{member}.bsl"
                content = randomness.choice([b"", TEXT, TEXT * 50, randomness.randbytes(5000)])
                with archive.open(path, "w", force_zip64=randomness.random() < 0.2) as stream:
                    stream.write(content)
        with zipfile.ZipFile(buffer) as archive:
            expected = {info.filename: archive.read(info) for info in archive.infolist()}
        assert contents(buffer.getvalue()) == expected, number


VALID = build(
    [
        Entry("Справочники/Валюты.xml".encode(), TEXT, UTF8),
        Entry("Отчёт.txt".encode("cp866"), TEXT * 3, DESCRIPTOR),
        Entry(b"big.txt", TEXT, zip64=True, extra=unicode_path(b"big.txt", "большой.txt")),
        Entry(b"stored.txt", TEXT, method=0),
    ],
    zip64=True,
    comment=b"comment",
)
SMALL = Limits(entries=50, inflated_bytes=100_000, member_bytes=50_000, directory_bytes=10_000)


def read_all(archive: bytes) -> None:
    """Only `PermanentError` may come out, and only what was allowed may be inflated."""
    try:
        members, problems = listing(archive, SMALL)
    except PermanentError:
        return
    assert all(isinstance(problem, PermanentError) for problem in problems)
    inflated = 0
    for member in members:
        assert not member.path.startswith("/")
        assert ".." not in member.path.split("/")
        assert 0 <= member.offset < member.end <= len(archive)
        try:
            inflated += len(read_member(archive[member.offset : member.end], member.offset, member, SMALL))
        except PermanentError:
            continue
    assert inflated <= SMALL.inflated_bytes


@given(st.binary(max_size=400))
def test_any_bytes_give_a_result_or_a_permanent_error(data: bytes) -> None:
    read_all(data)
    read_all(data + VALID)
    read_all(VALID + data)


@given(st.lists(st.tuples(st.integers(0, len(VALID) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_any_flipped_bytes_give_a_result_or_a_permanent_error(flips: list[tuple[int, int]]) -> None:
    archive = bytearray(VALID)
    for position, value in flips:
        archive[position] = value
    read_all(bytes(archive))


@given(st.binary(min_size=1, max_size=40), st.binary(max_size=40), st.sampled_from([0, UTF8]))
def test_any_name_gives_a_safe_path_or_a_problem(name: bytes, extra: bytes, flags: int) -> None:
    read_all(build([Entry(name, TEXT, flags, extra=extra), Entry(b"good.txt", TEXT)]))
