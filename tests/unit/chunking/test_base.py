from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.chunking.base import Context, Piece, pack, shorten
from onec_rag.text.budget import estimate_tokens

ROOM = 60
PIECES = st.lists(st.builds(Piece, st.integers(0, 90).map("слово ".__mul__), st.just(1), st.just(1), st.booleans()))


def cost(part: list[Piece]) -> int:
    return estimate_tokens("\n".join(piece.text for piece in part))


def lines(*texts: str, border: bool = True) -> list[Piece]:
    return [Piece(text, number, number, border) for number, text in enumerate(texts, 1)]


@given(PIECES)
@settings(max_examples=300)
def test_parts_hold_every_piece_in_order_and_none_is_above_the_room(pieces: list[Piece]) -> None:
    parts = pack(pieces, ROOM)
    assert "".join(piece.text for piece in chain.from_iterable(parts)) == "".join(piece.text for piece in pieces)
    assert all(parts)
    assert all(cost(part) <= ROOM for part in parts)


@given(st.text(max_size=600), st.integers(5, 200))
def test_slices_of_a_long_piece_fit_and_lose_nothing(text: str, room: int) -> None:
    slices = shorten(Piece(text, 3, 4), room)
    assert "".join(piece.text for piece in slices) == text
    assert {(piece.first_line, piece.last_line) for piece in slices} == {(3, 4)}
    assert all(estimate_tokens(piece.text) <= room for piece in slices)


def test_what_fits_is_one_part() -> None:
    assert pack(lines("а", "б", "в"), ROOM) == [lines("а", "б", "в")]
    assert pack([], ROOM) == []


def test_a_part_begins_at_a_border() -> None:
    long = "слово другое третье"
    pieces = [Piece(long, number, number, border=number % 5 == 0) for number in range(40)]
    for part in pack(pieces, ROOM)[1:]:
        assert part[0].border


def test_without_borders_parts_are_cut_where_they_are_full() -> None:
    parts = pack(lines(*["слово другое третье"] * 40, border=False), ROOM)
    assert len(parts) > 3
    assert all(cost(part) <= ROOM for part in parts)
    assert all(cost(part) > ROOM // 2 for part in parts[:-1])


def test_an_early_border_is_no_reason_for_a_part_above_the_room() -> None:
    """What stands behind the last border may be so long that the next piece does not fit to it."""
    long = Piece("слово другое третье " * 10, 0, 0, border=False)
    pieces = [Piece("а", 0, 0), Piece("б", 0, 0), long, long, long]
    assert cost([long]) < ROOM < cost([long, long])
    assert all(cost(part) <= ROOM for part in pack(pieces, ROOM))


@pytest.mark.parametrize("changed", [0, 37, 150, 299])
def test_an_inserted_line_moves_the_borders_near_it_alone(changed: int) -> None:
    texts = [f"Переменная{number} = Посчитать(Параметр{number * 7}, {number});" for number in range(300)]
    before = [tuple(piece.text for piece in part) for part in pack(lines(*texts), 200)]
    edited = [*texts[:changed], "Новая = Строка(1);", *texts[changed:]]
    after = [tuple(piece.text for piece in part) for part in pack(lines(*edited), 200)]
    assert len(before) > 15
    assert len(set(after) - set(before)) <= 4


def test_the_room_is_what_the_fixed_texts_leave() -> None:
    context = Context(window=400)
    assert context.room() == 400
    assert context.room("Справочник Товары") == 400 - estimate_tokens("Справочник Товары") - 1
    assert context.room("слово " * 5_000) == 100


def test_an_object_is_called_by_its_synonym_where_it_says_more() -> None:
    context = Context({"Справочник.Товары": "Товары и услуги", "Справочник.Склады": "Склады"})
    assert context.called("Справочник.Товары") == "Справочник.Товары (Товары и услуги)"
    assert context.called("Справочник.Склады") == "Справочник.Склады"
    assert context.called("Справочник.Нет") == "Справочник.Нет"
