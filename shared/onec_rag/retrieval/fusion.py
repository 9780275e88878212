"""Reciprocal rank fusion: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet…", SIGIR 2009."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = 60

Item = TypeVar("Item", bound=Hashable)


def fuse(
    rankings: Mapping[str, Mapping[Item, int]], weights: Mapping[str, float] | None = None, k: int = K
) -> dict[Item, float]:
    """Items with the sum of `weight / (k + rank)` over the rankings that hold them, best first; ranks start at 1."""
    scores: dict[Item, float] = {}
    for name, ranking in rankings.items():
        weight = 1.0 if weights is None else weights.get(name, 1.0)
        for item, rank in ranking.items():
            scores[item] = scores.get(item, 0.0) + weight / (k + rank)
    return dict(sorted(scores.items(), key=lambda pair: -pair[1]))


def ranks(scores: Mapping[Item, float]) -> dict[Item, int]:
    """Rank by descending score, from 1; equal scores keep the given order; what has no score above 0 has no rank."""
    ordered = sorted((item for item, score in scores.items() if score > 0), key=lambda item: -scores[item])
    return {item: rank for rank, item in enumerate(ordered, 1)}
