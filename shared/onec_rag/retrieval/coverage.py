"""What share of the chunks has vectors: counted while they fill in, remembered once they are complete."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from onec_rag.model.search import Scoped

PROGRESS_SECONDS, SEARCH_SECONDS = 5.0, 60.0
"""How old an incomplete count may be where somebody watches it grow, and beside a search: counting takes a while."""

Count = Callable[[Sequence[Scoped]], Mapping[int, tuple[int, int]]]


class CoverageMemory:
    """(chunks, vectors) by source and release, for this process; an incomplete count is taken again after a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: dict[tuple[int, int, int | None], tuple[int, int, float]] = {}
        self._lock = threading.Lock()

    def of(
        self, scope: Sequence[Scoped], space: int | None, count: Count, most_age: float = PROGRESS_SECONDS
    ) -> dict[int, tuple[int, int]]:
        """(chunks, vectors) by source id; `count` is asked only for what is not known or may have grown."""
        now = self._clock()
        with self._lock:
            known = {item.source_id: self._known.get((item.source_id, item.release_no, space)) for item in scope}
        asked = [item for item in scope if not _good(known[item.source_id], now, most_age)]
        counted = dict(count(asked)) if asked else {}
        with self._lock:
            for item in asked:
                chunks, vectors = counted.get(item.source_id, (0, 0))
                self._known[item.source_id, item.release_no, space] = known[item.source_id] = (chunks, vectors, now)
        return {source_id: figures[:2] for source_id, figures in known.items() if figures}


def share(figures: Mapping[int, tuple[int, int]]) -> float:
    """Vectors over chunks of all sources together, 0 to 1; 1 where there is nothing to cover."""
    chunks = sum(total for total, _ in figures.values())
    return sum(vectors for _, vectors in figures.values()) / chunks if chunks else 1.0


def _good(figures: tuple[int, int, float] | None, now: float, most_age: float) -> bool:
    return figures is not None and (figures[0] == figures[1] or now - figures[2] < most_age)
