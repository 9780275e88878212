"""The product's indexing and search over one real database and the fakes of everything outside."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import boto3
import psycopg
import pytest
from psycopg.rows import dict_row

from fakes import Cloud, EmbeddingServer, run_until_idle
from integration.databases import Dsns
from onec_rag.aws.objects import Objects
from onec_rag.aws.queue import Queue
from onec_rag.embedding import Embedder
from onec_rag.formats.archive import Limits
from onec_rag.indexing.base import Indexing
from onec_rag.llm import Endpoint
from onec_rag.model.search import Hit, SearchRequest, SearchResult
from onec_rag.retrieval.pipeline import Search
from onec_rag.store import uploads
from onec_rag.store.database import ALL_SOURCES, Database

BUCKET = "bucket"
MODEL = "hash"


@dataclass(frozen=True, slots=True)
class Service:
    """Indexing as role `indexer`, search as role `api`, and looks behind the scenes as the superuser."""

    cloud: Cloud
    indexing: Indexing
    search: Search
    superuser: psycopg.Connection[dict[str, Any]]

    def put(self, source: str, data: bytes, name: str = "cf.zip", label: str | None = None) -> None:
        """Uploads without running anything."""
        self.cloud.put(BUCKET, f"uploads/{source}/{name}", data, label)

    def load(self, source: str, data: bytes, name: str = "cf.zip", label: str | None = None) -> dict[str, Any]:
        """Uploads, runs until nothing is left to do, and gives the upload's status."""
        self.put(source, data, name, label)
        self.run()
        return self.uploads(source)[0]

    def run(self, *, twice: bool = False, seed: int | None = None, most: int | None = None) -> int:
        return run_until_idle(self.cloud, self.indexing, twice=twice, seed=seed, most=most)

    def uploads(self, source: str | None = None) -> list[dict[str, Any]]:
        """Uploads as the status shows them, newest first."""
        with self.indexing.database.transaction() as connection:
            return uploads.read_uploads(connection, source=source)

    def problems(self, upload: Mapping[str, Any]) -> dict[str, str]:
        """Why which file of an upload could not be read."""
        with self.indexing.database.transaction() as connection:
            return {row["path"]: row["reason"] for row in uploads.read_problems(connection, str(upload["id"]))}

    def ask(self, query: str, allowed: Sequence[str] = ALL_SOURCES, **facts: Any) -> SearchResult:
        return self.search.run(SearchRequest(query, **facts), allowed)

    def find(self, query: str, fqn: str, **facts: Any) -> list[Hit]:
        """Hits of that FQN alone."""
        return [hit for hit in self.ask(query, limit=50, **facts).hits if hit.fqn == fqn]

    def rows(self, statement: str, *values: Any) -> list[dict[str, Any]]:
        """The rows of any statement, as the superuser."""
        return self.superuser.execute(statement.encode(), values).fetchall()

    def value(self, statement: str, *values: Any) -> Any:
        """The one value of a statement."""
        ((value,),) = (row.values() for row in self.rows(statement, *values))
        return value


def embedder_of(server: EmbeddingServer | str, dimensions: int = 8, model: str = MODEL) -> Embedder:
    """The product's embedder for the fake endpoint, or for whatever is at an address."""
    url = server if isinstance(server, str) else server.url
    return Embedder(Endpoint(url, "key", 5), model, dimensions, "", "", batch_tokens=2_000)


@contextmanager
def service_over(
    dsns: Dsns,
    embedder: Embedder | None = None,
    cloud: Cloud | None = None,
    limits: Limits | None = None,
    most_removed: float = 1.0,
) -> Iterator[Service]:
    """The parts, connected when first needed and closed with the block; without the guard, since sources are small."""
    cloud = cloud or Cloud()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boto3, "client", cloud.client)
        objects, plan, index, embed = Objects(), Queue("plan"), Queue("index"), Queue("embed")
    writing, reading = Database(dsns.indexer, "tests"), Database(dsns.api, "tests")
    indexing = Indexing(writing, objects, plan, index, embed, embedder, 480, limits or Limits(), most_removed)
    try:
        with psycopg.connect(dsns.superuser, autocommit=True, row_factory=dict_row) as superuser:
            yield Service(cloud, indexing, Search(reading, embedder), superuser)
    finally:
        writing.close()
        reading.close()
