import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.markdown import LARGEST, is_markdown, read_markdown
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


def test_html_inside_gives_headings_rows_links_and_alternative_texts() -> None:
    text = (
        "<h1 align=center>А</h1>\n\nб\n\n<table>\n<tr><th>в<th>г\n<tr><td>д<td>е\n</table>\n\n"
        "<details>\n<summary>ж</summary>\n\nз\n\n</details>\n\n<p><a href='к.md'><img alt='и'></a></p>\n"
    )
    document = read(text)
    assert blocks(text) == [(("А",), word) for word in ("б", "в | г", "д | е", "ж", "з", "и")]
    assert document.title == "А"
    assert isinstance(document.content, Prose)
    assert document.content.links == ("к.md",)
    assert [block.first_line for block in document.content.sections[0].blocks] == [3, 6, 7, 11, 13, 17]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (":::tip\nа\n:::\n", ["а"]),
        (":::caution Важно\n\nа\n\n:::\n", ["Важно", "а"]),
        ("::: note\n\n- а\n- б\n\n:::\n", ["а", "б"]),
        ('!!! note "Важно"\n    а\n', ['"Важно" а']),
        ("> [!WARNING]\n> а\n", ["а"]),
        ("а:::б !!! в", ["а:::б !!! в"]),
        ("```\n:::tip\n```\n", [":::tip"]),
    ],
)
def test_marks_of_boxes_are_left_out_and_what_is_in_the_boxes_is_not(text: str, said: list[str]) -> None:
    assert [block for _, block in blocks(text)] == said


def test_an_identifier_of_a_heading_is_not_said() -> None:
    assert blocks("## А {#a-b}\nв") == [(("А",), "в")]


def test_imports_of_mdx_are_no_text() -> None:
    document = read(
        "import Tabs from '@theme/Tabs';\nexport const A = 1\n\n<Tabs>\n\nexport — слово\n\n</Tabs>\n", "а.mdx"
    )
    assert isinstance(document.content, Prose)
    assert [block.text for block in document.content.sections[0].blocks] == ["export — слово"]


def test_lines_are_those_of_the_source_whatever_ends_them() -> None:
    for end in ("\n", "\r\n", "\r"):
        content = read(end.join(["# А", "", "б", "", "```", "в", "```", "г"])).content
        assert isinstance(content, Prose)
        assert [(block.first_line, block.last_line) for block in content.sections[0].blocks] == [(3, 3), (5, 7), (8, 8)]


def test_a_book_in_one_file_is_read_whole_and_its_lines_are_right() -> None:
    chapters = 30
    chapter = "# Глава {}\n\n" + "слово " * 5_000 + "\n\n```\n\nкод\n\n---\n```\n\n---\n\n"
    document = read("".join(chapter.format(number) for number in range(chapters)))
    assert isinstance(document.content, Prose)
    assert [section.headings for section in document.content.sections] == [(f"Глава {n}",) for n in range(chapters)]
    assert {len(section.blocks) for section in document.content.sections} == {2}
    last = document.content.sections[-1].blocks[-1]
    assert (last.text, last.first_line, last.last_line) == ("код\n\n---", 29 * 13 + 5, 29 * 13 + 10)


@pytest.mark.parametrize("text", ["> " * 200 + "а", "- " * 200 + "а"])
def test_what_is_nested_beyond_reason_is_an_error_and_never_lost(text: str) -> None:
    with pytest.raises(PermanentError, match="nested above 100 levels") as raised:
        read_markdown("а.md", text.encode())
    assert (raised.value.path, raised.value.place) == ("а.md", "line 1")


@pytest.mark.parametrize("text", ["> " * 90 + "а", "- " * 45 + "а"])
def test_what_is_nested_deep_is_read(text: str) -> None:
    assert [block for _, block in blocks(text)] == ["а"]


def test_a_page_above_the_limit_is_an_error() -> None:
    with pytest.raises(PermanentError, match=f"{LARGEST} bytes"):
        read_markdown("а.md", b"a" * (LARGEST + 1))


@pytest.mark.parametrize("part", ["[", "![", "*a **b ", "`" * 3 + "a ", "<a ", "- a\n", "|a", "[a](", "<!--", "&#"])
def test_endless_marks_are_bounded_work(part: str) -> None:
    assert blocks(f"начало\n\n{part * 3_000}")[0] == ((), "начало")
