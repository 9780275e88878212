import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from unit.client.fake_api import KEY, FakeApi

RunCli = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def fake() -> Iterator[FakeApi]:
    with FakeApi() as server:
        yield server


@pytest.fixture
def cli_environment(fake: FakeApi) -> dict[str, str]:
    """The poorest one: a C locale without Python's UTF-8 mode; the service is the fake."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("ONEC_", "LC_", "LANG", "PYTHON"))
    }
    return kept | {
        "LANG": "C", "PYTHONUTF8": "0", "PYTHONWARNINGS": "error", "ONEC_RAG_LANG": "ru", "ONEC_RAG_URL": fake.url,
        "ONEC_RAG_API_KEY": KEY,
    }  # fmt: skip


@pytest.fixture
def run_cli(cli_environment: dict[str, str], tmp_path: Path) -> RunCli:
    """Runs `onec-rag` as a process in an empty folder; both its streams must be UTF-8."""

    def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "onec_rag_client", *map(str, arguments)],
            env=cli_environment | environment,
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return run
