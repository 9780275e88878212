import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.pages import MOST_BLOCKS, Outline, page_document, without_lines
from onec_rag.model.document import Block, Prose, Section


def test_headings_make_paths_and_empty_sections_go() -> None:
    outline = Outline()
    for level, heading in [(2, "А"), (4, "Б"), (3, "В"), (1, "Г"), (6, "Д")]:
        outline.open(level, heading)
        if heading != "Г":
            outline.add(Block(heading.lower(), 1, 1))
    assert [section.headings for section in outline.prose().sections] == [
        ("А",),
        ("А", "Б"),
        ("А", "В"),
        ("Г", "Д"),
    ]


@pytest.mark.parametrize(
    ("steps", "heading"),
    [([(2, "А"), (1, "Б"), (1, "В")], "Б"), ([(3, "А"), (2, "Б")], "А"), ([(0, "текст"), (2, "А")], ""), ([], "")],
)
def test_the_first_heading_of_the_first_level_speaks_for_the_page_else_one_that_opens_it(
    steps: list[tuple[int, str]], heading: str
) -> None:
    outline = Outline()
    for level, text in steps:
        if level:
            outline.open(level, text)
        else:
            outline.add(Block(text, 1, 1))
    assert outline.heading == heading


def test_links_out_of_the_page_are_kept_once() -> None:
    outline = Outline()
    for target in (" а.md ", "#б", "", "а.md", "javascript:в()", "data:г", "mailto:д"):
        outline.link(target)
    assert outline.prose().links == ("а.md", "mailto:д")


def test_paragraphs_are_bounded() -> None:
    outline = Outline("а.md")
    for _ in range(MOST_BLOCKS):
        outline.add(Block("а", 1, 1))
    with pytest.raises(PermanentError, match=f"{MOST_BLOCKS} paragraphs") as raised:
        outline.add(Block("а", 1, 1))
    assert raised.value.path == "а.md"


@pytest.mark.parametrize(
    ("path", "title", "section", "expected"),
    [
        ("а/б/в г.md", "", "", ("в г", "а")),
        ("в.md", "Т", "Р", ("Т", "Р")),
        ("в.md", "", "", ("в", "")),
    ],
)
def test_title_and_section_are_told_else_taken_from_the_path(
    path: str, title: str, section: str, expected: tuple[str, str]
) -> None:
    document = page_document(path, Prose((Section((), (Block("т", 1, 1),)),)), title, section)
    assert document is not None
    assert (document.title, document.section, document.fqn, document.path) == (*expected, "", path)


def test_a_page_without_text_is_none() -> None:
    assert page_document("а.md", Prose(()), "Т") is None


def test_lines_can_be_unknown() -> None:
    prose = Prose((Section(("А",), (Block("т", 3, 4),)),), ("б",))
    assert without_lines(prose) == Prose((Section(("А",), (Block("т", 0, 0),)),), ("б",))
