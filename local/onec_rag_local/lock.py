"""One living owner per folder, told by a lock that the kernel releases whatever happens to the owner."""

import fcntl
import json
import os
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Self

from onec_rag_local.errors import FolderInUseError


@dataclass(frozen=True, slots=True)
class FolderLock:
    """A held `flock` on a file, which says in JSON who holds it: `{"pid": 123, "url": "http://…"}`.

    The file stays when the lock is released: removing it would let two owners hold two files of one name.
    """

    path: Path
    file: FileIO

    @classmethod
    def take(cls, path: Path) -> Self:
        """Take the lock at once. Raises `FolderInUseError` when a living process holds it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        file = FileIO(path, "a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            with file:
                pid, url = _read_holder(file)
            raise FolderInUseError(path.parent, pid, url) from None
        lock = cls(path, file)
        lock.publish("")
        return lock

    def publish(self, url: str) -> None:
        """Tell others where the owner's API is served."""
        self.file.truncate(0)
        self.file.write(json.dumps({"pid": os.getpid(), "url": url}).encode())

    def release(self) -> None:
        """Give the lock back; once more does nothing."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _read_holder(file: FileIO) -> tuple[int | None, str]:
    """Pid and API address of the owner; unknown while the owner is just writing them."""
    file.seek(0)
    try:
        holder = json.loads(file.read())
        return int(holder["pid"]), str(holder["url"])
    except (ValueError, KeyError, TypeError):
        return None, ""
