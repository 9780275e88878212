"""Vectors of chunks in the active space: which are missing, which exist under another chunk, and the new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from onec_rag.errors import ConfigurationError
from onec_rag.store.database import Connection
from onec_rag.store.queries import query, shard_query

LEAST_ROWS_FOR_INDEX = 2_000
"""Below this an exact scan is as fast as HNSW and exact."""


@dataclass(frozen=True, slots=True)
class Space:
    """What the stored vectors are of; those of another model or size can't be compared with them."""

    id: int
    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class TextToEmbed:
    """A chunk that has no vector yet; `tokens` is an upper estimate."""

    chunk_id: int
    embed_hash: UUID
    text: str
    tokens: int


def active_space(connection: Connection, model: str, dimensions: int, prefix: str) -> int:
    """The id of the space that the settings name; it becomes the active one while no vector of another is stored.

    Raises:
        ConfigurationError: the stored vectors are of another model, size or prefix.
    """
    asked = {"model": model, "dimensions": dimensions, "prefix": prefix}
    active = connection.execute(query("active_space")).fetchone()
    if active is None or {name: active[name] for name in asked} != asked:
        connection.execute(query("drop_unused_space"), asked)
        connection.execute(query("ensure_space"), asked)
        active = connection.execute(query("active_space")).fetchone()
    if active is None or {name: active[name] for name in asked} != asked:
        raise ConfigurationError(
            f"the settings name the embedding model {model} with {dimensions} dimensions and the passage prefix"
            f" {prefix!r}, but the stored vectors are of {active and dict(active)}; set ONEC_RAG_EMBEDDING_MODEL,"
            " _DIMENSIONS and _PASSAGE_PREFIX back, or start with an empty data folder"
        )
    return int(active["id"])


def read_space(connection: Connection) -> Space | None:
    """The active space; None before the first vector was asked for."""
    row = connection.execute(query("active_space")).fetchone()
    return Space(row["id"], row["model"], row["dimensions"]) if row else None


def read_active_space(connection: Connection) -> int | None:
    space = read_space(connection)
    return space.id if space else None


def chunks_without_vector(connection: Connection, source_id: int, shard: int, space: int) -> list[int]:
    """Ids of the head's chunks that have no vector yet, exported API first."""
    rows = connection.execute(
        shard_query("chunks_without_vector", shard), {"source_id": source_id, "space": space}
    ).fetchall()
    return [row["id"] for row in rows]


def reuse_vectors(connection: Connection, shard: int, space: int, chunk_ids: Sequence[int]) -> int:
    """Gives chunks the vector of an equal text that is there already, of any source or release; how many it gave."""
    return connection.execute(
        shard_query("reuse_vectors", shard), {"shard": shard, "space": space, "ids": list(chunk_ids)}
    ).rowcount


def texts_to_embed(connection: Connection, shard: int, space: int, chunk_ids: Sequence[int]) -> list[TextToEmbed]:
    """The chunks of the list that still need a vector, in its order; closed and vanished ones are left out."""
    rows = connection.execute(shard_query("texts_to_embed", shard), {"space": space, "ids": list(chunk_ids)}).fetchall()
    return [
        TextToEmbed(row["id"], row["embed_hash"], f"{row['breadcrumb']}\n{row['text']}", row["tokens"]) for row in rows
    ]


def insert_vectors(
    connection: Connection,
    source_id: int,
    shard: int,
    space: int,
    texts: Sequence[TextToEmbed],
    vectors: Sequence[Sequence[float]],
) -> None:
    """Stores one vector for each text; a chunk that has got one meanwhile keeps it."""
    with connection.cursor() as cursor:
        cursor.executemany(
            shard_query("insert_vector", shard),
            [
                {"shard": shard, "space": space, "chunk_id": text.chunk_id, "source_id": source_id,
                 "embed_hash": text.embed_hash, "vector": HalfVector(list(vector))}
                for text, vector in zip(texts, vectors, strict=True)
            ],
        )  # fmt: skip


def any_chunk_without_vector(connection: Connection, source_id: int, shard: int, space: int) -> bool:
    row = connection.execute(
        shard_query("any_chunk_without_vector", shard), {"source_id": source_id, "space": space}
    ).fetchone()
    return bool(row and row["waiting"])


def build_vector_index(connection: Connection, shard: int, space: int) -> None:
    """Builds HNSW in bulk where the shard has vectors enough and no index yet."""
    connection.execute(
        query("build_vector_index"), {"shard": shard, "space": space, "least_rows": LEAST_ROWS_FOR_INDEX}
    )


def note_vector_problem(connection: Connection, source_id: int, problem: str | None) -> None:
    """What the status says about a source's vectors that do not come."""
    connection.execute(query("note_vector_problem"), {"source_id": source_id, "problem": problem})


def loaded_sources(connection: Connection) -> list[tuple[int, int]]:
    """(source id, shard) of every source that has a release."""
    return [(row["source_id"], row["shard"]) for row in connection.execute(query("shards_of_sources")).fetchall()]
