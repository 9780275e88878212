"""`/v1/sources/{name}/manifest`: what a client compares its folder with."""

from collections.abc import Iterator

import pytest

from integration.api.conftest import Face, problem_of
from integration.configuration import configuration, zipped
from onec_rag.indexing.manifest import MANIFEST, Manifest, write_manifest

pytestmark = pytest.mark.integration

FILES = {f"Модуль{number}.bsl": f"{number:032x}" for number in range(1_000)}
PATH = "/v1/sources/listed/manifest"


@pytest.fixture(scope="module", autouse=True)
def _listed(face: Face) -> Iterator[None]:
    """A source whose upload holds a list of its files."""
    listed = write_manifest(Manifest("sha256", FILES))
    face.service.load("listed", zipped(configuration() | {MANIFEST: listed}, ""), label="7")
    yield
    face.client.delete("/v1/sources/listed", headers=face.headers("admin")).raise_for_status()


def test_the_files_of_the_head_are_listed_with_their_hashes(face: Face) -> None:
    answer = face.get(PATH, "uploader")
    assert answer.status_code == 200
    upload = face.get("/v1/uploads?source=listed").json()[0]
    assert answer.json() == {"upload": upload["id"], "release": 1, "label": "7", "files": FILES}


def test_the_list_is_packed_for_whoever_can_unpack_it(face: Face) -> None:
    packed = face.client.get(PATH, headers=face.headers("admin") | {"Accept-Encoding": "gzip"})
    plain = face.client.get(PATH, headers=face.headers("admin") | {"Accept-Encoding": "identity"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 3


@pytest.mark.parametrize("source", ["shop", "nobody"])
def test_a_source_without_a_list_is_not_found(face: Face, source: str) -> None:
    told = problem_of(face.get(f"/v1/sources/{source}/manifest"), 404)
    assert told["detail"] == f"source {source} has no list of files: send everything"


def test_the_list_is_for_those_who_may_upload_to_the_source(face: Face) -> None:
    problem_of(face.get(PATH, "reader"), 403)
    problem_of(face.get(PATH, "docs uploader"), 404)
