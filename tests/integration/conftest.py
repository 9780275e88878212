"""Servers that integration tests share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from fakes import EmbeddingServer
from integration.databases import Dsns, Template
from integration.service import Service, embedder_of, service_over
from onec_rag_local.postgres import Postgres


def make_public_folder() -> Path:
    """A temporary folder that PostgreSQL's account may enter; pytest's own are closed to all but their owner."""
    folder = Path(tempfile.mkdtemp(prefix="onec-rag-test-"))
    folder.chmod(0o755)
    return folder


@pytest.fixture
def public_folder() -> Iterator[Path]:
    folder = make_public_folder()
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One server for the whole session, without roles and databases; it does not care for power failures."""
    folder = make_public_folder()
    with Postgres.start(
        folder, settings={"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    ) as server:
        yield server
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def template_database(postgres: Postgres) -> Iterator[Template]:
    """The schema, migrated once; it is cloned, never connected to."""
    with psycopg.connect(postgres.dsn(), autocommit=True) as administrator:
        yield Template(postgres, administrator)


@pytest.fixture
def database(template_database: Template) -> Iterator[Dsns]:
    """An empty database with the schema, for one test."""
    with template_database.clone() as dsns:
        yield dsns


@pytest.fixture
def service(database: Dsns) -> Iterator[Service]:
    """Indexing and search without an embedding endpoint."""
    with service_over(database) as service:
        yield service


@pytest.fixture
def embedding() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture
def embedding_service(database: Dsns, embedding: EmbeddingServer) -> Iterator[Service]:
    """Indexing and search with the fake embedding endpoint."""
    with service_over(database, embedder_of(embedding)) as service:
        yield service
