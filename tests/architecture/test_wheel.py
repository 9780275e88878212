"""The wheel holds what the service needs beside its packages."""

import subprocess
import sys
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_the_wheel_carries_handlers_templates_sql_and_prompts(tmp_path: Path) -> None:
    build = f"from hatchling.build import build_wheel; build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=REPOSITORY, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    handlers = {
        f"onec_rag_local/deployment/{path.relative_to(REPOSITORY)}" for path in REPOSITORY.glob("functions/*/*.py")
    }
    assert len(handlers) == 6
    assert handlers <= names
    assert "onec_rag_local/deployment/template.yaml" in names
    assert "onec_rag_local/deployment/infra/api.yaml" in names
    data = [path for path in (REPOSITORY / "shared").rglob("*") if path.suffix in (".sql", ".md")]
    assert {str(path.relative_to(REPOSITORY / "shared")) for path in data} <= names
    assert not [name for name in names if name.startswith(("tests/", "functions/"))]
