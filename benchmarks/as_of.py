"""What questions find in one release: full text by the API, vectors exactly and by HNSW as role `api` reads them."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from benchmarks.embedding_endpoint import vector_of
from benchmarks.service import Row, Service
from onec_rag.model.search import NO_FILTERS, Scoped
from onec_rag.retrieval.pipeline import CANDIDATES
from onec_rag.store.database import ALL_SOURCES, Connection, Database
from onec_rag.store.search import read_chunks, resolve_scope, search_chunks
from onec_rag.store.vectors import read_active_space

LIMIT = 50
Found = tuple[Any, ...]
"""A hit without what differs from database to database: score, kind, FQN, symbol, path, lines, text."""


def lexical_hits(service: Service, questions: Sequence[str], as_of: str | None = None) -> list[list[Found]]:
    """The hits of each question by full text, `LIMIT` at most."""
    facts = {"as_of": as_of} if as_of else {}
    return [[_found(hit) for hit in service.search(query, "lexical", LIMIT, **facts)] for query in questions]


def vector_hits(
    service: Service, questions: Sequence[str], as_of: str | None = None, *, exact: bool
) -> list[list[Found]]:
    """The nearest chunks of each question, `LIMIT` at most, by comparing all of them or by HNSW."""
    database = Database(service.stack.endpoints.dsns["api"], "bench")
    moment = datetime.fromisoformat(as_of) if as_of else None
    try:
        with database.transaction(ALL_SOURCES) as connection:
            scope = resolve_scope(connection, (), None, moment)
            space = read_active_space(connection)
            return [_nearest(connection, scope, space, query, exact=exact) for query in questions]
    finally:
        database.close()


def _nearest(
    connection: Connection, scope: Sequence[Scoped], space: int | None, question: str, *, exact: bool
) -> list[Found]:
    found = search_chunks(
        connection, scope, words=(), weights=(), look_ups=0, vector=vector_of(question).tolist(), space=space,
        filters=NO_FILTERS, exact=exact, top=CANDIDATES,
    )  # fmt: skip
    found = sorted(found, key=lambda item: item.vector_rank or 0)[:LIMIT]
    rows = read_chunks(connection, scope, [(item.shard, item.chunk_id) for item in found])
    return [
        (
            round(1 - (item.distance or 0), 6), row["kind"], row["fqn"], row["symbol"], row["root"] + row["path"],
            *(row["lines"] or (None, None)), row["text"],
        )
        for item in found
        for row in [rows[item.chunk_id]]
    ]  # fmt: skip


def _found(hit: Row) -> Found:
    place = hit["place"]
    return (
        hit["score"], hit["kind"], hit["fqn"], hit["symbol"], place["path"], place["first_line"], place["last_line"],
        hit["text"],
    )  # fmt: skip


def equal(one: Sequence[Found], other: Sequence[Found]) -> bool:
    """Whether two lists of hits are the same but for the order, and at the end the choice, among equal scores.

    Chunks of equal score come in the order of their ids, and ids differ from database to database.
    """
    if [hit[0] for hit in one] != [hit[0] for hit in other]:
        return False
    groups = [[sorted(map(repr, group)) for _, group in groupby(hits, key=lambda hit: hit[0])] for hits in (one, other)]
    full = len(one) >= LIMIT
    return groups[0][: -1 if full else None] == groups[1][: -1 if full else None]


def overlap(exact: Sequence[Found], near: Sequence[Found], top: int = 10) -> float:
    """The share of the exact `top` that the index found too; what is as near as the last of them counts as well."""
    if not exact:
        return 1.0
    wanted = exact[:top]
    return min(1.0, sum(bool(hit[0] >= wanted[-1][0]) for hit in near[:top]) / len(wanted))
