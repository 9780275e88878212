"""A model's text is taken only where it is the whole JSON that was asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.answering.citations import cited, parse


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "да", "key_points": [{"text": "т", "sources": [1]}]}',
        '```json\n{"answer": "да", "key_points": [{"text": "т", "sources": [1]}]}\n```',
        'Вот ответ: {"answer": " да ", "key_points": [{"text": "т", "sources": [1]}, {"text": 5}, "x"]} Готово.',
    ],
)
def test_a_whole_object_is_found_with_or_without_words_around(text: str) -> None:
    assert parse(text) == ("да", [("т", [1])])


@pytest.mark.parametrize(
    "text", ["", "нет", "{", '{"answer": "да", "key_points": [', '{"answer": ""}', '{"answer": 5}', "[1]",
             '{"answer": "да", "key_points": {}}'],
)  # fmt: skip
def test_anything_else_is_no_answer(text: str) -> None:
    assert parse(text) is None


@given(st.text())
def test_no_text_breaks_the_parser(text: str) -> None:
    found = parse(text)
    assert found is None or isinstance(found[0], str)


def test_points_keep_only_numbers_of_sources_that_exist() -> None:
    points = cited([("а", [1, 1, 3, 7]), ("б", []), ("в", [0, "1", True, 2.0]), (" ", [1])], 3)
    assert [(point.text, point.sources) for point in points] == [("а", (1, 3))]
