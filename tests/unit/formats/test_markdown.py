import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.markdown import is_markdown, read_markdown
from onec_rag.model.document import Document, Prose


def read(text: str, path: str = "папка/имя.md") -> Document:
    document = read_markdown(path, text.encode())
    assert document is not None
    return document


def blocks(text: str) -> list[tuple[tuple[str, ...], str]]:
    content = read(text).content
    assert isinstance(content, Prose)
    return [(section.headings, block.text) for section in content.sections for block in section.blocks]


def test_pages_are_told_by_their_extension() -> None:
    assert [is_markdown(path) for path in ("а.md", "а/Б.MD", "а.markdown", "а.mdx", "md")] == [True] * 4 + [False]


@pytest.mark.parametrize(
    ("text", "path", "title", "section"),
    [
        ("---\ntitle: 'Из шапки'\nsection: Раздел\n---\n# З\nт", "а/б/в.md", "Из шапки", "Раздел"),
        ("---\ntitle:\nauthor: я\n---\n# З\nт", "а/б/в.md", "З", "а"),
        ("## Второй\nт\n\n# Первый `код`\nт", "в.md", "Первый код", ""),
        ("т", "а/глава 1.2.md", "глава 1.2", "а"),
        ("title: не шапка\n", "в.md", "в", ""),
    ],
)
def test_title_and_section_come_from_the_front_matter_else_from_the_page(
    text: str, path: str, title: str, section: str
) -> None:
    document = read(text, path)
    assert (document.title, document.section) == (title, section)


def test_a_code_block_is_whole_and_its_hashes_are_no_headings() -> None:
    assert blocks("# А\n```\n# б\n\n## в\n```\n\n    г\n\n    д\n") == [(("А",), "# б\n\n## в"), (("А",), "г\n\nд")]


def test_a_list_item_is_whole_up_to_the_list_inside_it() -> None:
    text = "- а\n  б\n\n  в\n  1. г\n     ```\n     д\n     ```\n- е\n"
    assert [block for _, block in blocks(text)] == ["а б\nв", "г", "д", "е"]


def test_inline_marks_leave_their_text() -> None:
    assert blocks("**а** `б` [в](г) ![д *е*](ж)<br>з  \nи &lt; <https://1c.ru>") == [
        ((), "а б в д е\nз\nи < https://1c.ru")
    ]


def test_links_are_kept_as_written() -> None:
    content = read("[а](путь/файл.md#б) [в](#г) [д][е]\n\n[е]: ../Ё.md\n").content
    assert isinstance(content, Prose)
    assert content.links == ("путь/файл.md#б", "../Ё.md")


def test_text_inside_html_is_kept_without_its_tags() -> None:
    assert blocks("<div>\n<!-- нет -->\n<b>а</b> &amp; б\n</div>\n\n<!-- нет -->\n\nв") == [((), "а & б"), ((), "в")]


@pytest.mark.parametrize("text", ["", "\n", "---\ntitle: а\n---\n", "<!-- а -->", "# Только заголовок"])
def test_a_page_without_text_is_none(text: str) -> None:
    assert read_markdown("а.md", text.encode()) is None


def test_bytes_that_are_no_text_are_a_permanent_error() -> None:
    with pytest.raises(PermanentError, match="binary data"):
        read_markdown("а.md", b"\0")
