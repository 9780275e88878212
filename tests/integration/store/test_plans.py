"""The plans that the role `api` gets: both channels read their index, nobody reads a whole table of chunks."""

import re

import pytest

from integration.store.collection import DIMENSIONS, SPACE, word_of
from integration.store.conftest import Collection
from onec_rag.model.search import Candidate, Filters
from onec_rag.store import search
from onec_rag.store.database import ALL_SOURCES, Connection, Database

pytestmark = pytest.mark.integration

SEQUENTIAL = re.compile(r"Seq Scan on chunk_(?:vector_)?\d")
SETTINGS = (
    "LOAD 'auto_explain'",
    "SET LOCAL auto_explain.log_min_duration = 0",
    "SET LOCAL auto_explain.log_nested_statements = on",
    "SET LOCAL auto_explain.log_analyze = off",
    "SET LOCAL client_min_messages = log",
    "SET LOCAL ROLE api",
)


def plans_of(collection: Collection, *names: str, kinds: tuple[str, ...] = (), fqn_prefix: str | None = None) -> str:
    """The plans of every statement inside one hybrid search, as `auto_explain` tells them."""
    database = Database(collection.dsns.superuser, "tests")
    said: list[str] = []
    try:
        with database.transaction(ALL_SOURCES) as connection:
            connection.add_notice_handler(lambda notice: said.append(notice.message_primary or ""))
            for setting in SETTINGS:
                connection.execute(setting.encode())
            found = hybrid_search(connection, collection, names, kinds, fqn_prefix)
    finally:
        database.close()
    assert found, "the search must find something for its plan to mean anything"
    return "\n".join(said)


def hybrid_search(
    connection: Connection,
    collection: Collection,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    fqn_prefix: str | None,
) -> list[Candidate]:
    words = [word_of(rank) for rank in (2_900, 1_500, 10)]
    return search.search_chunks(
        connection, collection.scope(*names), words=words, weights=[3.0, 2.0, 1.0], look_ups=3,
        vector=[1.0, *[0.1] * (DIMENSIONS - 1)], space=SPACE, filters=Filters(kinds, fqn_prefix), exact=False, top=120,
    )  # fmt: skip


@pytest.mark.parametrize("names", [("large",), ("shared",), ("large", "middle", "shared")], ids=",".join)
@pytest.mark.parametrize("kinds", [(), ("procedure",)], ids=["no filter", "most kinds"])
def test_both_channels_use_their_index_in_every_shard(
    collection: Collection, names: tuple[str, ...], kinds: tuple[str, ...]
) -> None:
    plans = plans_of(collection, *names, kinds=kinds)
    for shard in (item.shard for item in collection.sources if item.name in names):
        assert f"Index Scan on chunk_{shard}_words" in plans, plans
        assert f"Index Scan using chunk_vector_{shard}_hnsw_{SPACE}" in plans, plans
    assert not SEQUENTIAL.search(plans), plans


@pytest.mark.parametrize("names", [("large",), ("shared",), ("large", "middle", "shared")], ids=",".join)
@pytest.mark.parametrize(
    ("kinds", "fqn_prefix"),
    [(("field",), None), ((), "справочник.справочник07")],
    ids=["10 % by kind", "1 % by prefix"],
)
def test_a_filter_reads_no_table_from_end_to_end(
    collection: Collection, names: tuple[str, ...], kinds: tuple[str, ...], fqn_prefix: str | None
) -> None:
    assert not SEQUENTIAL.search(plans := plans_of(collection, *names, kinds=kinds, fqn_prefix=fqn_prefix)), plans


def test_shards_outside_of_the_scope_are_not_touched(collection: Collection) -> None:
    plans = plans_of(collection, "large")
    for shard in (0, 2):
        assert f"chunk_{shard}_words" not in plans
        assert f"chunk_vector_{shard}" not in plans
