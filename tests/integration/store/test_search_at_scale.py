"""Filtered search among thousands of chunks, compared with brute force."""

import numpy as np
import pytest

from integration.store.collection import DIMENSIONS, SPACE, nearest, word_of
from integration.store.conftest import Collection
from onec_rag.model.search import NO_FILTERS, Filters
from onec_rag.store import search
from onec_rag.store.database import ALL_SOURCES, Database

pytestmark = pytest.mark.integration

TOP = 120
HALF = 1e-3
"""Distances of half-precision vectors are alike to this; the index keeps them normalized, so rounded once more."""
FILTERS = {
    "100 %": ((), None),
    "89 %": (("procedure",), None),
    "10 %": (("field",), None),
    "1 % by kind": (("object",), None),
    "1 % by prefix": ((), "Справочник.Справочник07"),
    "0.1 %": (("field",), "Справочник.Справочник07"),
}
QUERIES = np.random.default_rng(7).standard_normal((5, DIMENSIONS)).tolist()


def near(
    reader: Database, collection: Collection, names: tuple[str, ...], query: list[float], filtered: str, exact: bool
) -> list[float]:
    """Distances that the vector channel gives, nearest first; what it gives passes the filter."""
    kinds, prefix = FILTERS[filtered]
    with reader.transaction(ALL_SOURCES) as connection:
        found = search.search_chunks(
            connection, collection.scope(*names), words=[], weights=[], look_ups=0, vector=query, space=SPACE,
            filters=Filters(tuple(kinds), prefix), exact=exact, top=TOP,
        )  # fmt: skip
    found.sort(key=lambda item: item.vector_rank or 0)
    by_shard = {item.shard: item for item in collection.sources}
    for item in found:
        source = by_shard[item.shard]
        assert not kinds or source.kind(item.chunk_id) in kinds
        assert not prefix or source.fqn(item.chunk_id).startswith(prefix)
    return [item.distance or 0.0 for item in found]


def brute_force(collection: Collection, names: tuple[str, ...], query: list[float], filtered: str) -> list[float]:
    kinds, prefix = FILTERS[filtered]
    return nearest([item for item in collection.sources if item.name in names], query, kinds, prefix or "", TOP)


@pytest.mark.parametrize("names", [("large",), ("large", "middle", "shared")], ids=",".join)
@pytest.mark.parametrize("filtered", FILTERS)
def test_exact_search_is_brute_force(
    reader: Database, collection: Collection, names: tuple[str, ...], filtered: str
) -> None:
    wanted = brute_force(collection, names, QUERIES[0], filtered)
    assert near(reader, collection, names, QUERIES[0], filtered, exact=True) == pytest.approx(wanted, abs=HALF)


@pytest.mark.parametrize("names", [("large",), ("shared",), ("large", "middle", "shared")], ids=",".join)
@pytest.mark.parametrize("filtered", FILTERS)
def test_the_index_never_gives_fewer_than_exist_and_finds_the_nearest(
    reader: Database, collection: Collection, names: tuple[str, ...], filtered: str
) -> None:
    found, all_of_them = 0, 0
    for query in QUERIES:
        wanted = brute_force(collection, names, query, filtered)
        given = near(reader, collection, names, query, filtered, exact=False)
        assert len(given) == len(wanted)
        assert given == pytest.approx(sorted(given), abs=HALF)
        best = wanted[:10]
        found += min(sum(distance <= best[-1] + HALF for distance in given), len(best))
        all_of_them += len(best)
    assert found / all_of_them >= 0.95


def test_a_word_is_found_in_every_chunk_that_holds_it(reader: Database, collection: Collection) -> None:
    word = word_of(2_990)
    with reader.transaction(ALL_SOURCES) as connection:
        statistics = search.word_statistics(connection, collection.scope(), [word])
        found = search.search_chunks(
            connection, collection.scope(), words=[word], weights=[1.0], look_ups=1, vector=None, space=None,
            filters=NO_FILTERS, exact=True, top=100_000,
        )  # fmt: skip
    assert len(found) == statistics.documents[word] > 0
    assert {item.shard for item in found} == {0, 1, 2}
