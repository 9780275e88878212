import math

import pytest
from rank_bm25 import BM25Okapi

from onec_rag.model.search import Candidate, Statistics
from onec_rag.retrieval.reranking.bm25 import bm25_scores, inverse_frequency, weighted_frequency

K1, B = 1.2, 0.6


def candidate(number: int, length: int, **frequencies: str) -> Candidate:
    return Candidate(0, number, None, None, None, None, frequencies, length)


@pytest.mark.parametrize(
    ("stored", "weighted"), [("1", 1.0), ("3", 3.0), ("0,1", 1.5), ("2,1,1", 5.5), ("1,1,1,1", 7.5), ("0,0,0,2", 6.0)]
)
def test_frequencies_are_summed_by_the_weight_of_their_field(stored: str, weighted: float) -> None:
    assert weighted_frequency(stored) == weighted


def test_idf_is_that_of_lucene_times_the_weight_of_the_question() -> None:
    statistics = Statistics(100, 10.0, {"часто": 99, "редко": 1, "всюду": 120})
    idf = inverse_frequency(statistics, {"часто": 1.0, "редко": 0.5, "всюду": 1.0, "нет": 1.0})
    assert idf == pytest.approx({
        "часто": math.log(1 + 1.5 / 99.5), "редко": 0.5 * math.log(1 + 99.5 / 1.5), "всюду": math.log(1 + 0.5 / 100.5),
    })  # fmt: skip
    assert all(value > 0 for value in idf.values())


def test_scores_are_computed_by_hand() -> None:
    statistics = Statistics(10, 20.0, {"цена": 2, "товар": 5})
    idf = {"цена": 2.0, "товар": 0.5}
    both, one, none = candidate(1, 20, цена="2", товар="1"), candidate(2, 40, цена="1"), candidate(3, 5)
    assert bm25_scores([both, one, none], statistics, idf) == pytest.approx([
        2.0 * 2 * (K1 + 1) / (2 + K1) + 0.5 * 1 * (K1 + 1) / (1 + K1),  # of mean length, so nothing for length
        2.0 * 1 * (K1 + 1) / (1 + K1 * (1 - B + B * 40 / 20)),
        0.0,
    ])  # fmt: skip


def test_scores_equal_those_of_the_package_over_the_same_texts() -> None:
    texts = ["цена товара цена", "товар", "цена услуги и цена товара и цена доставки", "услуги"]
    corpus = [text.split() for text in texts]
    package = BM25Okapi(corpus, k1=K1, b=B)
    candidates = [
        candidate(number, len(words), **{word: str(words.count(word)) for word in words})
        for number, words in enumerate(corpus)
    ]
    statistics = Statistics(len(corpus), sum(map(len, corpus)) / len(corpus), {})
    for query in (["цена"], ["цена", "услуги"], ["товар", "нет"]):
        idf = {word: package.idf[word] for word in query if word in package.idf}
        assert bm25_scores(candidates, statistics, idf) == pytest.approx(package.get_scores(query).tolist())


def test_a_name_weighs_more_than_a_body() -> None:
    statistics = Statistics(10, 10.0, {"цена": 2})
    body, name = bm25_scores([candidate(1, 10, цена="1"), candidate(2, 10, цена="0,0,0,1")], statistics, {"цена": 1.0})
    assert name > body


def test_nothing_scores_nothing() -> None:
    statistics = Statistics(0, 0.0, {})
    assert bm25_scores([], statistics, {"цена": 1.0}) == []
    assert bm25_scores([candidate(1, 0)], statistics, {}) == [0.0]
    assert bm25_scores([candidate(1, 0, цена="1")], statistics, {"цена": 1.0}) == pytest.approx([2.2 / 1.48])
