"""`/v1/uploads`: announced here, sent to the bucket, watched here."""

import json
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from integration.api.conftest import UPLOAD_LIMIT, Face, problem_of
from onec_rag.aws.objects import PART_SIZE, Objects
from onec_rag_local.aws import BUCKET

pytestmark = pytest.mark.integration

BODY = {"source": "shop", "file_name": "cf.zip", "size": 10}


def announce(face: Face, key: str = "uploader", **facts: Any) -> dict[str, Any]:
    response = face.post("/v1/uploads", BODY | facts, key)
    assert response.status_code == 201, response.text
    links: dict[str, Any] = response.json()
    return links


def put(link: str, data: bytes) -> str:
    """Sends a part; returns its ETag."""
    request = Request(link, data, {"Content-Type": "application/octet-stream"}, method="PUT")
    with build_opener(ProxyHandler({})).open(request, timeout=30) as answer:
        return str(answer.headers["ETag"])


def test_the_bytes_go_to_the_bucket_in_parts(face: Face, objects: Objects) -> None:
    data = bytes(range(256)) * (PART_SIZE // 256) + b"the rest"
    links = announce(face, "admin", size=len(data), label="сборка 7")
    assert links["part_size"] == PART_SIZE
    assert len(links["parts"]) == 2
    etags = [
        put(link, data[number * PART_SIZE : (number + 1) * PART_SIZE]) for number, link in enumerate(links["parts"])
    ]
    done = face.post(
        f"/v1/uploads/{links['id']}/complete", {"multipart_id": links["multipart_id"], "etags": etags}
    ).json()
    assert (done["state"], done["label"], done["size"]) == ("receiving", "сборка 7", len(data))
    facts = objects.facts(BUCKET, links["key"])
    assert facts.size == len(data)
    assert objects.pinned(BUCKET, links["key"], facts.version).read_range(PART_SIZE - 2, 10) == data[PART_SIZE - 2 :]


@pytest.mark.parametrize("name", ["cf.zip", "моя конфигурация.zip", "a/b\\c.zip", "../../x", " ", "\0\n", ".."])
def test_the_key_holds_the_source_and_a_harmless_name(face: Face, name: str) -> None:
    links = announce(face, file_name=name)
    parts = links["key"].split("/")
    assert parts[:3] == ["uploads", "shop", links["id"]]
    assert len(parts) == 4
    assert parts[3].replace(".", "").replace("_", "").replace("-", "").isalnum() or set(parts[3]) <= {"_", "."}


def test_a_browser_gets_a_form_of_a_bounded_size(face: Face) -> None:
    links = announce(face, method="form")
    assert links["parts"] == []
    assert links["multipart_id"] is None
    assert links["form"]["fields"]["key"] == links["key"]
    assert links["form"]["url"].endswith(f"/{BUCKET}")


def test_an_announced_upload_is_watched_by_its_id(face: Face) -> None:
    links = announce(face, "docs uploader", source="docs", label="новая")
    upload = face.get(f"/v1/uploads/{links['id']}", "docs uploader").json()
    assert (upload["source"], upload["state"], upload["label"]) == ("docs", "receiving", "новая")
    assert (upload["tasks"], upload["problems"], upload["counts"]) == (0, 0, {})
    assert face.get(f"/v1/uploads/{links['id']}/problems", "docs uploader").json() == []
    assert face.get("/v1/uploads?source=docs", "docs uploader").json()[0] == upload


def test_a_loaded_upload_tells_what_was_done(face: Face) -> None:
    upload = next(row for row in face.get("/v1/uploads?source=shop").json() if row["state"] == "ready")
    assert (upload["tasks"], upload["tasks_done"], upload["problems"]) == (2, 2, 1)
    assert upload["counts"]["procedures"] == 4
    assert upload["finished_at"] >= upload["planned_at"] >= upload["created_at"]
    (problem,) = face.get(f"/v1/uploads/{upload['id']}/problems").json()
    assert problem["path"] == "src/cf/Catalogs/Битый.xml"
    assert problem["reason"]


def test_a_new_source_may_be_announced_by_a_key_of_every_source(face: Face) -> None:
    announce(face, source="новый-источник_2.0")


def test_another_source_may_not_be_announced(face: Face) -> None:
    told = problem_of(face.post("/v1/uploads", BODY, "docs uploader"), 403)
    assert told["detail"] == "this API key may not upload to shop"


def test_an_upload_above_the_limit_is_refused(face: Face) -> None:
    told = problem_of(face.post("/v1/uploads", BODY | {"size": UPLOAD_LIMIT + 1}), 400)
    assert told["detail"] == f"an upload has at most {UPLOAD_LIMIT} bytes, this one {UPLOAD_LIMIT + 1}"


@pytest.mark.parametrize(
    ("facts", "place"),
    [
        ({"source": "a/b"}, "body.source"),
        ({"source": "../x"}, "body.source"),
        ({"source": ""}, "body.source"),
        ({"source": "a,b"}, "body.source"),
        ({"source": "a\n"}, "body.source"),
        ({"size": 0}, "body.size"),
        ({"size": -1}, "body.size"),
        ({"file_name": ""}, "body.file_name"),
        ({"file_name": "x" * 256}, "body.file_name"),
        ({"label": ""}, "body.label"),
        ({"label": "a\0"}, "body.label"),
        ({"method": "pigeon"}, "body.method"),
        ({"surprise": 1}, "body.surprise"),
    ],
    ids=str,
)
def test_what_is_wrong_with_an_announcement_is_told(face: Face, facts: dict[str, Any], place: str) -> None:
    told = problem_of(face.post("/v1/uploads", BODY | facts), 422)
    assert [row["place"] for row in told["errors"]] == [place]


def test_an_upload_is_confirmed_by_whoever_may_upload_and_planned(face: Face) -> None:
    links = announce(face, "docs uploader", source="docs")
    queue = face.service.cloud.queues["plan"]
    queue.clear()
    path = f"/v1/uploads/{links['id']}/confirm"
    problem_of(face.post(path, None, "docs reader"), 403)
    assert queue == []
    confirmed = face.post(path, None, "docs uploader")
    assert (confirmed.status_code, confirmed.json()["state"]) == (200, "receiving")
    assert [json.loads(message) for message in queue] == [{"upload": links["id"]}]
    queue.clear()
    elsewhere = announce(face)
    problem_of(face.post(f"/v1/uploads/{elsewhere['id']}/confirm", None, "docs uploader"), 404)


def test_what_has_ended_can_not_be_confirmed(face: Face) -> None:
    upload = next(row for row in face.get("/v1/uploads?source=shop").json() if row["state"] == "ready")
    told = problem_of(face.post(f"/v1/uploads/{upload['id']}/confirm", None), 400)
    assert told["detail"] == f"upload {upload['id']} is ready: there is nothing to confirm"
    problem_of(face.post(f"/v1/uploads/{uuid4()}/confirm", None), 404)


def test_an_announcement_may_confirm_beforehand(face: Face) -> None:
    links = announce(face, confirm=True)
    assert face.service.value("SELECT confirmed FROM upload WHERE id = %s", links["id"]) is True
    assert face.service.value("SELECT confirmed FROM upload WHERE id = %s", announce(face)["id"]) is False


def test_parts_that_were_not_sent_can_not_be_put_together(face: Face) -> None:
    links = announce(face)
    body = {"multipart_id": links["multipart_id"], "etags": ['"0123456789abcdef0123456789abcdef"']}
    problem_of(face.post(f"/v1/uploads/{links['id']}/complete", body), 422)
    unknown = {"multipart_id": "nobody's", "etags": ["x"]}
    problem_of(face.post(f"/v1/uploads/{links['id']}/complete", unknown), 422)
    problem_of(face.post(f"/v1/uploads/{links['id']}/complete", {"multipart_id": "x", "etags": []}), 422)


def test_a_bucket_that_is_away_is_asked_again_later(face: Face, without_bucket: TestClient) -> None:
    response = without_bucket.post("/v1/uploads", json=BODY, headers=face.headers("uploader"))
    assert problem_of(response, 503)["detail"].startswith("bucket: ")


def test_an_upload_that_is_not_there_is_not_found(face: Face) -> None:
    unknown = uuid4()
    body = {"multipart_id": "x", "etags": ["x"]}
    for response in (
        face.get(f"/v1/uploads/{unknown}"),
        face.get(f"/v1/uploads/{unknown}/problems"),
        face.post(f"/v1/uploads/{unknown}/complete", body),
    ):
        assert problem_of(response, 404)["detail"] == f"upload {unknown} is not here"
    problem_of(face.get("/v1/uploads/not-an-id"), 422)


def test_uploads_of_a_source_that_is_not_there_are_none(face: Face) -> None:
    assert face.get("/v1/uploads?source=nobody").json() == []


@pytest.mark.parametrize("source", ["%00", "a,b", "*", ""])
def test_a_source_that_can_not_be_one_is_refused(face: Face, source: str) -> None:
    problem_of(face.get(f"/v1/uploads?source={source}"), 422)
