import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag_client.surrogates import repair


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert repair(text) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_that_was_decoded_as_ascii_comes_back(text: str) -> None:
    assert repair(text.encode().decode("ascii", "surrogateescape")) == text


@given(st.text())
def test_whatever_comes_can_be_sent(text: str) -> None:
    repair(text).encode()


@pytest.mark.parametrize(
    ("broken", "repaired"),
    [
        ("\ud83d\ude00", "😀"),
        ("а\ud800б", "а\N{REPLACEMENT CHARACTER}б"),
        ("\udcd0", "\N{REPLACEMENT CHARACTER}"),
        ("Пётр \udcd0\udc9f!", "Пётр П!"),
    ],
)
def test_surrogates_are_decoded_joined_or_replaced(broken: str, repaired: str) -> None:
    assert repair(broken) == repaired
