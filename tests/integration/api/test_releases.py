"""`/v1/releases`, deletion of sources, and `as_of` wherever a release is asked for."""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.testclient import TestClient

from integration.api.conftest import BUCKET, Face, problem_of, services
from integration.configuration import configuration, zipped
from integration.databases import Template
from integration.service import Service, service_over
from onec_rag.api.app import create_app
from onec_rag.aws.objects import Objects
from onec_rag.store.database import Database

pytestmark = pytest.mark.integration

LABELS = ("3.1/а", "3.2", "3.2")
DAYS = {
    1: datetime(2026, 1, 10, tzinfo=UTC),
    2: datetime(2026, 2, 10, tzinfo=UTC),
    3: datetime(2026, 3, 10, tzinfo=UTC),
}


@pytest.fixture
def changing(template_database: Template, objects: Objects) -> Iterator[Face]:
    """`book` in releases of January, February and March, whose page says which; `shop` of today, loaded in part."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        for number, label in enumerate(LABELS, 1):
            service.load("book", zipped({"а.md": f"# А\n\nстраница {number}"}, ""), name=f"{number}.zip", label=label)
            service.rows("UPDATE release SET ready_at = %s WHERE no = %s RETURNING no", DAYS[number], number)
        service.put("shop", zipped(configuration()))
        service.run(most=2)
        migrator = Database(dsns.migrator, "tests")
        parts = services(service.search.database, objects, service.search, service.indexing.plan_queue)
        with TestClient(create_app(parts)) as client:
            keys: dict[str, str] = {}
            face = Face(client, keys, service, migrator)
            keys["admin"] = face.make_key(["admin"])
            keys["shop admin"] = face.make_key(["admin"], ["shop"])
            keys["reader"] = face.make_key(["read"])
            keys["uploader"] = face.make_key(["upload"])
            yield face
        migrator.close()


def delete(face: Face, path: str, key: str = "admin") -> Any:
    return face.client.delete(path, headers=face.headers(key))


def texts(face: Face, **body: Any) -> set[tuple[str, str]]:
    """Label and text of what a search finds."""
    response = face.post("/v1/search", {"query": "страница"} | body)
    assert response.status_code == 200, response.text
    return {(hit["place"]["release"], hit["text"]) for hit in response.json()["hits"]}


def test_releases_are_listed_newest_first(changing: Face) -> None:
    listed = changing.get("/v1/releases?source=book", "reader").json()
    assert [(row["release"], row["label"], row["state"]) for row in listed] == [
        (3, "3.2", "ready"), (2, "3.2", "ready"), (1, "3.1/а", "ready"),
    ]  # fmt: skip
    newest = listed[0]
    assert (newest["source"], newest["current"], newest["head"], newest["chunks"]) == ("book", True, True, 1)
    assert newest["counts"]["chunks_new"] == 1
    assert newest["upload"] == str(changing.service.uploads("book")[0]["id"])
    assert newest["ready_at"].startswith("2026-03-10T00:00:00")
    assert {row["source"] for row in changing.get("/v1/releases").json()} == {"book", "shop"}
    (loading,) = changing.get("/v1/releases?source=shop").json()
    assert (loading["state"], loading["ready_at"], loading["current"], loading["head"]) == (
        "loading",
        None,
        False,
        False,
    )


def test_of_a_source_that_is_not_the_callers_no_release_is_listed(changing: Face) -> None:
    problem_of(changing.get("/v1/releases?source=nothing"), 404)
    problem_of(changing.get("/v1/releases?source=book", "shop admin"), 404)
    assert {row["source"] for row in changing.get("/v1/releases", "shop admin").json()} == {"shop"}


def test_an_old_release_is_activated_and_a_middle_one_deleted(changing: Face) -> None:
    activated = changing.client.post("/v1/releases/book/3.1%2F%D0%B0/activate", headers=changing.headers("admin"))
    assert (activated.json()["release"], activated.json()["current"], activated.json()["head"]) == (1, True, False)
    assert texts(changing) == {("3.1/а", "страница 1")}
    deleted = delete(changing, "/v1/releases/book/2").json()
    assert (deleted["release"], deleted["label"], deleted["current"]) == (2, "3.2", False)
    assert [row["release"] for row in changing.get("/v1/releases?source=book").json()] == [3, 1]
    assert texts(changing, release="3.2") == {("3.2", "страница 3")}
    problem_of(changing.post("/v1/search", {"query": "x", "release": "2"}), 404)


@pytest.mark.parametrize(
    ("method", "path", "status", "reason"),
    [
        ("DELETE", "/v1/releases/book/3", 400, "is the current one; activate another first"),
        (
            "DELETE",
            "/v1/releases/book/3.2",
            400,
            "several releases of book are called 3.2; name one by its number: 3, 2",
        ),
        ("DELETE", "/v1/releases/shop/1", 400, "release 1 of shop is still loading"),
        ("DELETE", "/v1/releases/book/4", 404, "release 4 of book is not here"),
        ("DELETE", "/v1/releases/nothing/1", 404, "release 1 of nothing is not here"),
        ("POST", "/v1/releases/shop/1/activate", 400, "is loading; only a ready one can be activated"),
        ("POST", "/v1/releases/book/4/activate", 404, "release 4 of book is not here"),
        ("DELETE", "/v1/sources/shop", 400, "an upload of shop is loading"),
        ("DELETE", "/v1/sources/nothing", 404, "source nothing is not here"),
    ],
)
def test_what_can_not_be_done_says_why(changing: Face, method: str, path: str, status: int, reason: str) -> None:
    response = changing.client.request(method, path, headers=changing.headers("admin"))
    assert reason in problem_of(response, status)["detail"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/v1/releases/book/1/activate"), ("DELETE", "/v1/releases/book/1"), ("DELETE", "/v1/sources/book")],
)
def test_only_an_admin_of_the_source_changes_it(changing: Face, method: str, path: str) -> None:
    for key, status in {"reader": 403, "uploader": 403, "shop admin": 404}.items():
        problem_of(changing.client.request(method, path, headers=changing.headers(key)), status)
    assert len(changing.get("/v1/releases?source=book").json()) == 3


@pytest.mark.parametrize(
    ("as_of", "number"),
    [
        ("2026-01-10", 1),
        ("2026-02-09", 1),
        ("2026-02-10T00:00:00", 2),
        ("2026-02-10T02:59:59+03:00", 1),
        ("2026-03-09T23:59:59.999Z", 2),
        ("9999-12-31", 3),
    ],
)
def test_a_date_or_time_is_read_as_it_was_then(changing: Face, as_of: str, number: int) -> None:
    wanted = {(LABELS[number - 1], f"страница {number}")}
    assert texts(changing, as_of=as_of) == wanted
    (hit,) = changing.post("/v1/search", {"query": "страница", "as_of": as_of}).json()["hits"]
    opened = changing.client.get(f"/v1/hits/{hit['id']}", params={"as_of": as_of}, headers=changing.headers("reader"))
    assert opened.json()["hit"]["place"] == hit["place"]
    (source,) = changing.client.get("/v1/sources", params={"as_of": as_of}, headers=changing.headers("reader")).json()
    assert (source["name"], source["release"], source["chunks"]) == ("book", number, 1)
    answer = changing.post("/v1/answers", {"question": "страница", "as_of": as_of}).json()
    assert [item["place"]["release"] for item in answer["sources"]] == [LABELS[number - 1]]


def test_before_the_first_release_nothing_is_there(changing: Face) -> None:
    problem_of(changing.post("/v1/search", {"query": "x", "as_of": "2026-01-09"}), 404)
    problem_of(changing.get("/v1/hits/0-1?as_of=2026-01-09"), 404)
    assert changing.get("/v1/sources?as_of=2026-01-09").json() == []


def test_sources_are_shown_in_the_release_that_is_asked_for(changing: Face) -> None:
    assert [(row["name"], row["release"]) for row in changing.get("/v1/sources").json()] == [
        ("book", 3),
        ("shop", None),
    ]
    assert [(row["name"], row["release"]) for row in changing.get("/v1/sources?release=2").json()] == [("book", 2)]


def test_a_release_and_a_time_together_are_refused(changing: Face) -> None:
    both = {"release": "1", "as_of": "2026-01-10"}
    problem_of(changing.post("/v1/search", {"query": "x"} | both), 400)
    problem_of(changing.post("/v1/answers", {"question": "x"} | both), 400)
    problem_of(changing.get("/v1/hits/0-1?release=1&as_of=2026-01-10"), 400)
    assert "not both" in problem_of(changing.get("/v1/sources?release=1&as_of=2026-01-10"), 400)["detail"]


@pytest.mark.parametrize("as_of", ["", "2026", "yesterday", "2026-02-30", "1767225600", 1767225600, True])
def test_what_is_no_time_is_told(changing: Face, as_of: object) -> None:
    told = problem_of(changing.post("/v1/search", {"query": "x", "as_of": as_of}), 422)
    assert [row["place"] for row in told["errors"]] == ["body.as_of"]


def test_a_deleted_source_goes_with_its_objects(changing: Face, objects: Objects) -> None:
    others = {"uploads/book.old/cf.zip", "uploads/other/book/cf.zip"}
    for key in ("uploads/book/cf.zip", "sync/book/а.md", "content/book/1.zip", *others):
        objects.put(BUCKET, key, io.BytesIO(b"x"))
    assert delete(changing, "/v1/sources/book").json() == {"source": "book", "releases": 3, "objects": 3}
    left = {key for prefix in ("uploads/", "sync/", "content/") for key in objects.keys(BUCKET, prefix)}
    assert {key for key in left if "/book" in key} == others
    assert [row["name"] for row in changing.get("/v1/sources").json()] == ["shop"]
    problem_of(delete(changing, "/v1/sources/book"), 404)
    changing.service.run()
    assert [row["release"] for row in changing.get("/v1/sources").json()] == [1], "the other source loads on"


def loaded_again(service: Service) -> str:
    return str(service.load("book", zipped({"а.md": "# А\n\nстраница 1"}, ""), name="1.zip", label="new")["state"])


def test_the_same_bytes_are_loaded_again_after_their_source_was_deleted(changing: Face) -> None:
    delete(changing, "/v1/sources/book")
    assert loaded_again(changing.service) == "ready"
    assert texts(changing) == {("new", "страница 1")}
