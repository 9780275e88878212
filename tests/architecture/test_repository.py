"""What is committed, as a stranger's clone has it."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import onec_rag

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")

# Spelled apart, so that this file does not find itself.
REGISTRIES = ["pypi" + ".org", "python" + "hosted.org", "npmjs" + ".org", "conda" + ".org", "index" + "-url"]
MACHINE_PATHS = re.compile(r"(?<![\w.~$}\]-])/(?:work|root|tmp|home)/(?!user\b)")
"""`user` is an example's name, not somebody's."""


@cache
def committed_texts() -> dict[str, str]:
    """Every text that git has, by path."""
    names = (
        subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    )
    texts = {}
    for name in filter(None, names):
        data = (ROOT / name).read_bytes() if (ROOT / name).is_file() else b""
        if b"\0" not in data:
            texts[name] = data.decode("utf-8", "replace")
    return texts


def distribution(requirement: str) -> str:
    """`psycopg[binary]>=3.3` → `psycopg`."""
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def test_no_package_registry_is_named() -> None:
    found = [(name, host) for name, text in committed_texts().items() for host in REGISTRIES if host in text]
    assert found == []


def test_no_path_of_a_developers_machine_is_named() -> None:
    found = [
        (name, line.strip())
        for name, text in committed_texts().items()
        for line in text.splitlines()
        if MACHINE_PATHS.search(line)
    ]
    assert found == []


def test_the_lock_has_exact_versions_with_hashes_and_no_addresses() -> None:
    assert "://" not in LOCK
    entries = re.split(r"^(?=[A-Za-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert entries
    for entry in entries:
        assert re.match(r"[\w.\[\],-]+==[\w.+!]+( ;[^\n]+)? \\\n", entry), entry.partition("\n")[0]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.partition("\n")[0]


def test_the_lock_holds_every_requirement() -> None:
    locked = {distribution(line) for line in LOCK.splitlines() if re.match(r"[A-Za-z0-9]", line)}
    extras = [row for rows in PROJECT["optional-dependencies"].values() for row in rows]
    wanted = {distribution(row) for row in (*PROJECT["dependencies"], *extras)}
    assert wanted - locked == {PROJECT["name"]}


def test_there_is_one_version() -> None:
    releases = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert PROJECT["version"] == onec_rag.__version__ == releases[0]
