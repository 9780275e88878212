"""A checkout on the disk: its files by the paths that an upload of it would have, its roots, who reads what."""

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onec_rag.formats.archive import HEAD
from onec_rag.formats.base import Format, Root
from onec_rag.formats.table import find_roots, format_of

_POINTER = b"version https://git-lfs.github.com/spec/v1\n"
_LARGEST_POINTER = 1_024


@dataclass(frozen=True, slots=True)
class Placed:
    """A file under the innermost root that holds it; `format` is None where nobody reads it."""

    root: Root
    path: str
    file: Path
    format: Format | None

    @property
    def shown(self) -> str:
        """The path from the checkout's folder."""
        return self.root.prefix + self.path


@dataclass(frozen=True, slots=True)
class Checkout:
    """Files by their path from the checkout's folder, in NFC; `pointers` are those that Git LFS has left out."""

    files: Mapping[str, Path]
    pointers: Sequence[str]


def list_files(folder: Path) -> Checkout:
    """Every file below a folder; what git keeps for itself is passed over."""
    files, pointers = {}, []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            file = Path(top, name)
            path = unicodedata.normalize("NFC", file.relative_to(folder).as_posix())
            if file.stat().st_size < _LARGEST_POINTER and head_of(file).startswith(_POINTER):
                pointers.append(path)
            else:
                files[path] = file
    return Checkout(files, pointers)


def head_of(file: Path) -> bytes:
    """The first bytes of a file, as many as a plan looks at."""
    with file.open("rb") as stream:
        return stream.read(HEAD)


def roots_of(files: Mapping[str, Path]) -> list[Root]:
    return find_roots(files, lambda path: head_of(files[path]))


def placed_files(files: Mapping[str, Path], roots: Sequence[Root]) -> Iterator[Placed]:
    """Files inside roots; the others belong to nothing that we know."""
    inner_first = sorted(roots, key=lambda root: -len(root.prefix))
    for shown, file in files.items():
        root = next((root for root in inner_first if root.holds(shown)), None)
        if root is not None:
            path = shown.removeprefix(root.prefix)
            yield Placed(root, path, file, format_of(root.kind, path))
