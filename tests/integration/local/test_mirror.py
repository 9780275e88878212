from pathlib import Path

import pytest

from onec_rag_local.aws import BUCKET, Aws, s3, sqs
from onec_rag_local.objects import read_all
from waiting import wait_until

pytestmark = pytest.mark.integration
MEBIBYTE = 1 << 20
FIVE = 5 * MEBIBYTE
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


def test_objects_come_back_as_they_were_and_are_not_planned_again(tmp_path: Path) -> None:
    body = b"1C" * 6 * MEBIBYTE
    with Aws.start(tmp_path) as aws:
        etags = {
            "uploads/empty": put(aws, "uploads/empty", b""),
            KEY: put(aws, KEY, b"PK"),
            f"{KEY}.parts": put_in_parts(aws, f"{KEY}.parts", [body[:FIVE], body[FIVE : 2 * FIVE], body[2 * FIVE :]]),
            f"{KEY}.unequal": put_in_parts(aws, f"{KEY}.unequal", [body[: FIVE + 1], body[FIVE + 1 :]]),
        }
        bodies = dict(zip(etags, (b"", b"PK", body, body), strict=True))
    with Aws.start(tmp_path) as aws:
        for key, etag in etags.items():
            found = s3(aws.url).get_object(Bucket=BUCKET, Key=key)
            assert found["ETag"] == etag
            assert found["Metadata"] == METADATA
            assert found["ContentType"] == "application/zip"
            assert found["Body"].read() == bodies[key]
        planned = sqs(aws.url).receive_message(QueueUrl=aws.queue_urls["plan"], WaitTimeSeconds=2)
        assert "Messages" not in planned


def test_objects_are_copied_while_the_server_runs_and_outlive_its_death(tmp_path: Path) -> None:
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / "0123.unfinished").write_bytes(b"what a crash left")
    with Aws.start(tmp_path) as aws:
        etag = put(aws, KEY, b"PK")
        wait_until(lambda: kept(tmp_path) == {KEY: etag.strip('"')})
        aws.process.kill()
    with Aws.start(tmp_path) as aws:
        assert s3(aws.url).head_object(Bucket=BUCKET, Key=KEY)["ETag"] == etag
    assert len(list((tmp_path / "objects").iterdir())) == 2


def test_a_replaced_object_leaves_no_former_content_and_a_removed_one_nothing(aws: Aws, aws_folder: Path) -> None:
    put(aws, KEY, b"former")
    wait_until(lambda: kept(aws_folder))
    etag = put(aws, KEY, b"present")
    wait_until(lambda: kept(aws_folder) == {KEY: etag.strip('"')})
    assert len(list((aws_folder / "objects").iterdir())) == 2
    s3(aws.url).delete_object(Bucket=BUCKET, Key=KEY)
    wait_until(lambda: not list((aws_folder / "objects").iterdir()))


def test_no_key_becomes_a_path(aws: Aws, aws_folder: Path) -> None:
    put(aws, "uploads/../../../escaped", b"PK")
    wait_until(lambda: "uploads/../../../escaped" in kept(aws_folder))
    assert not list(aws_folder.parent.rglob("*escaped*"))
