"""Keys: whose they are, what they may do, and what is said when they may not."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.api.conftest import SECRET, Face, problem_of
from onec_rag.api import auth
from onec_rag.api.keys import new_key

pytestmark = pytest.mark.integration

QUESTION = {"query": "цена товара"}


def ask(face: Face, headers: dict[str, str]) -> Any:
    return face.client.post("/v1/search", json=QUESTION, headers=headers)


def test_a_key_comes_as_bearer_or_in_a_header_of_its_own(face: Face) -> None:
    key = face.keys["reader"]
    for headers in ({"Authorization": f"Bearer {key}"}, {"authorization": f"bearer {key}"}, {"X-API-Key": key}):
        assert ask(face, headers).status_code == 200


WRONG = {
    "none": {},
    "another scheme": {"Authorization": "Basic dXNlcjpwYXNz"},
    "a word": {"X-API-Key": "secret"},
    "a key of another secret": {"X-API-Key": new_key(b"another")[1]},
    "a key with a wrong mac": {"X-API-Key": new_key(SECRET)[1][:-1] + "x"},
    "a cut key": {"X-API-Key": new_key(SECRET)[1][:-1]},
    "a longer key": {"X-API-Key": new_key(SECRET)[1] + "0"},
    "an empty bearer": {"Authorization": "Bearer "},
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_key_is_refused_without_a_database(without_database: TestClient, case: str) -> None:
    response = without_database.post("/v1/search", json=QUESTION, headers=WRONG[case])
    assert problem_of(response, 401)["detail"] == "the API key is missing or wrong"
    assert response.headers["www-authenticate"] == "Bearer"


def test_a_right_key_needs_the_database(without_database: TestClient) -> None:
    response = without_database.post("/v1/search", json=QUESTION, headers={"X-API-Key": new_key(SECRET)[1]})
    assert problem_of(response, 503)["detail"].startswith("database: ")
    assert int(response.headers["retry-after"]) >= 1


def test_a_right_key_that_nobody_knows_is_refused(face: Face) -> None:
    response = ask(face, {"X-API-Key": new_key(SECRET)[1]})
    assert problem_of(response, 401)["detail"] == "the API key was revoked or has expired"


def test_a_key_that_was_revoked_is_refused(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    key = face.make_key(["read"])
    assert ask(face, {"X-API-Key": key}).status_code == 200
    face.service.rows("UPDATE api_key SET revoked_at = now() WHERE id = %s RETURNING 1", key.split("_")[1])
    assert ask(face, {"X-API-Key": key}).status_code == 200, "for half a minute it is still known"
    monkeypatch.setattr(auth, "KNOWN_SECONDS", -1.0)
    assert problem_of(ask(face, {"X-API-Key": key}), 401)


def test_a_key_that_has_expired_is_refused(face: Face) -> None:
    key = face.make_key(["read"])
    face.service.rows("UPDATE api_key SET expires_at = now() WHERE id = %s RETURNING 1", key.split("_")[1])
    assert problem_of(ask(face, {"X-API-Key": key}), 401)


@pytest.mark.parametrize("key", ["nothing", "uploader"])
def test_reading_needs_its_scope(face: Face, key: str) -> None:
    for response in (face.post("/v1/search", QUESTION, key), *(
        face.get(path, key) for path in ("/v1/sources", "/v1/status", "/v1/uploads")
    )):  # fmt: skip
        assert problem_of(response, 403)["detail"] == "this API key has no scope 'read'"


@pytest.mark.parametrize("key", ["nothing", "reader"])
def test_uploading_needs_its_scope(face: Face, key: str) -> None:
    body = {"source": "shop", "file_name": "cf.zip", "size": 10}
    assert problem_of(face.post("/v1/uploads", body, key), 403)["detail"] == "this API key has no scope 'upload'"


def test_admin_holds_every_scope(face: Face) -> None:
    assert face.post("/v1/search", QUESTION, "admin").status_code == 200
    assert face.get("/v1/status", "admin").status_code == 200


def test_a_key_sees_its_sources_only(face: Face) -> None:
    hits = face.post("/v1/search", QUESTION, "docs reader").json()["hits"]
    assert {hit["place"]["source"] for hit in hits} == {"docs"}
    assert [row["name"] for row in face.get("/v1/sources", "docs reader").json()] == ["docs"]
    assert {row["source"] for row in face.get("/v1/uploads", "docs reader").json()} == {"docs"}
    everything = face.post("/v1/search", QUESTION, "reader").json()["hits"]
    assert {hit["place"]["source"] for hit in everything} == {"docs", "shop"}


def test_a_foreign_source_is_not_even_said_to_exist(face: Face) -> None:
    foreign = problem_of(face.post("/v1/search", QUESTION | {"sources": ["shop"]}, "docs reader"), 404)
    unknown = problem_of(face.post("/v1/search", QUESTION | {"sources": ["nobody"]}, "docs reader"), 404)
    assert foreign["detail"].replace("shop", "nobody") == unknown["detail"]
    upload = face.get("/v1/uploads?source=shop").json()[0]["id"]
    for path in (f"/v1/uploads/{upload}", f"/v1/uploads/{upload}/problems"):
        assert problem_of(face.get(path, "docs reader"), 404)["detail"] == f"upload {upload} is not here"


def test_a_foreign_hit_is_not_here(face: Face) -> None:
    (hit, *_) = face.post("/v1/search", QUESTION | {"sources": ["shop"]}).json()["hits"]
    assert face.get(f"/v1/hits/{hit['id']}").status_code == 200
    assert problem_of(face.get(f"/v1/hits/{hit['id']}", "docs reader"), 404)
