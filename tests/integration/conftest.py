"""Servers that integration tests share."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

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
