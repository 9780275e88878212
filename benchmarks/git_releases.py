"""Releases of a configuration as the commits of a git directory hold them, written into a folder file by file.

`git archive` gives up where one blob is missing (a partial clone), so every blob is asked for by itself.
"""

import io
import re
import shutil
import subprocess
from pathlib import Path

CONFIGURATION = "src/cf/Configuration.xml"
CONTENT = "src/cf"
_VERSION = re.compile(rb"<Version>([^<]+)</Version>")


def find_releases(repository: Path, most: int = 40) -> dict[str, str]:
    """Version → its last commit, newest first, among the last `most` commits that touch the configuration's root."""
    commits = _git(repository, "log", "--first-parent", f"-{most}", "--format=%H", "--", CONFIGURATION).split()
    found: dict[str, str] = {}
    for commit in map(bytes.decode, commits):
        version = _VERSION.search(_git(repository, "show", f"{commit}:{CONFIGURATION}"))
        if version:
            found.setdefault(version[1].decode(), commit)
    return found


def list_objects(repository: Path, commit: str) -> list[str]:
    """Names of the configuration's objects, sorted by kind and name."""
    rows = _git(repository, "ls-tree", "-r", "-z", "--name-only", commit, CONTENT).decode().split("\0")
    return [Path(row).stem for row in rows if row.endswith(".xml") and row.count("/") == CONTENT.count("/") + 2]


def write_release(repository: Path, commit: str, folder: Path) -> list[str]:
    """Makes `folder` hold the commit's files and nothing else; gives the paths whose content is not there."""
    shutil.rmtree(folder, ignore_errors=True)
    rows = _git(repository, "ls-tree", "-r", "-z", commit, CONTENT).split(b"\0")
    blobs = [
        (described.split()[2], name.decode()) for described, _, name in (row.partition(b"\t") for row in rows) if name
    ]
    asked = b"".join(name + b"\n" for name, _ in blobs)
    contents = io.BytesIO(_git(repository, "cat-file", "--batch", asked=asked))
    missing = []
    for _, path in blobs:
        header = contents.readline().split()
        if header[1] == b"missing":
            missing.append(path)
            continue
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(contents.read(int(header[2])))
        contents.read(1)  # the line's end
    return missing


def _git(repository: Path, *arguments: str, asked: bytes = b"") -> bytes:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, input=asked, check=True, stdout=subprocess.PIPE).stdout
