"""Objects of the bucket: ranged reads pinned to one version, and presigned uploads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, BinaryIO

import boto3
from boto3.exceptions import S3UploadFailedError
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from onec_rag.errors import PermanentError, RetryableError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_GONE = {"PreconditionFailed", "NoSuchKey", "NoSuchVersion", "404", "412", "InvalidRange"}
PART_SIZE = 8 * 1024**2
LINK_SECONDS = 6 * 3600


@dataclass(frozen=True, slots=True)
class ObjectFacts:
    """What HEAD tells; `version` is the version id of a versioned bucket, else the ETag. ETags are without quotes."""

    size: int
    version: str
    etag: str
    modified: datetime
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ListedObject:
    """What a listing tells of an object; the ETag is without quotes."""

    key: str
    etag: str
    size: int
    modified: datetime


@dataclass(frozen=True, slots=True)
class PinnedObject:
    """An object at one version: reading fails rather than mixing in bytes of a later one."""

    client: "S3Client"
    bucket: str
    key: str
    version: str

    def read_range(self, offset: int, length: int) -> bytes:
        """Bytes [offset, offset + length) of the object.

        Raises:
            PermanentError: the object was deleted or replaced since it was planned.
            RetryableError: the bucket did not answer.
        """
        if not length:
            return b""  # HTTP knows no empty range
        byte_range = f"bytes={offset}-{offset + length - 1}"
        try:
            if is_etag(self.version):
                answer = self.client.get_object(
                    Bucket=self.bucket, Key=self.key, Range=byte_range, IfMatch=f'"{self.version}"'
                )
            else:
                answer = self.client.get_object(
                    Bucket=self.bucket, Key=self.key, Range=byte_range, VersionId=self.version
                )
            return answer["Body"].read()
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, self.key) from error


class Objects:
    """The bucket server."""

    def __init__(self) -> None:
        self._client: S3Client = boto3.client(
            "s3",
            config=Config(
                signature_version="s3v4",
                s3={"addressing_style": "auto"},
                retries={"mode": "standard", "max_attempts": 4},
                connect_timeout=5,
                read_timeout=60,
            ),
        )

    def pinned(self, bucket: str, key: str, version: str) -> PinnedObject:
        return PinnedObject(self._client, bucket, key, version)

    def facts(self, bucket: str, key: str) -> ObjectFacts:
        """Size, version and metadata of an object as it is now."""
        try:
            head = self._client.head_object(Bucket=bucket, Key=key)
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, key) from error
        version = head.get("VersionId") or ""
        etag = head["ETag"].strip('"')
        pin = version if version not in ("", "null") else etag
        return ObjectFacts(head["ContentLength"], pin, etag, head["LastModified"], head["Metadata"])

    def size(self, bucket: str, key: str, version: str) -> int:
        """Bytes of an object at one version, as `PinnedObject` reads it."""
        try:
            if is_etag(version):
                return self._client.head_object(Bucket=bucket, Key=key, IfMatch=f'"{version}"')["ContentLength"]
            return self._client.head_object(Bucket=bucket, Key=key, VersionId=version)["ContentLength"]
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, key) from error

    def keys(self, bucket: str, prefix: str) -> list[str]:
        """Keys of the objects below a prefix."""
        return [item.key for item in self.listing(bucket, prefix)]

    def listing(self, bucket: str, prefix: str) -> list[ListedObject]:
        """The objects below a prefix, in the order of their keys."""
        try:
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
            return [
                ListedObject(item["Key"], item["ETag"].strip('"'), item["Size"], item["LastModified"])
                for page in pages
                for item in page.get("Contents", [])
            ]
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, prefix) from error

    def put(self, bucket: str, key: str, content: BinaryIO) -> str:
        """Stores a file's content, in parts where it is large; returns its version as `ObjectFacts` has it."""
        try:
            self._client.upload_fileobj(content, bucket, key)
        except (ClientError, BotoCoreError, S3UploadFailedError) as error:
            raise RetryableError(f"bucket: {error}") from error
        return self.facts(bucket, key).version

    def delete(self, bucket: str, key: str) -> None:
        """Removes an object; nothing happens where there is none."""
        try:
            self._client.delete_object(Bucket=bucket, Key=key)
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, key) from error

    def begin_multipart(self, bucket: str, key: str, size: int, metadata: Mapping[str, str]) -> tuple[str, list[str]]:
        """Starts a multipart upload; returns its id and one presigned PUT link for each part of `PART_SIZE` bytes."""
        try:
            begun = self._client.create_multipart_upload(Bucket=bucket, Key=key, Metadata=dict(metadata))
        except (ClientError, BotoCoreError) as error:
            raise _translated(error, key) from error
        upload_id = begun["UploadId"]
        parts = range(1, max(-(-size // PART_SIZE), 1) + 1)
        links = [
            self._client.generate_presigned_url(
                "upload_part",
                Params={"Bucket": bucket, "Key": key, "UploadId": upload_id, "PartNumber": number},
                ExpiresIn=LINK_SECONDS,
            )
            for number in parts
        ]
        return upload_id, links

    def complete_multipart(self, bucket: str, key: str, multipart_id: str, etags: Sequence[str]) -> None:
        """Puts the parts together, in the order of their ETags.

        Raises:
            PermanentError: a part is missing or was not sent with that ETag.
        """
        try:
            self._client.complete_multipart_upload(
                Bucket=bucket,
                Key=key,
                UploadId=multipart_id,
                MultipartUpload={"Parts": [{"PartNumber": n, "ETag": etag} for n, etag in enumerate(etags, 1)]},
            )
        except ClientError as error:
            raise PermanentError(error.response["Error"].get("Message", "the parts do not fit together")) from error
        except BotoCoreError as error:
            raise _translated(error, key) from error

    def post_policy(self, bucket: str, key: str, limit: int, metadata: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """A form for a browser: where to post it and its fields; the size is bounded by the policy."""
        fields = {f"x-amz-meta-{name}": value for name, value in metadata.items()}
        form = self._client.generate_presigned_post(
            bucket,
            key,
            Fields=fields,
            Conditions=[["content-length-range", 1, limit], *({name: value} for name, value in fields.items())],
            ExpiresIn=LINK_SECONDS,
        )
        return form["url"], form["fields"]


def is_etag(version: str) -> bool:
    """Whether a pin is an ETag (hex digits, maybe with `-parts`) rather than a version id."""
    digest, _, parts = version.partition("-")
    return len(digest) == 32 and all(c in "0123456789abcdef" for c in digest) and (not parts or parts.isdigit())


def _translated(error: Exception, key: str) -> PermanentError | RetryableError:
    code = error.response["Error"].get("Code", "") if isinstance(error, ClientError) else ""
    if code in _GONE:
        return PermanentError("the object was deleted or replaced while it was being read", key)
    return RetryableError(f"bucket: {error}")
