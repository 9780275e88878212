"""Reading as the role `api`: the scope of a request, both channels, what a hit shows, sources and keys."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pgvector import HalfVector
from psycopg.types.json import Jsonb

from onec_rag.errors import InvalidRequest
from onec_rag.model.search import Candidate, Filters, Scoped, Statistics
from onec_rag.store.database import Connection
from onec_rag.store.queries import query


def resolve_scope(
    connection: Connection, names: Sequence[str], release: str | None, as_of: datetime | None = None
) -> list[Scoped]:
    """The sources of a request, each in the release it is read in; what the caller may not see is left out.

    Empty `names` mean every visible source. A `release` leaves those out that have none of that number or label (a
    number comes before a label, and of equal labels the latest). `as_of` takes of each source the latest release that
    was ready by then, whatever was activated by hand, and leaves those out that had none. None of the releases is
    deleted before the transaction ends.

    Raises:
        InvalidRequest: both `release` and `as_of` are given.
    """
    if release is not None and as_of is not None:
        raise InvalidRequest("give a release or as_of, not both")
    connection.execute(query("hold_releases"))  # by itself: what waits for a deletion must look after it
    asked = {"names": list(names) or None, "release": release, "as_of": as_of}
    return [Scoped(**row) for row in connection.execute(query("resolve_scope"), asked).fetchall()]


def word_statistics(connection: Connection, scope: Sequence[Scoped], words: Sequence[str]) -> Statistics:
    """How often the words occur in the scope. Words that do not occur are missing."""
    rows = connection.execute(query("word_statistics"), _scope(scope) | {"words": list(words)}).fetchall()
    total = next(row for row in rows if row["word"] is None)
    documents = {row["word"]: row["documents"] for row in rows if row["word"] is not None and row["documents"] > 0}
    return Statistics(total["documents"], total["length"] / max(total["documents"], 1), documents)


def search_chunks(
    connection: Connection,
    scope: Sequence[Scoped],
    *,
    words: Sequence[str],
    weights: Sequence[float],
    look_ups: int,
    vector: Sequence[float] | None,
    space: int | None,
    filters: Filters,
    exact: bool,
    top: int,
) -> list[Candidate]:
    """Candidates of both channels, `top` of each, in one round trip.

    `words` are terms with their `weights`; the lexical channel looks up the first `look_ups` of them. No words: no
    lexical channel; no vector: no vector channel. `exact` compares every vector that passes the filters.
    """
    rows = connection.execute(
        query("search_chunks"),
        _scope(scope)
        | {
            "words": list(words), "queries": [_tsquery(word) for word in words], "weights": list(weights),
            "look_ups": look_ups, "query": HalfVector(list(vector)) if vector is not None else None, "space": space,
            "exact": exact, "top": top,
        }
        | _filters(filters),
    ).fetchall()  # fmt: skip
    return [Candidate(**row) for row in rows]


def count_chunks(connection: Connection, scope: Sequence[Scoped], filters: Filters, most: int) -> int:
    """How many chunks pass the filters, counted up to `most`."""
    row = connection.execute(query("count_chunks"), _scope(scope) | _filters(filters) | {"most": most}).fetchone()
    return int(row["total"]) if row else 0


def read_chunks(
    connection: Connection, scope: Sequence[Scoped], places: Sequence[tuple[int, int]]
) -> dict[int, dict[str, Any]]:
    """Text, breadcrumb and place of chunks, by chunk id; `places` are (shard, chunk id)."""
    rows = connection.execute(
        query("read_chunks"),
        _scope(scope) | {"shards": [shard for shard, _ in places], "ids": [chunk_id for _, chunk_id in places]},
    ).fetchall()
    return {row["chunk_id"]: row for row in rows}


def read_surroundings(
    connection: Connection, scope: Sequence[Scoped], shard: int, chunk_id: int
) -> list[dict[str, Any]]:
    """Every chunk of the chunk's document in the order of lines; empty where the caller may not see it."""
    return connection.execute(query("read_surroundings"), _scope(scope) | {"shard": shard, "id": chunk_id}).fetchall()


def vector_coverage(connection: Connection, scope: Sequence[Scoped], space: int | None) -> dict[int, tuple[int, int]]:
    """(chunks, chunks with a vector) by source id."""
    rows = connection.execute(query("vector_coverage"), _scope(scope) | {"space": space}).fetchall()
    return {row["source_id"]: (row["chunks"], row["vectors"]) for row in rows}


def read_sources(connection: Connection, scope: Sequence[Scoped] = (), *, others: bool = True) -> list[dict[str, Any]]:
    """The visible sources, those of the scope with the figures of its releases; without `others`, those alone."""
    return connection.execute(query("read_sources"), _scope(scope) | {"others": others}).fetchall()


def database_size(connection: Connection) -> int:
    """Bytes of the whole database."""
    row = connection.execute(query("database_size")).fetchone()
    return int(row["bytes"]) if row else 0


def read_api_key(connection: Connection, key_id: str) -> dict[str, Any] | None:
    """Title, scopes and sources (None: every one) of a key that is in force."""
    return connection.execute(query("read_api_key"), {"id": key_id}).fetchone()


def insert_api_key(
    connection: Connection,
    key_id: str,
    title: str,
    scopes: Sequence[str],
    sources: Sequence[str] | None,
    expires_at: datetime | None = None,
) -> None:
    """Makes a key known; as the owner of the schema only."""
    connection.execute(
        query("insert_api_key"),
        {"id": key_id, "title": title, "scopes": list(scopes), "sources": list(sources) if sources else None,
         "expires_at": expires_at},
    )  # fmt: skip


def _scope(scope: Sequence[Scoped]) -> dict[str, Any]:
    return {"sources": [item.source_id for item in scope], "releases": [item.release_no for item in scope]}


def _filters(filters: Filters) -> dict[str, Any]:
    """A chunk passes where its facets contain one of the `facets`."""
    belonging = {"belonging": str(filters.belonging)} if filters.belonging else {}
    wanted = [{"section": section, **belonging} for section in filters.sections] or [belonging]
    return {
        "kinds": list(filters.kinds) or None,
        "fqn_prefix": _like_prefix(filters.fqn_prefix),
        "facets": [Jsonb(facets) for facets in wanted] if any(wanted) else None,
    }


def _tsquery(word: str) -> str:
    """A term as the text of a tsquery of one lexeme, taken as it stands."""
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def _like_prefix(prefix: str | None) -> str | None:
    """A LIKE pattern for what begins with the prefix, its own wildcards taken literally."""
    if not prefix:
        return None
    return prefix.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
