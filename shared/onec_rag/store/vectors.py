"""Vectors of chunks in a space: which are missing, which exist under another chunk, and the new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pgvector import HalfVector

from onec_rag.store.database import Connection
from onec_rag.store.queries import query, shard_query
from onec_rag.store.spaces import read_space

LEAST_ROWS_FOR_INDEX = 2_000
"""Below this an exact scan is as fast as HNSW and exact."""


@dataclass(frozen=True, slots=True)
class TextToEmbed:
    """A chunk that has no vector yet; `tokens` is an upper estimate."""

    chunk_id: int
    embed_hash: UUID
    text: str
    tokens: int


def read_active_space(connection: Connection) -> int | None:
    """The id of the active space; None before the first vector was asked for."""
    space = read_space(connection)
    return space.id if space else None


def hold_head(connection: Connection, source_id: int) -> int | None:
    """The head's number, which stays so until the transaction ends; None where the source has none or is gone.

    Waits for an activation that is about to be committed.
    """
    row = connection.execute(query("hold_head"), {"source_id": source_id}).fetchone()
    return row["head_release"] if row else None


def chunks_without_vector(
    connection: Connection, source_id: int, shard: int, space: int, head: int
) -> tuple[list[int], list[int]]:
    """Ids of chunks that need a vector: those of the head, and then those that earlier releases alone show.

    In the order of their need: exported procedures, cards of objects, what was added last; of the closed ones the
    latest closed first. What the endpoint refuses is left out.
    """
    rows = connection.execute(
        shard_query("chunks_without_vector", shard), {"source_id": source_id, "space": space, "head": head}
    ).fetchall()
    return [row["id"] for row in rows if not row["closed"]], [row["id"] for row in rows if row["closed"]]


def estimate_vectors(connection: Connection, source_id: int, shard: int, space: int, head: int) -> tuple[int, int]:
    """(texts, tokens) that have to be embedded for a source: equal texts count once, known ones not at all."""
    row = connection.execute(
        shard_query("estimate_vectors", shard), {"source_id": source_id, "space": space, "head": head}
    ).fetchone()
    return (row["texts"], row["tokens"]) if row else (0, 0)


def reuse_vectors(connection: Connection, shard: int, space: int, chunk_ids: Sequence[int]) -> int:
    """Gives chunks the vector of an equal text that is there already, of any source or release; how many it gave."""
    return connection.execute(
        shard_query("reuse_vectors", shard), {"shard": shard, "space": space, "ids": list(chunk_ids)}
    ).rowcount


def texts_to_embed(
    connection: Connection, shard: int, space: int, chunk_ids: Sequence[int], *, closed: bool
) -> list[TextToEmbed]:
    """The texts of those chunks that still need a vector, in the chunks' order, equal ones once.

    Vanished chunks and refused texts are left out, and chunks that the head does not show unless `closed`.
    """
    asked = {"space": space, "ids": list(chunk_ids), "closed": closed}
    rows = connection.execute(shard_query("texts_to_embed", shard), asked).fetchall()
    first = {row["embed_hash"]: row for row in reversed(rows)}
    return [
        TextToEmbed(row["id"], row["embed_hash"], f"{row['breadcrumb']}\n{row['text']}", row["tokens"])
        for row in reversed(first.values())
    ]


def claim_texts(connection: Connection, space: int, texts: Sequence[TextToEmbed]) -> set[UUID]:
    """Hashes of those texts that nobody else is embedding now; they are ours until the transaction ends.

    A worker that dies lets go with its connection.
    """
    asked = {"space": space, "hashes": [text.embed_hash for text in texts]}
    return {row["hash"] for row in connection.execute(query("claim_texts"), asked).fetchall()}


def refuse_text(connection: Connection, shard: int, space: int, text: TextToEmbed, reason: str) -> None:
    """Notes that the endpoint does not take this text, so that it is not sent again."""
    asked = {"space": space, "id": text.chunk_id, "reason": reason}
    connection.execute(shard_query("refuse_text", shard), asked)


def refusals(connection: Connection, source_id: int, space: int) -> str | None:
    """What the status says about texts of a source that the endpoint refuses; None where there are none."""
    row = connection.execute(query("refused_texts"), {"space": space, "source_id": source_id}).fetchone()
    if not row or not row["texts"]:
        return None
    return f"texts that the embedding endpoint refuses: {row['texts']}, such as {row['fqn']}: {row['reason']}"


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
    """Whether a chunk of the head still waits for its vector."""
    asked = {"source_id": source_id, "space": space}
    return connection.execute(shard_query("last_chunk_without_vector", shard), asked).fetchone() is not None


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


def find_shard(connection: Connection, source: str) -> tuple[int, int] | None:
    """(source id, shard) of a source that the caller may see."""
    row = connection.execute(query("source_shard"), {"name": source}).fetchone()
    return (row["source_id"], row["shard"]) if row else None
