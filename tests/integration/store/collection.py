"""Thousands of invented chunks with vectors, copied straight into the shards that the product makes for them."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

DIMENSIONS = 8
SPACE = 1
KINDS = ("object", *["field"] * 10, *["procedure"] * 89)
"""By the number of a chunk: 1 % objects, 10 % fields, the rest procedures."""
WORDS = 3_000
TEXT = "\tСтрока = НачатьСледующуюСтроку(Строка, Истина);\n" * 12
"""As long as most procedures are: the planner weighs rows by their width."""
_COLUMNS = (
    "shard, id, source_id, row_key, document_id, kind, fqn, symbol, breadcrumb, text, facets, embed_hash, tokens,"
    " length, terms, added_in"
)

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Seeded:
    """A source whose chunks are numbered from `first_id`; row n of `vectors` belongs to chunk `first_id + n`."""

    source_id: int
    name: str
    shard: int
    first_id: int
    vectors: Vectors

    def kind(self, chunk_id: int) -> str:
        return KINDS[(chunk_id - self.first_id) % len(KINDS)]

    def fqn(self, chunk_id: int) -> str:
        return fqn_of(chunk_id - self.first_id)


def fqn_of(number: int) -> str:
    """100 objects of each kind: a prefix of two words leaves 1 %."""
    return f"Справочник.Справочник{number % 100:02}.Метод{number}"


def word_of(rank: int) -> str:
    return f"слово{rank}"


def seed(dsn: str, name: str, source_id: int, shard: int, size: int) -> Seeded:
    """A source in one release, its shard filled, attached and indexed as a load does it."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        register_vector(connection)
        return _seed(connection, name, source_id, shard, size)


def _seed(connection: psycopg.Connection[Any], name: str, source_id: int, shard: int, size: int) -> Seeded:
    first_id = source_id * 100_000
    choice = random.Random(source_id)
    numbers = np.random.default_rng(source_id)
    vectors = numbers.standard_normal((size, DIMENSIONS), dtype=np.float32).astype(np.float16).astype(np.float32)
    connection.execute("SELECT create_shard(%s)", [shard])
    connection.execute(
        "INSERT INTO source (id, name, kind, shard, head_release, current_release) OVERRIDING SYSTEM VALUE"
        " VALUES (%s, %s, 'configuration', %s, 1, 1)",
        [source_id, name, shard],
    )
    connection.execute(
        "INSERT INTO release (source_id, no, label, state, chunks, length) VALUES (%s, 1, '1', 'ready', %s, %s)",
        [source_id, size, size * 10],
    )
    connection.execute(
        "INSERT INTO document (source_id, id, root, path, kind, fqn, title, section, file_hash, outline_hash, added_in)"
        " VALUES (%s, 1, '', 'Модуль.bsl', 'module', '', 'Модуль', '', gen_random_uuid(), gen_random_uuid(), 1)",
        [source_id],
    )
    documents = [0] * WORDS
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY chunk_{shard} ({_COLUMNS}) FROM STDIN".encode()) as copy,
    ):
        for number in range(size):
            # Squared, so that some words are frequent and most are rare.
            ranks = {int(choice.random() ** 2 * WORDS) for _ in range(10)}
            for rank in ranks:
                documents[rank] += 1
            terms = ",".join(f'"{word_of(rank)}"=>"1"' for rank in sorted(ranks))
            chunk_id, key = first_id + number, UUID(int=first_id + number)
            kind, fqn = KINDS[number % len(KINDS)], fqn_of(number)
            copy.write_row(
                (shard, chunk_id, source_id, key, 1, kind, fqn, f"Метод{number}", fqn, TEXT, "{}", key, 10, 10,
                 terms, 1)
            )  # fmt: skip
    with (
        connection.cursor() as cursor,
        cursor.copy(
            f"COPY chunk_vector_{shard} (shard, space, chunk_id, source_id, embed_hash, vector)"
            " FROM STDIN WITH (FORMAT binary)".encode()
        ) as copy,
    ):
        copy.set_types(["int4", "int2", "int8", "int4", "uuid", "halfvec"])
        for number, vector in enumerate(vectors):
            key = UUID(int=first_id + number)
            copy.write_row((shard, SPACE, first_id + number, source_id, key, HalfVector(vector)))
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY word (source_id, word, release_no, documents) FROM STDIN") as copy,
    ):
        for rank, count in enumerate(documents):
            if count:
                copy.write_row((source_id, word_of(rank), 1, count))
    connection.execute("SELECT attach_shard(%s)", [shard])
    connection.execute(f"ANALYZE chunk_{shard}, source, release, document, word".encode())
    connection.execute("SELECT build_vector_index(%s, %s::smallint, 2000)", [shard, SPACE])
    return Seeded(source_id, name, shard, first_id, vectors)


def seed_collection(dsn: str) -> list[Seeded]:
    """Three sources: 20,000 chunks in the shared shard 0, 20,000 in a shard of their own, 3,000 in another."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO space (model, dimensions, prefix, active) VALUES ('random', %s, '', true)", [DIMENSIONS]
        )
    sizes = (("shared", 3, 0, 20_000), ("large", 1, 1, 20_000), ("middle", 2, 2, 3_000))
    with ThreadPoolExecutor() as threads:  # the server builds the graphs, each in its own process
        return list(threads.map(lambda size: seed(dsn, *size), sizes))


def nearest(
    sources: Sequence[Seeded], query: Sequence[float], kinds: Sequence[str], prefix: str, top: int
) -> list[float]:
    """Cosine distances of the nearest chunks that pass the filters, by brute force."""
    wanted = np.asarray(query, dtype=np.float32).astype(np.float16).astype(np.float32)
    # Kinds and names repeat every hundred chunks.
    passing = [(not kinds or KINDS[number] in kinds) and fqn_of(number).startswith(prefix) for number in range(100)]
    distances = []
    for source in sources:
        vectors = source.vectors[np.resize(passing, len(source.vectors))]
        distances.append(1 - vectors @ wanted / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(wanted)))
    return [float(distance) for distance in np.sort(np.concatenate(distances))[:top]]
