import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.text.question import EXACT_WEIGHT, MOST_CHARACTERS, MOST_TERMS, STEM_WEIGHT, question_terms


def test_each_term_once_and_a_word_above_its_stem() -> None:
    assert question_terms("цена Цена ЦЕНЫ") == {"цена": EXACT_WEIGHT, "~цен": STEM_WEIGHT, "цены": EXACT_WEIGHT}
    assert EXACT_WEIGHT > STEM_WEIGHT


@pytest.mark.parametrize("question", ["", " ", "?!—", "\0", "\ud800", "\U0001f600", "- -- ---", "'\"`"])
def test_signs_alone_are_no_terms(question: str) -> None:
    assert question_terms(question) == {}


def test_signs_between_words_part_them() -> None:
    assert set(question_terms("цена\0товара")) == {"цена", "~цен", "товара", "~товар"}


def test_terms_are_bounded() -> None:
    assert len(question_terms(" ".join(f"слово{number}" for number in range(1_000)))) == MOST_TERMS


def test_what_stands_behind_the_bound_is_not_read() -> None:
    terms = question_terms("цена " * (MOST_CHARACTERS // 5) + "товар")
    assert "товар" not in terms
    assert "цена" in terms


@given(st.text())
def test_no_question_fails(question: str) -> None:
    assert len(question_terms(question)) <= MOST_TERMS
