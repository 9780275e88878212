import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.retrieval.fusion import fuse, ranks


def test_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = fuse({"words": {"a": 1, "b": 2}, "vectors": {"b": 1, "c": 3}})
    assert fused == pytest.approx({"b": 1 / 62 + 1 / 61, "a": 1 / 61, "c": 1 / 63})
    assert list(fused) == ["b", "a", "c"]


def test_weights_and_k_are_given() -> None:
    assert fuse({"x": {"a": 1}, "y": {"a": 1}}, {"x": 3.0}, k=9) == pytest.approx({"a": 3 / 10 + 1 / 10})


def test_equal_scores_keep_the_order_of_coming() -> None:
    assert list(fuse({"words": {"a": 1}, "vectors": {"b": 1}})) == ["a", "b"]


def test_nothing_fuses_to_nothing() -> None:
    assert fuse({}) == fuse({"words": {}}) == {}


def test_ranks_leave_out_what_has_no_score() -> None:
    assert ranks({"a": 0.5, "b": 2.0, "c": 0.0, "d": 0.5, "e": -1.0}) == {"b": 1, "a": 2, "d": 3}


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 100), max_size=8))
def test_one_ranking_keeps_its_order(ranking: dict[str, int]) -> None:
    assert list(fuse({"only": ranking})) == sorted(ranking, key=lambda item: ranking[item])
