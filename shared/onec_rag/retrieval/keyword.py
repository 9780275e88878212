"""The plan of the lexical channel: which words are looked up, in which order, how far."""

from collections.abc import Mapping
from dataclasses import dataclass

from onec_rag.model.search import Statistics
from onec_rag.retrieval.reranking.bm25 import inverse_frequency

WORK = 8_000
"""Index entries that one question may read: measured as the knee of the latency on 75,000 chunks."""


@dataclass(frozen=True, slots=True)
class KeywordPlan:
    """Words with their weighted idf, rarest first; the first `look_ups` of them stay within the work bound."""

    words: tuple[str, ...]
    weights: tuple[float, ...]
    look_ups: int

    @property
    def idf(self) -> dict[str, float]:
        return dict(zip(self.words, self.weights, strict=True))


def plan_keywords(terms: Mapping[str, float], statistics: Statistics, work: int = WORK) -> KeywordPlan:
    """Rarest words first until their document frequencies sum to the work bound; the rarest one always.

    `terms` are words with their weights in the question. Words that never occur in the scope are left out.
    """
    idf = inverse_frequency(statistics, terms)
    words = sorted(idf, key=lambda word: (statistics.documents[word], word))
    look_ups, used = 0, 0
    for word in words:
        used += statistics.documents[word]
        if look_ups and used > work:
            break
        look_ups += 1
    return KeywordPlan(tuple(words), tuple(idf[word] for word in words), look_ups)
