"""A whole local service of its own, and what the benchmark of releases does with it and reads from it."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx2
import psutil
import psycopg
from psycopg import sql

from benchmarks.embedding_endpoint import EmbeddingEndpoint, vector_of
from onec_rag_local.environment import ACCESS_KEY, REGION
from onec_rag_local.processes import free_port
from onec_rag_local.stack import Stack, running

SOURCE = "bench"
_COMPLETE = """
    SELECT EXISTS (SELECT FROM pg_indexes WHERE indexname ~ '^chunk_vector_[0-9]+_hnsw_') AND NOT EXISTS (
        SELECT FROM source JOIN chunk AS c ON c.shard = source.shard AND c.source_id = source.id
        WHERE (c.removed_in IS NULL OR c.removed_in > source.head_release)
            AND NOT EXISTS (SELECT FROM chunk_vector AS v WHERE v.shard = c.shard AND v.chunk_id = c.id))
"""
_WITHOUT_VECTOR = """
    SELECT c.shard, space.id, c.id, c.source_id, c.embed_hash, concat(c.breadcrumb, chr(10), c.text)
    FROM chunk AS c JOIN space ON space.active
    WHERE NOT EXISTS (SELECT FROM chunk_vector AS v WHERE v.shard = c.shard AND v.chunk_id = c.id)
"""
_COPY = sql.SQL("COPY {} (shard, space, chunk_id, source_id, embed_hash, vector) FROM STDIN")
WORKERS = ("planner", "indexer", "embedder")
Row = dict[str, Any]


class AnotherModeError(Exception):
    """A search was answered by full text alone."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An upload that has come to its end: the CLI's answer, and seconds until full text finds it.

    `worked` are processor seconds of the service with its database and the CLI, `others` those of the rest of the
    machine meanwhile: where they are many, `seconds` are too.
    """

    upload: Row | None
    seconds: float
    worked: float
    others: float


@dataclass(frozen=True, slots=True)
class Service:
    """A running service with one source."""

    stack: Stack
    endpoint: EmbeddingEndpoint
    api: httpx2.Client
    peaks: dict[str, int] = field(default_factory=dict)
    """The largest resident size of each worker in bytes."""

    @property
    def dsn(self) -> str:
        """Of the schema's owner, for looks behind the scenes."""
        return self.stack.endpoints.dsns["migrator"]

    def upload(self, folder: Path) -> Loaded:
        """`onec-rag upload` of the folder, until full text finds it."""
        command = [sys.executable, "-m", "onec_rag_client", "upload", str(folder), "--source", SOURCE, "--json"]
        environment = {**os.environ, "ONEC_RAG_URL": self.stack.url, "ONEC_RAG_API_KEY": self.stack.key}
        ours, whole, begun = _processor_seconds(), _busy_seconds(), time.monotonic()
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        seconds, worked, busy = time.monotonic() - begun, _processor_seconds() - ours, _busy_seconds() - whole
        return Loaded(json.loads(done.stdout)["upload"], seconds, worked, busy - worked)

    def await_vectors(self, patience: float = 1800) -> float:
        """Seconds until every chunk of the head has its vector and the vectors have their index."""
        begun = time.monotonic()
        while not self.value(_COMPLETE):
            if time.monotonic() - begun > patience:
                raise TimeoutError(f"vectors: {self.source()}")
            time.sleep(2)
        return time.monotonic() - begun

    def fill_vectors(self) -> None:
        """Gives every chunk its vector at once, as the embedder would in many small steps, and lets it end the fill.

        To be called with the endpoint's gate closed and an upload behind it; the embedder waits at the gate meanwhile.
        """
        if not self.endpoint.arrived.wait(300):
            raise TimeoutError("the embedder does not begin")
        shard = self.value("SELECT shard FROM source")
        with (
            psycopg.connect(self.dsn) as reading,
            psycopg.connect(self.dsn) as writing,
            reading.cursor("chunks") as chunks,
            writing.cursor() as cursor,
        ):
            chunks.itersize = 1_000
            chunks.execute(_WITHOUT_VECTOR)
            with cursor.copy(_COPY.format(sql.Identifier(f"chunk_vector_{shard}"))) as copy:
                for *row, text in chunks:
                    copy.write_row((*row, json.dumps(vector_of(text).tolist())))
        self._drop_messages("embed")
        self.endpoint.gate.set()

    def _drop_messages(self, queue: str) -> None:
        """All of them; a worker that has one just now is started again when it can't delete it."""
        endpoints = self.stack.endpoints
        queues = boto3.client(
            "sqs", endpoint_url=endpoints.aws_url, region_name=REGION, aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=ACCESS_KEY,
        )  # fmt: skip
        queues.purge_queue(QueueUrl=endpoints.queue_urls[queue])

    def source(self) -> Row:
        """The source as the API shows it."""
        (found,) = self.api.get("/v1/sources").raise_for_status().json()
        return dict(found)

    def value(self, statement: str, *values: object) -> Any:
        """The one value of a statement."""
        with psycopg.connect(self.dsn) as connection:
            row = connection.execute(statement.encode(), values).fetchone()
        return row and row[0]

    def sizes(self) -> tuple[int, int]:
        """Bytes of the database after VACUUM: without the tables of vectors, and with them."""
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            connection.execute("VACUUM")
        whole = self.value("SELECT pg_database_size(current_database())")
        vectors = self.value(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('chunk_vector') WHERE isleaf"
        )
        return int(whole - vectors), int(whole)

    def search(self, query: str, mode: str, limit: int = 10, **facts: str) -> list[Row]:
        """The hits of a search at the API.

        Raises:
            AnotherModeError: another mode answered than was asked for.
        """
        body = {"query": query, "mode": mode, "limit": limit, **facts}
        found = self.api.post("/v1/search", json=body).raise_for_status().json()
        if found["mode"] != mode:
            raise AnotherModeError(found["warnings"])
        return list(found["hits"])


def _processor_seconds() -> float:
    """Of this process and all below it, those that have ended included."""
    own = psutil.Process()
    total = 0.0
    for process in [own, *own.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _busy_seconds() -> float:
    """Of all processors of the machine."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system)


@contextmanager
def service(endpoint: EmbeddingEndpoint) -> Iterator[Service]:
    """A service with an empty database in a temporary folder; its workers' memory is watched five times a second."""
    with tempfile.TemporaryDirectory(prefix="onec-rag-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        environ = {**os.environ, **endpoint.environment}
        with (
            running(folder, free_port(), lambda _: None, environ) as stack,
            httpx2.Client(base_url=stack.url, headers={"Authorization": f"Bearer {stack.key}"}, timeout=120) as api,
        ):
            opened = Service(stack, endpoint, api)
            with _watched(opened):
                yield opened


@contextmanager
def _watched(watched: Service) -> Iterator[None]:
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            for child in watched.stack.supervisor.children:
                if child.name.startswith(WORKERS) and child.alive:
                    try:
                        size = psutil.Process(child.process.pid).memory_info().rss
                    except psutil.NoSuchProcess:
                        continue
                    watched.peaks[child.name] = max(watched.peaks.get(child.name, 0), size)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
