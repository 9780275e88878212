"""A folder → a zip whose bytes depend on nothing but the files' names and contents (and the zlib that packs them).

Equal bytes let the service see that nothing has changed without reading them. The list of files that the zip ends with
lets the next upload hold only what has changed.
"""

import hashlib
import json
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from onec_rag_client.surrogates import repair

LARGEST = 512 * 1024**2
"""Bytes of one file; a larger one is no text that anyone searches."""
SKIPPED_FOLDERS = frozenset(
    {".git", ".svn", ".hg", ".idea", ".vscode", ".metadata", ".venv", ".onec-rag", "node_modules", "__pycache__"}
)
SKIPPED_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
MANIFEST = ".onec-rag/manifest.json"
_HASH_DIGITS = 32  # SHA-256 cut to 128 bits, as the service keeps it
_BLOCK = 1024**2
_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: a link between folders that Windows does not call a link


@dataclass(frozen=True, slots=True)
class File:
    """A file to pack: its `name` in the archive (NFC, `/`), where it lies, and its size in bytes."""

    name: str
    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is left out though nobody would call it junk: too large, or a link to the outside."""

    name: str
    reason: Literal["large", "link"]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder gives, in the order of the names."""

    files: tuple[File, ...]
    skipped: tuple[Skipped, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def list_folder(folder: Path) -> Listing:
    """Lists the files of a folder and its folders.

    Version control, editors' folders and the system's litter are left out silently. A link to a file inside the
    folder is read as that file; links to folders (their files are listed where they lie) and to the outside are not
    followed.

    Raises:
        OSError: a folder can't be read; a listing without it would tell the service that its files are gone.
    """
    root = long_path(os.path.realpath(folder))
    found = sorted(_walk(root, root, ""), key=lambda item: item.name)
    return Listing(
        tuple(item for item in found if isinstance(item, File)),
        tuple(item for item in found if isinstance(item, Skipped)),
    )


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from an upload before: `base` is its id, `unchanged` the hashes of the files that stay out."""

    base: str
    unchanged: Mapping[str, str]


def hash_files(listing: Listing, on_bytes: Callable[[int], object]) -> dict[str, str]:
    """Name → hash of each listed file's bytes; `on_bytes` is told how many bytes more were read. Raises OSError for
    what is gone."""
    hashes = {}
    for file in listing.files:
        digest = hashlib.sha256()
        for block in _read_blocks(file, on_bytes):
            digest.update(block)
        hashes[file.name] = digest.hexdigest()[:_HASH_DIGITS]
    return hashes


def write_zip(
    listing: Listing, target: Path, on_bytes: Callable[[int], object], changes: Changes | None = None
) -> None:
    """Packs the listed files, and at the end the list of all files with their hashes.

    With `changes` all but the unchanged ones. `on_bytes` is told how many bytes more were read. Raises OSError for what
    is gone.
    """
    hashes = dict(changes.unchanged) if changes else {}
    with ZipFile(target, "w") as archive:
        for file in listing.files:
            if file.name in hashes:
                continue
            digest = hashlib.sha256()
            with archive.open(_member(file.name, file.size), "w") as packed:
                for block in _read_blocks(file, on_bytes):
                    digest.update(block)
                    packed.write(block)
            hashes[file.name] = digest.hexdigest()[:_HASH_DIGITS]
        manifest = {"hash": "sha256", "base": changes.base if changes else None, "files": hashes}
        content = json.dumps(manifest, ensure_ascii=False, sort_keys=True).encode()
        archive.writestr(_member(MANIFEST, len(content)), content)


def _member(name: str, size: int) -> ZipInfo:
    member = ZipInfo(name)  # of 1 January 1980
    member.compress_type = ZIP_DEFLATED  # at zlib's default level, 6
    member.create_system, member.external_attr = 3, (stat.S_IFREG | 0o644) << 16  # the same on every system
    member.file_size = size
    return member


def _read_blocks(file: File, on_bytes: Callable[[int], object]) -> Iterator[bytes]:
    with open(file.path, "rb") as source:  # noqa: PTH123 - a Windows \\?\ path
        while block := source.read(_BLOCK):
            yield block
            on_bytes(len(block))


def long_path(path: str, windows: bool = os.name == "nt") -> str:
    r"""An absolute path as Windows takes it above 260 characters: `\\?\C:\…`, `\\?\UNC\server\…`.

    Source: learn.microsoft.com, "Naming Files, Paths, and Namespaces", section "Win32 File Namespaces".
    """
    if not windows or path.startswith("\\\\?\\"):
        return path
    return f"\\\\?\\UNC\\{path[2:]}" if path.startswith("\\\\") else f"\\\\?\\{path}"


def _walk(folder: str, root: str, prefix: str) -> Iterator[File | Skipped]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + unicodedata.normalize("NFC", repair(entry.name))
            if _is_link(entry):
                yield _linked(entry, root, name)
            elif entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED_FOLDERS:
                    yield from _walk(entry.path, root, f"{name}/")
            elif entry.is_file(follow_symlinks=False) and entry.name not in SKIPPED_FILES:
                yield _sized(entry, name)


def _is_link(entry: os.DirEntry[str]) -> bool:
    facts = entry.stat(follow_symlinks=False)
    return entry.is_symlink() or getattr(facts, "st_reparse_tag", 0) == _JUNCTION


def _linked(entry: os.DirEntry[str], root: str, name: str) -> File | Skipped:
    target = Path(os.path.realpath(entry.path))
    inside = target.is_file() and target.is_relative_to(root)
    if inside and not SKIPPED_FOLDERS & set(target.relative_to(root).parts):
        return _sized(entry, name)
    return Skipped(name, "link")


def _sized(entry: os.DirEntry[str], name: str) -> File | Skipped:
    size = entry.stat().st_size
    return Skipped(name, "large") if size > LARGEST else File(name, entry.path, size)
