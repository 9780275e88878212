"""BM25 over the candidates, with the collection's statistics and field weights.

The formula is Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009) as
`rank_bm25.BM25Okapi` computes it; term frequencies are summed over fields by weight beforehand, as in BM25F. The idf
is Lucene's, log(1 + (N - n + 0.5) / (n + 0.5)), over the whole collection: over the candidates alone, which all hold
the query's words, it would turn negative.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from rank_bm25 import BM25Okapi

from onec_rag.model.search import Candidate, Statistics

FIELD_WEIGHTS = (1.0, 1.5, 2.0, 3.0)
"""Body, doc comment, title (synonym), name: the order of `Candidate.frequencies`."""


class CollectionBM25(BM25Okapi):  # type: ignore[misc]  # the package has no types
    """`BM25Okapi` that is given its statistics instead of tokenizing a corpus."""

    def __init__(self, candidates: Sequence[Candidate], mean_length: float, idf: Mapping[str, float]) -> None:
        self.k1, self.b = 1.2, 0.6
        self.corpus_size = len(candidates)
        self.doc_freqs = [
            {word: weighted_frequency(text) for word, text in candidate.frequencies.items()} for candidate in candidates
        ]
        self.doc_len = [candidate.length for candidate in candidates]
        self.avgdl = max(mean_length, 1.0)
        self.idf = dict(idf)


def inverse_frequency(statistics: Statistics, weights: Mapping[str, float]) -> dict[str, float]:
    """Each word's idf in the collection times its weight in the question; words that never occur are left out."""
    total = statistics.chunks
    return {
        word: weight * math.log(1 + (total - count + 0.5) / (count + 0.5))
        for word, weight in weights.items()
        if (count := min(statistics.documents.get(word, 0), total)) > 0
    }


def weighted_frequency(text: str) -> float:
    """A stored `body,doc,title,name` count as one weighted frequency."""
    return sum(int(count) * weight for count, weight in zip(text.split(","), FIELD_WEIGHTS, strict=False))


def bm25_scores(candidates: Sequence[Candidate], statistics: Statistics, idf: Mapping[str, float]) -> list[float]:
    """One score for each candidate, 0 where it holds no word of the question."""
    if not candidates or not idf:
        return [0.0] * len(candidates)
    scores = CollectionBM25(candidates, statistics.mean_length, idf).get_scores(list(idf))
    return [float(score) for score in np.asarray(scores)]
