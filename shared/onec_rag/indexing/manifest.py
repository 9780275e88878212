"""The list of all files of an upload inside its archive, with what tells their contents apart."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from onec_rag.errors import PermanentError

FOLDER = ".onec-rag/"
"""What we put into an archive ourselves; no file of the upload."""
MANIFEST = f"{FOLDER}manifest.json"
MOST_PACKED = 4 << 20
"""Bytes: as base64 inside what a Lambda function may answer, 6 MB."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Path in the upload → hash of the file's bytes: SHA-256 cut to 32 hex digits, or the ETag of a loose object.

    `base` is the id of the upload that a delta was made against; None where the archive holds every file itself.
    """

    hashed: Literal["sha256", "etag"]
    files: Mapping[str, str]
    base: str | None = None


def write_manifest(manifest: Manifest) -> bytes:
    document = {"hash": manifest.hashed, "base": manifest.base, "files": dict(manifest.files)}
    return json.dumps(document, ensure_ascii=False).encode()


def read_manifest(data: bytes) -> Manifest:
    """Raises `PermanentError` where it is not one."""
    try:
        document = json.loads(data)
        hashed, base, files = document["hash"], document["base"], document["files"]
    except (ValueError, KeyError, TypeError) as error:
        raise PermanentError(f"the list of files is damaged ({error})", MANIFEST) from error
    fine = hashed in ("sha256", "etag") and isinstance(base, str | None) and isinstance(files, dict)
    if not fine or not all(isinstance(value, str) for value in files.values()):
        raise PermanentError("the list of files is damaged", MANIFEST)
    return Manifest(hashed, files, base)


def pack_manifest(manifest: Manifest) -> bytes | None:
    """As it is stored beside the upload; None for one that is too large to be answered in one piece."""
    packed = gzip.compress(write_manifest(manifest), 6, mtime=0)
    return packed if len(packed) <= MOST_PACKED else None


def unpack_manifest(packed: bytes) -> Manifest:
    return read_manifest(gzip.decompress(packed))
