import io
import random
import re
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfWriter

from onec_rag.errors import PermanentError
from onec_rag.formats.pdf import MOST_PAGES, is_pdf, read_pdf
from onec_rag.model.document import Document, Prose
from unit.formats.documentation_builder import DATA, documentation_files
from unit.formats.pdf_builder import pdf

PAGE = ["Отчёт строится по продажам за период"]


def read(data: bytes) -> Document:
    document = read_pdf("папка/имя.pdf", data)
    assert document is not None
    return document


def blocks(data: bytes) -> list[tuple[tuple[str, ...], str, int, int]]:
    content = read(data).content
    assert isinstance(content, Prose)
    return [(s.headings, block.text, block.first_line, block.last_line) for s in content.sections for block in s.blocks]


def encrypted(data: bytes, user: str, owner: str) -> bytes:
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user, owner, algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_documents_are_told_by_their_extension() -> None:
    assert [is_pdf(path) for path in ("а.pdf", "а/Б.PDF", "pdf", "а.ps")] == [True, True, False, False]


@pytest.mark.parametrize("name", ["Руководство/отчёты.pdf", "Руководство/скан.pdf"])
def test_the_fixtures_are_what_their_builder_makes(name: str) -> None:
    assert (DATA / name).read_bytes() == documentation_files()[name]


def test_places_are_page_numbers() -> None:
    assert blocks(pdf([["Первая."], [], ["Третья, которая", "идёт дальше."]])) == [
        ((), "Первая.", 1, 1),
        ((), "Третья, которая идёт дальше.", 3, 3),
    ]


def test_bookmarks_are_headings_where_their_lines_are_else_at_the_top_of_their_page() -> None:
    pages = [["Обложка"], ["Конец первой", "Глава 1. Склад", "На складе тихо."], ["Цены растут."]]
    found = blocks(pdf(pages, bookmarks=[("Склад", 2), ("Другие слова", 3)]))
    assert found == [
        ((), "Обложка", 1, 1),
        ((), "Конец первой", 2, 2),
        (("Склад",), "На складе тихо.", 2, 2),
        (("Другие слова",), "Цены растут.", 3, 3),
    ]


def test_a_title_inside_a_longer_line_is_not_where_a_section_begins() -> None:
    found = blocks(pdf([["Большой склад", "Мы пошли на склад", "Склад", "Там тихо."]], bookmarks=[("Склад", 1)]))
    assert found[-1][:2] == (("Склад",), "Там тихо.")
    assert len(found) == 3


def test_the_file_names_the_document_and_its_folder_the_section() -> None:
    document = read(pdf([PAGE], link="https://example.org/a"))
    assert (document.title, document.section) == ("имя", "папка")
    assert isinstance(document.content, Prose)
    assert document.content.links == ("https://example.org/a",)


def test_letters_that_the_font_does_not_tell_are_read_as_cyrillic() -> None:
    assert blocks(pdf([PAGE], unicode=False))[0][1] == PAGE[0]


def test_a_document_that_anybody_may_open_is_read_though_it_is_encrypted() -> None:
    assert blocks(encrypted(pdf([PAGE]), "", "владелец"))[0][1] == PAGE[0]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a readable PDF"),
        (b"%PDF-1.7\n", "not a readable PDF"),
        (b"PK\3\4", "not a readable PDF"),
        (encrypted(pdf([PAGE]), "secret", "secret"), "encrypted: save it anew without a password"),
        (pdf([[], []]), "no text layer"),
        (pdf([["  "]]), "no text layer"),
        (pdf([PAGE]).replace(b"/Contents 7 0 R", b"/Contents 1 0 R"), "no text layer|no page can be read"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_path(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        read_pdf("папка/а.pdf", data)
    assert raised.value.path == "папка/а.pdf"


def test_pages_are_bounded() -> None:
    with pytest.raises(PermanentError, match=f"{MOST_PAGES + 1} pages"):
        read_pdf("а.pdf", pdf([[]] * (MOST_PAGES + 1)))


def test_time_is_bounded() -> None:
    with pytest.raises(PermanentError, match="longer than the -1 seconds") as raised:
        read_pdf("а.pdf", pdf([PAGE]), seconds=-1)
    assert raised.value.path == "а.pdf"


def test_a_page_that_cannot_be_read_does_not_take_the_others_along() -> None:
    data = pdf([PAGE, PAGE]).replace(b"/Resources", b"/Resourcez", 1)
    assert [(page, text) for _, text, page, _ in blocks(data)][-1] == (2, PAGE[0])


def test_a_page_that_inflates_to_very_much_is_not_read() -> None:
    bomb = zlib.compress(b" " * (256 << 20), 9)
    packed = b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(bomb), bomb)
    data = re.sub(rb"<< /Length \d+ >>\nstream\nBT.*?endstream", lambda _: packed, pdf([PAGE]), flags=re.DOTALL)
    tracemalloc.start()
    with pytest.raises(PermanentError, match="no page can be read"):
        read_pdf("а.pdf", data)
    assert tracemalloc.get_traced_memory()[1] < 128 << 20
    tracemalloc.stop()


def test_pages_that_are_each_other_s_parents_end() -> None:
    data = pdf([PAGE]).replace(b"/Kids [6 0 R]", b"/Kids [2 0 R]")
    with pytest.raises(PermanentError):
        read_pdf("а.pdf", data)


def test_nothing_is_said_of_a_file_s_oddities(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    assert blocks(b"what mail programs put before\n" + pdf([PAGE]))[0][1] == PAGE[0]
    assert not caplog.records
    assert capsys.readouterr() == ("", "")


TRUE = pdf([["Приёмка", *PAGE], PAGE], bookmarks=[("Приёмка", 1), ("Отчёт", 2)], link="https://example.org")
SNIPPETS = [
    b"0 R",
    b"null",
    b"-1",
    b"<<",
    b">>",
    b"[",
    b"]",
    b"/Kids [1 0 R]",
    b"/Filter /FlateDecode",
    b"/Encrypt 5 0 R",
]


@given(st.one_of(st.binary(), st.integers(0, 2**32)))
@settings(deadline=None)
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(change: bytes | int) -> None:
    """A number is a seed of changes to a true file: what is all wrong never gets far."""
    path = "а.pdf"
    data = bytearray(change if isinstance(change, bytes) else TRUE)
    if isinstance(change, int):
        chance = random.Random(change)
        for _ in range(chance.randint(1, 8)):
            place = chance.randrange(len(data))
            data[place : place + chance.randint(0, 9)] = chance.choice([*SNIPPETS, chance.randbytes(3)])
    try:
        document = read_pdf(path, bytes(data))
    except PermanentError as error:
        told = error.path
    else:
        told = document.path if document else path
    assert told == path
