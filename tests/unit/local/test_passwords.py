import json
from pathlib import Path

from onec_rag_local.passwords import FILE_NAME, kept_passwords, passwords_of


def test_passwords_are_made_once(tmp_path: Path) -> None:
    made = passwords_of(tmp_path / "data", ("api", "indexer"))
    assert passwords_of(tmp_path / "data", ("api", "indexer")) == made
    assert len(set(made.values())) == 2
    assert all(len(password) >= 32 for password in made.values())


def test_only_the_owner_reads_them(tmp_path: Path) -> None:
    passwords_of(tmp_path, ("api",))
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_other_secrets_of_the_file_are_kept(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(json.dumps({"key": "secret"}))
    passwords_of(tmp_path, ("api",))
    assert kept_passwords(tmp_path)["key"] == "secret"
    assert set(kept_passwords(tmp_path)) == {"key", "api"}


def test_a_folder_without_the_file_has_no_passwords(tmp_path: Path) -> None:
    assert kept_passwords(tmp_path) == {}
