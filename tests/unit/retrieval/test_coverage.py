from collections.abc import Sequence

import pytest

from onec_rag.model.search import Scoped
from onec_rag.retrieval.coverage import PROGRESS_SECONDS, CoverageMemory, share


class Counter:
    """Counts how often it is asked, and for what."""

    def __init__(self, **figures: tuple[int, int]) -> None:
        self.figures = figures
        self.asked: list[list[str]] = []

    def __call__(self, scope: Sequence[Scoped]) -> dict[int, tuple[int, int]]:
        self.asked.append([item.source for item in scope])
        return {item.source_id: self.figures[item.source] for item in scope if item.source in self.figures}


def scoped(source_id: int, source: str, release: int = 1) -> Scoped:
    return Scoped(source_id, source, release, "", {}, 10, 0)


def test_a_complete_count_is_never_taken_again() -> None:
    now = [0.0]
    memory, count = CoverageMemory(lambda: now[0]), Counter(a=(10, 10))
    for _ in range(3):
        assert memory.of([scoped(1, "a")], 1, count) == {1: (10, 10)}
        now[0] += 1_000
    assert count.asked == [["a"]]


def test_an_incomplete_count_is_taken_again_after_a_while() -> None:
    now = [0.0]
    memory, count = CoverageMemory(lambda: now[0]), Counter(a=(10, 3))
    memory.of([scoped(1, "a")], 1, count)
    now[0] += PROGRESS_SECONDS / 2
    assert memory.of([scoped(1, "a")], 1, count) == {1: (10, 3)}
    count.figures["a"] = (10, 9)
    now[0] += PROGRESS_SECONDS
    assert memory.of([scoped(1, "a")], 1, count) == {1: (10, 9)}
    assert len(count.asked) == 2


def test_only_what_is_not_known_is_counted() -> None:
    memory, count = CoverageMemory(lambda: 0.0), Counter(a=(10, 10), b=(5, 5))
    memory.of([scoped(1, "a")], 1, count)
    assert memory.of([scoped(1, "a"), scoped(2, "b")], 1, count) == {1: (10, 10), 2: (5, 5)}
    assert count.asked == [["a"], ["b"]]


@pytest.mark.parametrize(("release", "space"), [(2, 1), (1, 2), (1, None)])
def test_another_release_or_space_is_another_count(release: int, space: int | None) -> None:
    memory, count = CoverageMemory(lambda: 0.0), Counter(a=(10, 10))
    memory.of([scoped(1, "a")], 1, count)
    memory.of([scoped(1, "a", release)], space, count)
    assert len(count.asked) == 2


def test_a_source_without_chunks_is_covered() -> None:
    memory = CoverageMemory(lambda: 0.0)
    assert memory.of([scoped(1, "a")], 1, Counter()) == {1: (0, 0)}
    assert share({1: (0, 0)}) == share({}) == 1.0


def test_the_share_is_of_all_sources_together() -> None:
    assert share({1: (30, 30), 2: (10, 0)}) == 0.75
