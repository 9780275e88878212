import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from onec_rag_local.aws import BUCKET, Aws, s3, sqs
from onec_rag_local.objects import read_all
from waiting import wait_until

pytestmark = pytest.mark.integration
MEBIBYTE = 1 << 20
KEY = "uploads/бсп/Выгрузка Ёлка.zip"
METADATA = {"label": "3.1.12.238", "title": "%D0%91%D0%A1%D0%9F"}


def put(aws: Aws, key: str, body: bytes) -> str:
    return s3(aws.url).put_object(Bucket=BUCKET, Key=key, Body=body, Metadata=METADATA, ContentType="application/zip")[
        "ETag"
    ]


def put_in_parts(aws: Aws, key: str, parts: list[bytes]) -> str:
    client = s3(aws.url)
    upload = client.create_multipart_upload(Bucket=BUCKET, Key=key, Metadata=METADATA, ContentType="application/zip")
    etags = [
        client.upload_part(Bucket=BUCKET, Key=key, UploadId=upload["UploadId"], PartNumber=number, Body=part)["ETag"]
        for number, part in enumerate(parts, 1)
    ]
    return client.complete_multipart_upload(
        Bucket=BUCKET,
        Key=key,
        UploadId=upload["UploadId"],
        MultipartUpload={"Parts": [{"PartNumber": number, "ETag": etag} for number, etag in enumerate(etags, 1)]},
    )["ETag"]


def kept(folder: Path) -> dict[str, str]:
    return {item.key: item.etag for item in read_all(folder / "objects")}


def plan_is_empty(aws: Aws) -> bool:
    return "Messages" not in sqs(aws.url).receive_message(QueueUrl=aws.queue_urls["plan"], WaitTimeSeconds=2)


@pytest.mark.parametrize(
    ("put_object", "content"),
    [
        (put, b""),
        (put, b"PK" * 1000),
        (
            lambda aws, key, body: put_in_parts(aws, key, [body[i : i + 5 * MEBIBYTE] for i in (0, 5 << 20, 10 << 20)]),
            b"PK" * 6 * MEBIBYTE,
        ),
        (
            lambda aws, key, body: put_in_parts(aws, key, [body[: 6 * MEBIBYTE + 1], body[6 * MEBIBYTE + 1 :]]),
            b"PK" * 6 * MEBIBYTE,
        ),
    ],
    ids=["empty", "single", "12 MiB in 5 MiB parts", "unequal parts"],
)
def test_an_object_comes_back_as_it_was_and_is_not_planned_again(
    tmp_path: Path, put_object: Callable[[Aws, str, bytes], str], content: bytes
) -> None:
    with Aws.start(tmp_path) as aws:
        etag = put_object(aws, KEY, content)
    with Aws.start(tmp_path) as aws:
        found = s3(aws.url).get_object(Bucket=BUCKET, Key=KEY)
        assert found["ETag"] == etag
        assert found["Metadata"] == METADATA
        assert found["ContentType"] == "application/zip"
        assert hashlib.sha256(found["Body"].read()).digest() == hashlib.sha256(content).digest()
        assert plan_is_empty(aws)


def test_objects_are_copied_while_the_server_runs_and_outlive_its_death(tmp_path: Path) -> None:
    with Aws.start(tmp_path) as aws:
        etag = put(aws, KEY, b"PK")
        wait_until(lambda: kept(tmp_path) == {KEY: etag.strip('"')})
        aws.process.kill()
    with Aws.start(tmp_path) as aws:
        assert s3(aws.url).head_object(Bucket=BUCKET, Key=KEY)["ETag"] == etag


def test_a_removed_object_is_removed_from_the_folder(tmp_path: Path) -> None:
    with Aws.start(tmp_path) as aws:
        put(aws, KEY, b"PK")
        wait_until(lambda: kept(tmp_path))
        s3(aws.url).delete_object(Bucket=BUCKET, Key=KEY)
        wait_until(lambda: not list((tmp_path / "objects").iterdir()))


def test_a_replaced_object_leaves_no_former_content(tmp_path: Path) -> None:
    with Aws.start(tmp_path) as aws:
        put(aws, KEY, b"former")
        wait_until(lambda: kept(tmp_path))
        etag = put(aws, KEY, b"present")
        wait_until(lambda: kept(tmp_path) == {KEY: etag.strip('"')})
    assert len(list((tmp_path / "objects").iterdir())) == 2


def test_no_key_becomes_a_path(tmp_path: Path) -> None:
    with Aws.start(tmp_path / "data") as aws:
        put(aws, "uploads/../../../escaped", b"PK")
    assert len(kept(tmp_path / "data")) == 1
    assert not list(tmp_path.rglob("escaped"))


def test_what_a_crash_left_without_a_description_is_cleaned_away(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "0123.unfinished").write_bytes(b"PK")
    with Aws.start(tmp_path) as aws:
        assert "Contents" not in s3(aws.url).list_objects_v2(Bucket=BUCKET)
    assert not list((tmp_path / "objects").iterdir())
