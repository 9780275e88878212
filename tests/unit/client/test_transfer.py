import hashlib
from pathlib import Path

import pytest

from onec_rag_client.api import OnecRag
from onec_rag_client.errors import ApiError
from onec_rag_client.transfer import RETRIES, send_parts
from unit.client.fake_api import KEY, PART_SIZE, FakeApi


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Five parts and a bit."""
    path = tmp_path / "cf.zip"
    path.write_bytes(hashlib.shake_256(b"cf").digest(5 * PART_SIZE + 123))
    return path


def send(fake: FakeApi, file: Path) -> tuple[list[int], list[float]]:
    """Sends and completes; gives what was told of progress, and the pauses."""
    told: list[int] = []
    pauses: list[float] = []
    with OnecRag(fake.url, KEY) as api:
        links = api.announce("bsp", file.name, file.stat().st_size)
        etags = send_parts(api, file, links["parts"], links["part_size"] or 0, told.append, pauses.append)
        api.complete(links["id"], links["multipart_id"] or "", etags)
    return told, pauses


def test_a_file_arrives_whole_in_parts(fake: FakeApi, file: Path) -> None:
    told, pauses = send(fake, file)
    assert fake.object == file.read_bytes()
    assert [len(fake.parts[number]) for number in range(1, 7)] == [PART_SIZE] * 5 + [123]
    assert sum(told) == file.stat().st_size
    assert pauses == []


def test_a_part_that_fails_is_sent_again_and_progress_stays_true(fake: FakeApi, file: Path) -> None:
    fake.part_failures.extend([500, 503, 500])
    told, pauses = send(fake, file)
    assert fake.object == file.read_bytes()
    assert sum(told) == file.stat().st_size
    assert min(told) < 0
    assert len(pauses) == 3


def test_a_part_that_always_fails_ends_the_upload(fake: FakeApi, tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_bytes(b"# one part")
    fake.part_failures.extend([500] * 10)
    with OnecRag(fake.url, KEY) as api:
        links = api.announce("docs", file.name, 10)
        pauses: list[float] = []
        with pytest.raises(ApiError) as caught:
            send_parts(api, file, links["parts"], PART_SIZE, lambda _: None, pauses.append)
    assert caught.value.status == 500
    assert pauses == [0.5, 1, 2]
    assert len(fake.sent("PUT", "/bucket/1")) == RETRIES + 1
