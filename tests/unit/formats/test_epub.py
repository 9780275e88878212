import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.epub import is_epub, read_epub
from onec_rag.model.document import Document, Prose
from unit.formats.documentation_builder import DATA, documentation_files
from unit.formats.epub_builder import chapter, epub, nav, ncx, point
from unit.formats.zip_builder import Entry, build

ENCRYPTED = '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptionMethod Algorithm="{}"/></encryption>'


def read(data: bytes) -> Document:
    document = read_epub("папка/имя.epub", data)
    assert document is not None
    return document


def blocks(data: bytes) -> list[tuple[tuple[str, ...], str]]:
    content = read(data).content
    assert isinstance(content, Prose)
    return [(section.headings, block.text) for section in content.sections for block in section.blocks]


def test_books_are_told_by_their_extension() -> None:
    assert [is_epub(path) for path in ("а.epub", "а/Б.EPUB", "epub", "а.fb2")] == [True, True, False, False]


def test_the_fixture_is_what_its_builder_makes() -> None:
    name = "Руководство/витрина.epub"
    assert (DATA / name).read_bytes() == documentation_files()[name]


def test_chapters_are_read_in_the_order_of_the_spine_once() -> None:
    data = epub("К", {"2.xhtml": chapter("<p>а"), "1.xhtml": chapter("<p>б")})
    assert blocks(data) == [((), "а"), ((), "б")]
    opf = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="1.xhtml" '
        'media-type="application/xhtml+xml"/><item id="b" href="b.png" media-type="image/png"/></manifest><spine>'
        '<itemref idref="a"/><itemref idref="b"/><itemref idref="нет"/><itemref idref="a"/></spine></package>'
    )
    assert blocks(epub("К", {"1.xhtml": chapter("<p>в")}, parts={"OEBPS/book.opf": opf})) == [((), "в")]


@pytest.mark.parametrize("version", [2, 3])
def test_sections_stand_under_the_titles_of_the_table_of_contents(version: int) -> None:
    chapters = {
        "1.xhtml": chapter("<p>а"),
        "глава%202.xhtml": chapter("<h1>Глава</h1><p>б<h2>Раздел</h2><p>в"),
        "3.xhtml": chapter("<h1>Своё</h1><p>г"),
    }
    if version == 2:
        inner = point("Глава", "глава%202.xhtml") + point("Раздел", "глава%202.xhtml#r")
        chapters["toc.ncx"] = ncx(point("Часть", "1.xhtml", inner))
    else:
        inner = '<ol><li><a href="глава%202.xhtml">Глава</a></li><li><a href="глава%202.xhtml#r">Раздел</a></li></ol>'
        chapters["nav.xhtml"] = nav(f'<ol><li><a href="1.xhtml">Ча<i>сть</i></a>{inner}</li></ol>')
    parts = {"OEBPS/глава 2.xhtml": chapters["глава%202.xhtml"]}
    assert blocks(epub("К", chapters, parts=parts)) == [
        (("Часть",), "а"),
        (("Часть", "Глава"), "б"),
        (("Часть", "Глава", "Раздел"), "в"),
        (("Своё",), "г"),
    ]


def test_entries_that_lead_inside_one_chapter_are_not_all_above_it() -> None:
    toc = ncx(point("Часть", "", point("Первый", "1.xhtml#a") + point("Второй", "1.xhtml#b")))
    data = epub("К", {"toc.ncx": toc, "1.xhtml": chapter("<h2>Первый</h2><p>а<h2>Второй</h2><p>б")})
    assert blocks(data) == [(("Часть", "Первый"), "а"), (("Часть", "Второй"), "б")]


def test_pages_are_read_as_html_whatever_xhtml_closes() -> None:
    page = chapter(
        '<a id="a"/><p/><nav>нет</nav><p>а&#173;б&nbsp;в<span epub:type="pagebreak" title="1"/></p>',
        "<title/><script/>",
    )
    assert blocks(epub("К", {"1.xhtml": page})) == [((), "аб в")]


def test_title_section_and_lines() -> None:
    document = read(epub("Книга", {"1.xhtml": chapter("<h1>Г</h1><p>т")}))
    assert (document.title, document.section) == ("Книга", "папка")
    assert isinstance(document.content, Prose)
    assert document.content.sections[0].blocks[0].first_line == 0
    assert read(epub("", {"1.xhtml": chapter("<p>т")})).title == "имя"


def test_a_book_of_pictures_is_none() -> None:
    assert read_epub("а.epub", epub("К", {"1.xhtml": chapter('<img src="a.png" alt=""/>')})) is None


def test_obfuscated_fonts_are_no_protection() -> None:
    encryption = ENCRYPTED.format("http://www.idpf.org/2008/embedding")
    assert blocks(epub("К", {"1.xhtml": chapter("<p>т")}, parts={"META-INF/encryption.xml": encryption})) == [((), "т")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "zip|empty"),
        (build([Entry(b"mimetype", b"application/epub+zip")]), "lacks a part"),
        (epub("К", {}, parts={"META-INF/container.xml": "<container/>"}), "lacks a part"),
        (epub("К", {}, parts={"OEBPS/book.opf": "<package>"}), "not well-formed"),
        (epub("К", {}, parts={"META-INF/encryption.xml": ENCRYPTED.format("aes128-cbc")}), "DRM"),
        (epub("К", {"1.xhtml": chapter("<div>" * 100_000)}), "depth"),
        (epub("К", {"toc.ncx": ncx("<navPoint>" * 1_000), "1.xhtml": chapter("т")}), "not well-formed"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_path(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        read_epub("папка/а.epub", data)
    assert raised.value.path == "папка/а.epub"


POINTS = st.sampled_from(["<navPoint>", "</navPoint>", point("а", "1.xhtml"), point("", "../../x"), "<content/>"])
ITEMS = st.sampled_from(
    ["<ol>", "</ol>", "<li>", "</li>", '<a href="1.xhtml#x">а</a>', "<span>б</span>", "<nav>", "</nav>"]
)
WORDS = st.sampled_from(
    ["<p>", "<h1>", "</h1>", "<title/>", "<a/>", "слово", "<td>", "<tr>", "&nbsp;", "<!--", "\0", "<nav>"]
)


@given(
    st.lists(POINTS, max_size=8).map("".join),
    st.lists(ITEMS, max_size=8).map("".join),
    st.lists(WORDS, max_size=12).map("".join),
    st.booleans(),
)
@settings(deadline=None)
def test_any_parts_give_a_book_or_nothing_or_a_permanent_error(points: str, items: str, words: str, old: bool) -> None:
    path = "а.epub"
    contents = {"toc.ncx": ncx(points)} if old else {"nav.xhtml": nav(items)}
    try:
        document = read_epub(path, epub("К", contents | {"1.xhtml": chapter(words)}))
    except PermanentError as error:
        told = error.path
    else:
        told = document.path if document else path
    assert told == path
