"""`/v1/status`, `/v1/problems` and `/v1/janitor`: how far everything is, and what keeps it."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from starlette.testclient import TestClient

from integration.api.conftest import BUCKET, Face, problem_of, services
from integration.configuration import configuration, zipped
from integration.databases import Template
from integration.service import service_over
from onec_rag.api.app import create_app
from onec_rag.aws.objects import Objects
from onec_rag.indexing import grouping, janitor
from onec_rag.indexing.activate import fail_upload
from onec_rag.store.database import Database

NOBODYS = UUID(int=0x1C)
pytestmark = pytest.mark.integration

BROKEN = {f"Catalogs/Битый{number}.xml": "<" for number in range(5)}


@pytest.fixture
def changing(template_database: Template, objects: Objects, monkeypatch: pytest.MonkeyPatch) -> Iterator[Face]:
    """A service that a test may change; `shop` is half loaded, in tasks of two files."""
    monkeypatch.setattr(grouping, "MEMBERS", 2)
    with template_database.clone() as dsns, service_over(dsns) as service:
        service.put("shop", zipped(configuration() | {"notes.log": "x"}))
        service.run(most=5)
        migrator = Database(dsns.migrator, "tests")
        parts = services(service.search.database, objects, service.search, service.indexing.plan_queue)
        with TestClient(create_app(parts)) as client:
            keys: dict[str, str] = {}
            face = Face(client, keys, service, migrator)
            keys["admin"] = face.make_key(["admin"])
            keys["shop admin"] = face.make_key(["admin"], ["shop"])
            keys["reader"] = face.make_key(["read"])
            yield face
        migrator.close()


def of(face: Face, source: str) -> dict[str, Any]:
    """The status of the last upload of a source."""
    upload_id = face.service.uploads(source)[0]["id"]
    response = face.get(f"/v1/status/{upload_id}")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    assert found["upload"] == face.get(f"/v1/uploads/{upload_id}").json()
    return found


def test_of_a_loaded_upload_everything_is_told(face: Face) -> None:
    found = of(face, "shop")
    assert found["tasks"] == {"done": found["upload"]["tasks"], "waiting": 0, "failed": 0}
    assert found["files"] == {"read": 8, "skipped": 0, "failed": 1}
    assert found["chunks"] == {"new": 15, "kept": 0, "closed": 0}
    assert [row["files"] for row in found["reasons"]] == [1]
    vectors = found["vectors"]
    assert (vectors["source"], vectors["vectors"], vectors["waiting"]) == ("shop", vectors["chunks"], 0)


def test_an_upload_that_loads_tells_what_waits_and_one_that_failed_what_was_not_done(changing: Face) -> None:
    found = of(changing, "shop")
    total = found["upload"]["tasks"]
    assert found["tasks"] == {"done": 4, "waiting": total - 4, "failed": 0}
    assert 0 < found["files"]["read"] < 8
    assert found["files"]["skipped"] == 1
    assert found["vectors"] is None
    fail_upload(changing.service.indexing, found["upload"]["id"], "enough")
    assert of(changing, "shop")["tasks"] == {"done": 4, "waiting": 0, "failed": total - 4}


def test_what_the_endpoint_has_left_undone_is_told(changing: Face) -> None:
    changing.service.run()
    changing.service.superuser.execute("UPDATE source SET vector_problem = 'HTTP 401'")
    vectors = of(changing, "shop")["vectors"]
    assert (vectors["waiting"], vectors["seconds"], vectors["problem"]) == (15, None, "HTTP 401")


def test_reasons_are_told_by_their_number_of_files(changing: Face) -> None:
    changing.service.load("other", zipped(configuration() | BROKEN | {"CommonModules/А/Ext/Module.bsl": b"\0"}))
    reasons = of(changing, "other")["reasons"]
    assert [row["files"] for row in reasons] == [5, 1]


def test_an_upload_that_is_not_the_callers_is_not_there(face: Face) -> None:
    upload_id = face.service.uploads("shop")[0]["id"]
    for path in (f"/v1/status/{upload_id}", f"/v1/problems?upload={upload_id}", "/v1/problems?source=shop"):
        assert face.get(path, "reader").status_code == 200
        problem_of(face.get(path, "docs reader"), 404)
        problem_of(face.get(path, "nothing"), 403)
    problem_of(face.get(f"/v1/status/{uuid4()}"), 404)
    problem_of(face.get("/v1/status/no-id"), 422)


def test_problems_come_in_pages_in_the_order_of_their_paths(changing: Face) -> None:
    changing.service.load("other", zipped(configuration() | BROKEN))
    upload_id = str(changing.service.uploads("other")[0]["id"])
    seen = []
    for offset in (0, 2, 4, 6):
        page = changing.get(f"/v1/problems?upload={upload_id}&offset={offset}&limit=2").json()
        assert (page["total"], page["offset"], page["upload"]["id"]) == (5, offset, upload_id)
        seen += [row["path"] for row in page["problems"]]
    assert seen == sorted(f"src/cf/{path}" for path in BROKEN)
    assert set(page["problems"]) == set()


def test_problems_of_a_source_are_those_of_its_last_upload_that_was_read(changing: Face) -> None:
    changing.service.load("other", zipped(configuration() | BROKEN), "1.zip")
    changing.service.load("other", b"not a zip", "2.zip")
    page = changing.get("/v1/problems?source=other").json()
    assert (page["total"], page["upload"]["key"]) == (5, "uploads/other/1.zip")
    changing.service.load("other", zipped(configuration("2.0")), "3.zip")
    assert changing.get("/v1/problems?source=other").json()["total"] == 0


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        (f"?source=shop&upload={NOBODYS}", 400),
        ("?source=nothing", 404),
        (f"?upload={NOBODYS}", 404),
        ("?source=shop&offset=-1", 422),
        ("?source=shop&limit=1001", 422),
        ("?source=a,b", 422),
    ],
)
def test_what_can_not_be_asked_is_refused(face: Face, query: str, status: int) -> None:
    problem_of(face.get(f"/v1/problems{query}"), status)


def run_janitor(face: Face) -> dict[str, int]:
    """What a planner does with the message."""
    (message,) = (json.loads(body) for body in face.service.cloud.queues["plan"])
    face.service.cloud.queues["plan"].clear()
    return janitor.tidy(face.service.indexing, BUCKET, janitor.Rules(stuck=timedelta(minutes=25)), message["janitor"])


def test_a_run_is_asked_for_done_by_a_planner_and_then_told(changing: Face) -> None:
    assert changing.get("/v1/status").json()["janitor"] is None
    asked = changing.post("/v1/janitor", None)
    assert asked.status_code == 202
    run = asked.json()
    assert (run["ended_at"], run["done"], run["dead_letters"]) == (None, None, None)
    assert changing.get("/v1/status").json()["janitor"] is None, "it has not come to its end"
    changing.service.cloud.queues["plan-dead"] = ["x"]
    done = run_janitor(changing)
    told = changing.get(f"/v1/janitor/{run['id']}").json()
    assert told["done"] == done
    assert told["dead_letters"] == {"plan": 1, "index": 0, "embed": 0}
    assert told["ended_at"] is not None
    assert changing.get("/v1/status", "reader").json()["janitor"] == told
    assert of(changing, "shop")["dead_letters"] == 1
    assert changing.get("/v1/status", "shop admin").json()["janitor"] is None, "it tells of all sources"


@pytest.mark.parametrize(("key", "status"), [("reader", 403), ("shop admin", 403)])
def test_only_an_admin_of_all_sources_has_the_janitor_run(changing: Face, key: str, status: int) -> None:
    problem_of(changing.post("/v1/janitor", None, key), status)
    problem_of(changing.get(f"/v1/janitor/{uuid4()}", key), status)
    problem_of(changing.get(f"/v1/janitor/{uuid4()}"), 404)
    assert changing.service.cloud.queues["plan"] == []
    assert changing.service.rows("SELECT FROM janitor_run") == []
