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


def test_a_chunk_that_begins_inside_a_table_begins_with_its_first_row() -> None:
    head, rows = (
        "Ячейка | Товар | Сколько",
        [f"А-{number} | ёлочные игрушки в коробке | {number}" for number in range(60)],
    )
    found = chunks(section("Что где лежит:", head, *rows, "После таблицы."))
    assert len(found) > 2
    assert found[0].text.split("\n")[:2] == ["Что где лежит:", head]
    assert all(chunk.text.split("\n")[0] == head for chunk in found[1:])
    assert [row for chunk in found for row in chunk.text.split("\n") if row in rows] == rows
    assert found[1].first_line > found[0].last_line


def test_a_wider_table_right_below_has_a_head_of_its_own() -> None:
    first = ["а | б", *(f"первая {number} | " + "слово " * 20 for number in range(8))]
    second = ["в | г | д | е", *(f"вторая {number} | " + "слово | " * 2 + "слово " * 20 for number in range(8))]
    found = chunks(section(*first, *second))
    for chunk in found[1:]:
        rows = chunk.text.split("\n")
        kind = rows[1].split()[0] if rows[0] in ("а | б", "в | г | д | е") else ""
        assert (rows[0], kind) in {("а | б", "первая"), ("в | г | д | е", "вторая")}


def test_code_above_the_window_is_cut_between_its_lines_and_their_numbers_are_right() -> None:
    lines = [f"    Сообщить(Строка{number}); // {number}" for number in range(300)]
    prose = Prose((Section((), (Block("\n".join(lines), 11, 310),)),))
    document = Document("а.md", DocumentKind.PAGE, "", "Т", prose)
    found = list(prose_chunks(document, prose, Context(window=200)))
    assert [line for chunk in found for line in chunk.text.split("\n")] == lines
    for chunk in found:
        assert chunk.text.split("\n") == lines[chunk.first_line - 11 : chunk.last_line - 10]


def test_a_paragraph_above_the_window_is_cut_between_sentences() -> None:
    sentences = [f"Предложение номер {number} о версии 8.3.{number} и складе." for number in range(60)]
    found = chunks(section(" ".join(sentences)), window=120)
    assert len(found) > 5
    assert " ".join(chunk.text for chunk in found).split() == " ".join(sentences).split()
    assert all(chunk.text.endswith(" и складе.") for chunk in found)


def test_places_that_are_pages_or_unknown_are_kept() -> None:
    blocks = (Block("слово " * 200, 7, 8), Block("слово\n" * 200, 0, 0))
    prose = Prose((Section((), blocks[:1]), Section((), blocks[1:])))
    document = Document("а.pdf", DocumentKind.PAGE, "", "Т", prose)
    found = list(prose_chunks(document, prose, Context(window=100)))
    assert {(chunk.first_line, chunk.last_line) for chunk in found} == {(7, 8), (0, 0)}


def test_very_small_blocks_are_not_said_again_and_again() -> None:
    found = chunks(section(*["а"] * 5_000))
    assert len(found) < 100


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
