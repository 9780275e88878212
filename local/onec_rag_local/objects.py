"""The bucket's objects as files of the data folder: copied there, removed, put back into a new bucket.

`<folder>/objects/<name>.json` describes an object, `<name>` is the SHA-256 of its key: no key becomes a path. Its
content is in `<name>-<ETag>` beside it, so that replacing the description replaces both in one step.
"""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import SupportsRead
    from mypy_boto3_s3.client import S3Client
    from mypy_boto3_s3.type_defs import CompletedPartTypeDef

COPY_BYTES = 1 << 20
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The description of an object; `part_sizes` in bytes, empty for one that was put in one piece.

    The ETag of a multipart object is the MD5 of its parts' MD5s and their number, so the same parts give the same.
    """

    key: str
    etag: str
    content_type: str
    metadata: dict[str, str]
    part_sizes: list[int]

    @property
    def name(self) -> str:
        return hashlib.sha256(self.key.encode()).hexdigest()

    @property
    def content_name(self) -> str:
        return f"{self.name}-{self.etag}"


def put_back(s3: "S3Client", bucket: str, folder: Path) -> int:
    """Put the mirrored objects into an empty bucket, with their ETags, metadata and content types; returns how many.

    What a crash left without a description is removed.
    """
    objects = folder / "objects"
    kept = list(read_all(objects))
    contents = {item.content_name for item in kept}
    for item in kept:
        etag = _put_whole(s3, bucket, item, objects) if not item.part_sizes else _put_parts(s3, bucket, item, objects)
        if etag.strip('"') != item.etag:
            logger.warning("%s came back with another ETag: %s, was %s", item.key, etag, item.etag)
    for path in objects.glob("*"):
        if path.suffix != ".json" and path.name not in contents:
            path.unlink()
    return len(kept)


def _put_whole(s3: "S3Client", bucket: str, item: Mirrored, objects: Path) -> str:
    with (objects / item.content_name).open("rb") as content:
        return s3.put_object(
            Bucket=bucket, Key=item.key, Body=content, ContentType=item.content_type, Metadata=item.metadata
        )["ETag"]


def _put_parts(s3: "S3Client", bucket: str, item: Mirrored, objects: Path) -> str:
    upload = s3.create_multipart_upload(
        Bucket=bucket, Key=item.key, ContentType=item.content_type, Metadata=item.metadata
    )["UploadId"]
    parts: list[CompletedPartTypeDef] = []
    with (objects / item.content_name).open("rb") as content:
        for number, size in enumerate(item.part_sizes, 1):
            etag = s3.upload_part(
                Bucket=bucket, Key=item.key, UploadId=upload, PartNumber=number, Body=content.read(size)
            )["ETag"]
            parts.append({"PartNumber": number, "ETag": etag})
    whole = s3.complete_multipart_upload(Bucket=bucket, Key=item.key, UploadId=upload, MultipartUpload={"Parts": parts})
    return whole["ETag"]


def copy(s3: "S3Client", bucket: str, key: str, objects: Path) -> str:
    """Copy an object with its description; returns its ETag. Raises `ClientError` 404 when there is none."""
    answer = s3.get_object(Bucket=bucket, Key=key)
    etag = answer["ETag"].strip('"')
    item = Mirrored(key, etag, answer["ContentType"], answer["Metadata"], _part_sizes(s3, bucket, key, etag))
    former = _read(objects / f"{item.name}.json")
    objects.mkdir(parents=True, exist_ok=True)
    _write(objects / item.content_name, answer["Body"])
    _write(objects / f"{item.name}.json", BytesIO(json.dumps(asdict(item), ensure_ascii=False).encode()))
    if former and former.etag != etag:
        (objects / former.content_name).unlink(missing_ok=True)
    return etag


def _write(path: Path, content: "SupportsRead[bytes]") -> None:
    """Replace the file in one step, with all of it on the disk."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    with unfinished.open("wb") as file:
        shutil.copyfileobj(content, file, COPY_BYTES)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _part_sizes(s3: "S3Client", bucket: str, key: str, etag: str) -> list[int]:
    """The sizes of a multipart object's parts, which the server remembers; the ETag ends with their number."""
    _, dash, count = etag.partition("-")
    if not dash:
        return []
    return [
        s3.head_object(Bucket=bucket, Key=key, PartNumber=number)["ContentLength"]
        for number in range(1, int(count) + 1)
    ]


def remove(objects: Path, key: str) -> None:
    """Forget an object; nothing happens where there is none."""
    name = hashlib.sha256(key.encode()).hexdigest()
    (objects / f"{name}.json").unlink(missing_ok=True)
    for path in objects.glob(f"{name}-*"):
        path.unlink()


def read_all(objects: Path) -> Iterator[Mirrored]:
    """The descriptions of all objects whose content is there."""
    for path in sorted(objects.glob("*.json")):
        item = _read(path)
        if item and (objects / item.content_name).exists():
            yield item


def _read(description: Path) -> Mirrored | None:
    return Mirrored(**json.loads(description.read_text("utf-8"))) if description.exists() else None
