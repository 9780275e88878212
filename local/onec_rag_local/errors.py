"""What can go wrong with the local stack, under one base.

LocalStackError
└── FolderInUseError    another living stack holds the data folder
"""

from pathlib import Path


class LocalStackError(Exception):
    """A part of the local stack cannot start or go on; the message says what mends it."""


class FolderInUseError(LocalStackError):
    """The data folder belongs to another living stack.

    `pid` is its process (`None` where it could not be read), `url` the address of its API (empty while it starts).
    """

    def __init__(self, folder: Path, pid: int | None, url: str) -> None:
        holder = f"pid {pid}" if pid else "pid ?"
        place = f", {url}" if url else ""
        super().__init__(
            f"Папка {folder} занята: стек уже запущен ({holder}{place}). Остановите его или укажите другую папку.\n"
            f"The folder {folder} is in use: a stack is already running ({holder}{place}). "
            "Stop it or name another folder."
        )
        self.folder = folder
        self.pid = pid
        self.url = url
