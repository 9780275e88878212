from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from onec_rag.chunking.base import Context
from onec_rag.chunking.prose import CHARACTERS, OVERLAP, prose_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Block, Document, DocumentKind, Prose, Section
from onec_rag.text.budget import estimate_tokens


def section(*texts: str, headings: tuple[str, ...] = ("Приёмка",)) -> Section:
    return Section(headings, tuple(Block(text, number, number) for number, text in enumerate(texts, 1)))


def chunks(*sections: Section, window: int = 480, fqn: str = "", kind: DocumentKind = DocumentKind.PAGE) -> list[Chunk]:
    prose = Prose(tuple(sections))
    document = Document("склад/приемка.md", kind, fqn, "Склад", prose, "склад")
    return list(prose_chunks(document, prose, Context({"Справочник.Склады": "Места"}, {}, window)))


def test_a_section_is_a_chunk_under_its_headings() -> None:
    first, second = chunks(section("один", "два"), section("три", headings=("Приёмка", "Брак")))
    assert (first.kind, first.symbol, first.title) == (ChunkKind.PAGE, "Приёмка", "Склад")
    assert (first.breadcrumb, first.text) == ("Склад / Приёмка", "один\nдва")
    assert (first.first_line, first.last_line) == (1, 2)
    assert first.facets == {"section": "склад"}
    assert second.breadcrumb == "Склад / Приёмка / Брак"


def test_a_heading_that_is_the_title_is_said_once() -> None:
    (chunk,) = chunks(section("текст", headings=("Склад",)))
    assert chunk.breadcrumb == "Склад"


def test_help_is_called_by_its_object() -> None:
    (chunk,) = chunks(section("текст"), fqn="Справочник.Склады", kind=DocumentKind.HELP)
    assert chunk.kind is ChunkKind.HELP
    assert chunk.breadcrumb == "Справочник.Склады (Места): Склад / Приёмка"


def test_long_sections_are_windows_of_whole_blocks_with_overlap() -> None:
    blocks = [f"Абзац номер {number}. " + "слово " * 15 for number in range(40)]
    found = chunks(section(*blocks))
    assert len(found) > 5
    assert all(len(chunk.text) <= CHARACTERS + len(chunk.text.split("\n")) for chunk in found)
    for one, other in pairwise(found):
        said_again = [line for line in one.text.split("\n") if line in other.text.split("\n")]
        assert 0 < len("".join(said_again)) <= OVERLAP
    assert {line for chunk in found for line in chunk.text.split("\n")} == set(blocks)


def test_a_block_above_the_characters_stays_whole_where_the_window_allows() -> None:
    table = "\n".join(f"| строка {number} | значение |" for number in range(40))
    assert len(table) > CHARACTERS
    assert any(table in chunk.text for chunk in chunks(section("до", table, "после"), window=8_000))


def test_blank_blocks_give_nothing() -> None:
    assert chunks(section(" ", "\n")) == chunks(section()) == chunks() == []


@given(
    st.lists(st.text(alphabet="абв.| \n", max_size=900), max_size=8),
    st.text(alphabet="Заголовок ", max_size=900),
    st.sampled_from([48, 480]),
)
def test_no_chunk_is_above_the_window_and_no_text_is_lost(texts: list[str], heading: str, window: int) -> None:
    found = chunks(section(*texts, headings=(heading,)), window=window)
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)
    joined = "".join(chunk.text for chunk in found).replace("\n", "")
    for text in texts:
        for line in filter(str.strip, text.split("\n")):
            assert line in joined or any(line[:20] in chunk.text.replace("\n", "") for chunk in found)


def test_a_page_of_megabytes_is_bounded_work() -> None:
    found = chunks(section(*["слово " * 100] * 3_000, "б" * 1_000_000))
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in found)
