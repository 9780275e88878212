from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.brace_text import DEEPEST, Value, read_values

VALUES = st.recursive(st.text(), lambda children: st.lists(children, max_size=4), max_leaves=20)


def written(value: object) -> str:
    if isinstance(value, list):
        return "{" + ",\r\n".join(map(written, value)) + "}"
    return '"' + str(value).replace('"', '""') + '"'


def test_lists_hold_words_strings_and_lists() -> None:
    assert list(read_values('{7,"Улей",{1,-2,{"#","Мёд"}},{}}')) == ["7", "Улей", ["1", "-2", ["#", "Мёд"]], []]


def test_strings_double_their_quotes_and_may_have_lines() -> None:
    assert list(read_values('{"а ""б"" в","первая\r\nвторая",""}')) == ['а "б" в', "первая\r\nвторая", ""]


def test_commas_and_white_space_only_separate() -> None:
    assert list(read_values("\ufeff {1 ,\r\n\t2,,{3}\r\n}\r\n")) == ["1", "2", ["3"]]


def test_what_follows_the_list_is_not_read() -> None:
    assert list(read_values('{1}{2} "')) == ["1"]


def test_elements_come_before_the_damage_behind_them() -> None:
    values: Iterator[Value] = read_values('{1,{2},"не закрыта')
    assert list(islice(values, 2)) == ["1", ["2"]]
    with pytest.raises(PermanentError, match="breaks off"):
        next(values)


@pytest.mark.parametrize("text", ["", "слово", "}", "{", "{1,{2}", '{"', "1,{2}"])
def test_no_list_is_an_error_with_its_place(text: str) -> None:
    with pytest.raises(PermanentError, match="brace text is damaged") as raised:
        list(read_values(text))
    assert raised.value.place.startswith("character ")


def test_depth_is_bounded() -> None:
    assert len(list(read_values("{" * DEEPEST + "1" + "}" * DEEPEST))) == 1
    with pytest.raises(PermanentError, match="deeper than 64"):
        list(read_values("{" * 100_000))


@given(VALUES)
def test_what_is_written_is_read(value: object) -> None:
    assert list(read_values(written([value]))) == [value]


@given(st.text(alphabet='{}",1 \nа', max_size=60))
def test_any_text_gives_values_or_a_permanent_error(text: str) -> None:
    with suppress(PermanentError):
        list(read_values(text))
