"""The secrets of one data folder, made once and kept in a file that only its owner can read."""

import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

FILE_NAME = "secrets.json"


def kept_passwords(folder: Path) -> dict[str, str]:
    """What the folder's file holds, by name; nothing where there is no file yet."""
    path = folder / FILE_NAME
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def passwords_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The passwords called `names`; those that are missing are made (URL-safe, 32 random bytes) and kept."""
    kept = kept_passwords(folder)
    wanted = {name: kept.get(name) or secrets.token_urlsafe(32) for name in names}
    if not wanted.items() <= kept.items():
        _write(folder / FILE_NAME, kept | wanted)
    return wanted


def _write(path: Path, content: dict[str, str]) -> None:
    """Replace the file in one step, so that a crash leaves the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
