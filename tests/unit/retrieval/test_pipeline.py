from onec_rag.model.search import Candidate, Mode
from onec_rag.retrieval.pipeline import rank


def candidate(number: int, lexical: int | None, vector: int | None) -> Candidate:
    return Candidate(0, number, lexical, lexical and 1 / lexical, vector, vector and vector / 100, {}, 10)


BOTH, WORDS, NEAR = candidate(1, 2, 2), candidate(2, 1, None), candidate(3, None, 1)
CANDIDATES = [BOTH, WORDS, NEAR]


def order(bm25: list[float], mode: Mode) -> list[int]:
    return [item.chunk_id for item in rank(CANDIDATES, bm25, mode)[0]]


def test_lexical_mode_is_the_order_of_bm25() -> None:
    assert order([1.0, 3.0, 2.0], Mode.LEXICAL) == [2, 3, 1]


def test_lexical_mode_leaves_out_what_holds_no_word() -> None:
    assert order([1.0, 3.0, 0.0], Mode.LEXICAL) == [2, 1]


def test_vector_mode_is_the_order_of_distance() -> None:
    assert order([9.0, 9.0, 9.0], Mode.VECTOR) == [3, 1]


def test_hybrid_prefers_what_both_channels_found() -> None:
    assert order([2.0, 1.0, 0.0], Mode.HYBRID)[0] == 1


def test_bm25_votes_once_more_in_hybrid_mode() -> None:
    # By the channels alone 1 is first and 2 and 3 are equal; BM25 lifts 3 above 2.
    assert order([1.0, 0.5, 3.0], Mode.HYBRID).index(3) < order([1.0, 0.5, 3.0], Mode.HYBRID).index(2)


def test_every_channel_tells_its_ranks_and_scores() -> None:
    _, channels = rank(CANDIDATES, [1.0, 3.0, 0.0], Mode.HYBRID)
    assert channels == {
        "lexical": {1: (2, 0.5), 2: (1, 1.0)},
        "vector": {1: (2, 0.98), 3: (1, 0.99)},
        "bm25": {1: (2, 1.0), 2: (1, 3.0)},
    }


def test_nothing_is_ranked_as_nothing() -> None:
    for mode in Mode:
        assert rank([], [], mode)[0] == {}
