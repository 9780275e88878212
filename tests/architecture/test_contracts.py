"""Who may import whom: the contracts of pyproject.toml, and what they can't see."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = os.pathsep.join(str(ROOT / folder) for folder in ("shared", "clients", "local"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": ROOMS}
"""These sources, whatever is installed."""
HEAVY = ("boto3", "botocore", "fastapi", "lxml", "markdown_it", "numpy", "openai", "psycopg", "rank_bm25", "starlette")


def test_every_import_contract_is_kept() -> None:
    program = str(Path(sys.executable).with_name("lint-imports"))
    command = [program, "--config", "pyproject.toml", "--no-cache"]
    done = subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["onec_rag.bootstrap", "onec_rag.llm", "onec_rag.embedding"])
def test_a_library_is_not_loaded_before_it_is_asked_for(module: str) -> None:
    """A cold start pays for what it imports; bootstrap may name types of FastAPI, not load it."""
    script = f"import {module}, json, sys; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
