"""Loose objects of the bucket → one archive, that takes what is unchanged from the archive of the release before."""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from onec_rag.aws.objects import ListedObject
from onec_rag.errors import PermanentError
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.compose import BUFFER, copy_members
from onec_rag.indexing.kept import read_kept
from onec_rag.indexing.keys import content_key
from onec_rag.indexing.manifest import MANIFEST, Manifest, write_manifest
from onec_rag.indexing.stage import Archive, store_archive
from onec_rag.indexing.sync import fingerprint
from onec_rag.model.tasks import Upload
from onec_rag.observability import logger

PARALLEL = 16
_TOGETHER = 64  # small objects in memory at once: at most BUFFER bytes each


def gather(indexing: Indexing, upload: Upload) -> Archive | None:
    """The archive of all objects below the upload's key; None where they are no longer those that were claimed: then
    another batch is under way.

    Raises:
        PermanentError: they are too large for an archive, or one was replaced while it was read.
    """
    listed = indexing.objects.listing(upload.bucket, upload.key)
    if fingerprint(listed) != upload.version:
        return None
    found = {item.key.removeprefix(upload.key): item for item in listed if not item.key.endswith("/")}
    if not found:
        raise PermanentError("nothing is left of this folder", upload.key)
    if sum(item.size for item in listed) > indexing.limits.inflated_bytes:
        raise PermanentError(f"the folder holds more than the {indexing.limits.inflated_bytes} bytes allowed")
    with tempfile.TemporaryFile() as staged:
        with ZipFile(staged, "w", ZIP_DEFLATED, compresslevel=1) as packed:
            unchanged = _copy_unchanged(indexing, upload, found, packed)
            _fetch(indexing, upload, {path: found[path] for path in sorted(found.keys() - unchanged)}, packed)
            etags = {path: item.etag for path, item in found.items()}
            packed.writestr(ZipInfo(MANIFEST), write_manifest(Manifest("etag", etags)), ZIP_DEFLATED)
        logger.info("loose objects gathered", extra={"objects": len(found), "unchanged": len(unchanged)})
        return store_archive(indexing, upload, staged, [], content_key(upload.source_name, upload.id))


def _copy_unchanged(
    indexing: Indexing, upload: Upload, found: dict[str, ListedObject], packed: ZipFile
) -> frozenset[str]:
    """Copies what the head's archive has under the same ETag; gives the paths."""
    kept = read_kept(indexing, upload.source_name)
    if kept is None or kept.manifest is None or kept.manifest.hashed != "etag":
        return frozenset()
    etags = kept.manifest.files
    same = {path for path, item in found.items() if etags.get(path) == item.etag and path in kept.members}
    copy_members(kept.content.read_range, [kept.members[path] for path in same], packed)
    return frozenset(same)


def _fetch(indexing: Indexing, upload: Upload, wanted: dict[str, ListedObject], packed: ZipFile) -> None:
    small = [(path, item) for path, item in wanted.items() if item.size <= BUFFER]

    def read(item: ListedObject) -> bytes:
        return indexing.objects.pinned(upload.bucket, item.key, item.etag).read_range(0, item.size)

    with ThreadPoolExecutor(PARALLEL) as pool:
        for together in _slices(small):
            for (path, _), data in zip(together, pool.map(read, [item for _, item in together]), strict=True):
                packed.writestr(ZipInfo(path), data, ZIP_DEFLATED)
    for path, item in wanted.items():
        if item.size > BUFFER:
            info = ZipInfo(path)
            info.compress_type, info.file_size = ZIP_DEFLATED, item.size
            with packed.open(info, "w") as target:
                _copy(indexing, upload, item, target)


def _copy(indexing: Indexing, upload: Upload, item: ListedObject, target: IO[bytes]) -> None:
    pinned = indexing.objects.pinned(upload.bucket, item.key, item.etag)
    for begin in range(0, item.size, BUFFER):
        target.write(pinned.read_range(begin, min(BUFFER, item.size - begin)))


def _slices(items: Sequence[tuple[str, ListedObject]]) -> Iterator[Sequence[tuple[str, ListedObject]]]:
    for begin in range(0, len(items), _TOGETHER):
        yield items[begin : begin + _TOGETHER]
