import json
from pathlib import Path

import pytest

from unit.client.conftest import RunCli

STACK = "import json, os, sys\nprint(json.dumps([os.getpid(), *sys.argv[1:]]))\nsys.exit(7)\n"


@pytest.fixture
def stack(tmp_path: Path) -> Path:
    """A folder with a local stack that tells its arguments and ends with exit code 7."""
    package = tmp_path / "stack" / "onec_rag_local"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(STACK, "utf-8")
    return package.parent


def test_up_becomes_the_local_stack_and_passes_everything_on(run_cli: RunCli, stack: Path, tmp_path: Path) -> None:
    ended = run_cli("up", "--port", "8081", "--workers", "2", "--data", tmp_path, "--quiet", PYTHONPATH=str(stack))
    _, *arguments = json.loads(ended.stdout)
    assert arguments == ["up", "--data", str(tmp_path), "--port", "8081", "--workers", "2", "--quiet"]
    assert ended.returncode == 7


def test_up_leaves_defaults_to_the_stack(run_cli: RunCli, stack: Path) -> None:
    assert json.loads(run_cli("up", PYTHONPATH=str(stack)).stdout)[1:] == ["up"]


def test_up_and_the_other_commands_mean_the_same_data_folder(run_cli: RunCli, stack: Path, tmp_path: Path) -> None:
    ended = run_cli("up", PYTHONPATH=str(stack), ONEC_RAG_DATA=str(tmp_path))
    assert json.loads(ended.stdout)[1:] == ["up", "--data", str(tmp_path)]


def test_without_the_local_extra_up_says_how_to_install_it(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['moto'] = None\n", "utf-8")
    ended = run_cli("up", PYTHONPATH=str(tmp_path))
    assert ended.returncode == 1
    assert "moto" in ended.stderr
    assert "onec-rag[local]" in ended.stderr
