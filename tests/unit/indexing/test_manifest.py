import json

import pytest

from onec_rag.errors import PermanentError
from onec_rag.indexing import manifest
from onec_rag.indexing.manifest import Manifest, pack_manifest, read_manifest, unpack_manifest, write_manifest

LISTED = Manifest("sha256", {"CommonModules/Модуль.bsl": "0" * 32}, "an upload")


def test_a_manifest_is_read_as_it_was_written() -> None:
    assert read_manifest(write_manifest(LISTED)) == LISTED


@pytest.mark.parametrize(
    "document",
    [
        None, [], "x", {}, {"hash": "sha256", "files": {}}, {"hash": "sha256", "base": 1, "files": {}},
        {"hash": "sha256", "base": None, "files": ["a"]}, {"hash": "sha256", "base": None, "files": {"a": 1}},
        {"hash": "crc", "base": None, "files": {}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_manifest_is_told(document: object) -> None:
    with pytest.raises(PermanentError, match="the list of files is damaged"):
        read_manifest(json.dumps(document).encode())


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 10])
def test_what_is_no_json_is_told(data: bytes) -> None:
    with pytest.raises(PermanentError, match="the list of files is damaged"):
        read_manifest(data)


def test_a_packed_manifest_is_the_same_and_one_that_is_too_large_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack_manifest(LISTED)
    assert packed is not None
    assert unpack_manifest(packed) == LISTED
    monkeypatch.setattr(manifest, "MOST_PACKED", len(packed) - 1)
    assert pack_manifest(LISTED) is None
