"""Binary files of 1C in a checkout: each must open as a container, and every element of it must be read."""

from collections.abc import Mapping
from pathlib import Path

from scripts.corpora.folder import head_of
from scripts.corpora.rows import Row

from onec_rag.errors import PermanentError
from onec_rag.formats.container import Container

SUFFIXES = (".cf", ".cfe", ".epf", ".erf", ".hbk")
SIGNS = (b"\xff\xff\xff\x7f", b"\xff" * 8)


def open_binaries(files: Mapping[str, Path]) -> tuple[list[Row], list[str]]:
    """How many were opened, where there are any, and why the others were not. A file that is only named like one (its
    first bytes are others) is none."""
    named = {path: file for path, file in files.items() if path.endswith(SUFFIXES)}
    binaries = {path: file for path, file in named.items() if head_of(file).startswith(SIGNS)}
    faults = []
    for path, file in binaries.items():
        try:
            _read_whole(path, file)
        except PermanentError as error:
            faults.append(str(error))
    rows = [Row("binary files opened", len(binaries) - len(faults), len(binaries))] if binaries else []
    return rows, faults


def _read_whole(path: str, file: Path) -> None:
    with file.open("rb") as stream:

        def read(offset: int, length: int) -> bytes:
            stream.seek(offset)
            return stream.read(length)

        container = Container(read, file.stat().st_size, path)
        if not container.elements():
            raise PermanentError("a container without elements", path)
        for name in container.elements():
            container.read(name)
