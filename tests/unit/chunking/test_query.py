from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.chunking.base import Context
from onec_rag.chunking.query import query_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Query
from onec_rag.text.budget import estimate_tokens

TEXT = """\
ВЫБРАТЬ
	Ёлки.Ссылка КАК Ссылка
ИЗ
	Справочник.Ёлки КАК Ёлки"""


def chunks(query: Query, breadcrumb: str = "Отчет.Ёлки", window: int = 480) -> list[Chunk]:
    return list(query_chunks("Отчет.Ёлки", query, breadcrumb, Context(window=window)))


def long_query(fields: int) -> Query:
    names = ",\n".join(f"\tЁлки.Реквизит{number} КАК Реквизит{number}" for number in range(fields))
    return Query(f"ВЫБРАТЬ\n{names}\nИЗ\n\tСправочник.Ёлки КАК Ёлки", ("Справочник.Ёлки",))


def test_a_query_is_a_chunk_under_the_tables_that_it_reads() -> None:
    query = Query(TEXT, ("Справочник.Ёлки", "Справочник.Шары"), "НаборДанных", 10, 13)
    (chunk,) = query_chunks("Отчет.Ёлки", query, "Отчёт о ёлках", Context(), title="Ёлки", facets={"export": True})
    assert (chunk.kind, chunk.fqn, chunk.symbol) == (ChunkKind.QUERY, "Отчет.Ёлки", "НаборДанных")
    assert chunk.breadcrumb == "Отчёт о ёлках\nТаблицы: Справочник.Ёлки, Справочник.Шары"
    assert (chunk.text, chunk.title, chunk.facets) == (TEXT, "Ёлки", {"export": True})
    assert (chunk.first_line, chunk.last_line) == (10, 13)


def test_a_query_without_tables_has_no_row_for_them() -> None:
    assert chunks(Query("ВЫБРАТЬ 1"))[0].breadcrumb == "Отчет.Ёлки"


def test_an_empty_query_gives_nothing() -> None:
    assert chunks(Query(" \n")) == []


def test_a_long_query_is_cut_between_its_lines_and_each_part_says_the_tables() -> None:
    query = long_query(60)
    parts = chunks(query, window=200)
    assert len(parts) > 3
    assert "\n".join(part.text for part in parts) == query.text
    assert all(part.breadcrumb.endswith("Таблицы: Справочник.Ёлки") for part in parts)


def test_a_part_begins_at_a_clause_or_behind_a_comma() -> None:
    condition = "\n".join(f"\tИ Ёлки.Реквизит{number} = 1" for number in range(6))
    query = Query(f"ВЫБРАТЬ\n\tЁлки.Ссылка,\n\tЁлки.Код\nИЗ Справочник.Ёлки КАК Ёлки\nГДЕ ИСТИНА\n{condition}")
    starts = [part.text.split("\n")[0].strip() for part in chunks(query, window=110)]
    assert starts == ["ВЫБРАТЬ", "ГДЕ ИСТИНА"]


def test_lines_of_the_file_are_told_by_part_where_the_text_has_them_all() -> None:
    query = long_query(60)
    lines = len(query.text.split("\n"))
    exact = chunks(Query(query.text, first_line=5, last_line=4 + lines), window=200)
    assert [exact[0].first_line, exact[-1].last_line] == [5, 4 + lines]
    assert all(before.last_line + 1 == after.first_line for before, after in pairwise(exact))
    vague = chunks(Query(query.text, first_line=5, last_line=90), window=200)
    assert {(part.first_line, part.last_line) for part in vague} == {(5, 90)}


def test_of_very_many_tables_the_first_are_named_whole() -> None:
    tables = tuple(f"Справочник.Таблица{number}" for number in range(100))
    row = chunks(Query(TEXT, tables))[0].breadcrumb.split("\n")[1]
    assert row.endswith("…")
    assert set(row.removeprefix("Таблицы: ").removesuffix("…").split(", ")) <= set(tables)


@pytest.mark.parametrize("window", [60, 480])
@given(text=st.text(max_size=900), breadcrumb=st.text(max_size=900), tables=st.lists(st.text(max_size=90), max_size=9))
def test_no_chunk_is_above_the_window(window: int, text: str, breadcrumb: str, tables: list[str]) -> None:
    for chunk in chunks(Query(text, tuple(tables)), breadcrumb, window):
        assert estimate_tokens(chunk.embedded_text) <= window
