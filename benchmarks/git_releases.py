"""Releases of a configuration as the commits of a git directory hold them, written into a folder file by file.

`git archive` gives up where one blob is missing (a partial clone), so every blob is asked for by itself.
"""

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


def write_release(repository: Path, commit: str, folder: Path) -> list[str]:
    """Makes `folder` hold the commit's files and nothing else; gives the paths whose content is not there."""
    shutil.rmtree(folder, ignore_errors=True)
    rows = _git(repository, "ls-tree", "-r", "-z", commit, CONTENT).split(b"\0")
    missing = []
    with subprocess.Popen(
        ["git", "-C", repository, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as git:
        assert git.stdin and git.stdout
        for row in filter(None, rows):
            described, _, name = row.partition(b"\t")
            git.stdin.write(described.split()[2] + b"\n")
            git.stdin.flush()
            header = git.stdout.readline().split()
            if header[1] == b"missing":
                missing.append(name.decode())
                continue
            data = git.stdout.read(int(header[2]) + 1)[:-1]
            file = folder / name.decode()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        git.stdin.close()
    return missing


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", repository, *arguments], check=True, stdout=subprocess.PIPE).stdout
