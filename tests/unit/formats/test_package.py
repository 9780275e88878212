import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.package import Package
from unit.formats.zip_builder import ENCRYPTED, Entry, build

WORDS = b"<a>" + "ё".encode() * 100 + b"</a>"


def package(*entries: Entry, text_bytes: int = 1 << 20) -> Package:
    return Package("папка/книга.epub", build(entries), text_bytes)


def test_parts_are_read_by_their_names() -> None:
    parts = package(Entry(b"a/b.xml", WORDS), Entry(b"c.bin", b"\0"))
    assert "a/b.xml" in parts
    assert "b.xml" not in parts
    assert parts.read("c.bin") == b"\0"
    assert parts.xml("a/b.xml").text == "ё" * 100


@pytest.mark.parametrize("doctype", [b"<!DOCTYPE a>", b'<!DOCTYPE a PUBLIC "-//B" "b.dtd">\n'])
def test_a_doctype_that_only_names_a_standard_is_passed_over(doctype: bytes) -> None:
    assert package(Entry(b"a.xml", b"<?xml version='1.0'?>" + doctype + WORDS)).xml("a.xml").tag == "a"


@pytest.mark.parametrize(
    ("content", "reason", "place"),
    [
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "DOCTYPE", "a.xml"),
        (b"<a>\n<b>", "not well-formed", "a.xml, line 2"),
        (b"<a>" * 100_000, "not well-formed", "a.xml, line 1"),
    ],
)
def test_xml_that_is_not_safe_or_not_whole_is_an_error_with_both_places(
    content: bytes, reason: str, place: str
) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        package(Entry(b"a.xml", content)).xml("a.xml")
    assert (raised.value.path, raised.value.place) == ("папка/книга.epub", place)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (Entry(b"b.xml", WORDS), "lacks a part"),
        (Entry(b"a.xml", WORDS, flags=ENCRYPTED), "encrypted"),
        (Entry(b"a.xml", WORDS, size=10), "holds more"),
        (Entry(b"a.xml", b"\0" * (8 << 20)), "times allowed"),
        (Entry(b"a.xml", WORDS * 20), "more than the 1000 bytes allowed"),
    ],
)
def test_a_part_that_is_absent_or_a_lie_or_a_bomb_is_an_error_with_the_path_of_the_document(
    entry: Entry, reason: str
) -> None:
    text_bytes = 1_000 if "1000" in reason else 1 << 30
    with pytest.raises(PermanentError, match=reason) as raised:
        package(entry, text_bytes=text_bytes).read("a.xml")
    assert raised.value.path == "папка/книга.epub"


def test_all_reads_together_are_bounded() -> None:
    parts = package(Entry(b"a.xml", WORDS), text_bytes=len(WORDS) * 2)
    parts.read("a.xml")
    parts.read("a.xml")
    with pytest.raises(PermanentError, match="bytes allowed"):
        parts.read("a.xml")


@pytest.mark.parametrize(
    ("data", "reason"), [(b"", "empty|zip"), (b"text", "zip"), (b"\xd0\xcf\x11\xe0\xa1\xb1", "without a password")]
)
def test_what_is_no_package_is_an_error_with_its_path(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        Package("а.docx", data, 1_000)
    assert raised.value.path == "а.docx"
