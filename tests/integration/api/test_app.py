"""What holds for every route."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from integration.api.conftest import Face, problem_of
from onec_rag import __version__
from onec_rag.errors import ConfigurationError, PermanentError, RetryableError
from onec_rag.model.search import SearchRequest, SearchResult
from onec_rag.retrieval.pipeline import Search

pytestmark = pytest.mark.integration


def test_health_asks_nobody(without_database: TestClient) -> None:
    response = without_database.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok", "version": __version__})


def test_the_description_is_complete(face: Face) -> None:
    described = face.client.get("/openapi.json").json()
    assert described["info"]["version"] == __version__
    assert {"/v1/search", "/v1/sources", "/v1/status", "/v1/uploads", "/v1/uploads/{upload_id}"} <= set(
        described["paths"]
    )
    for path, methods in described["paths"].items():
        for name, operation in methods.items():
            assert operation.get("description"), f"{name} {path} says nothing of itself"
            if path.startswith("/v1/"):
                assert operation["security"], f"{name} {path} asks for no key"
    assert face.client.get("/docs").status_code == 200


def test_a_route_that_is_not_there_is_a_problem(face: Face) -> None:
    problem_of(face.get("/v1/nothing"), 404)
    response = face.client.delete("/v1/search", headers=face.headers("admin"))
    problem_of(response, 405)
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (PermanentError("it can't be read", "Модуль.bsl", "line 3"), 422),
        (RetryableError("the world is on fire"), 503),
        (ConfigurationError("a setting is wrong"), 500),
        (ValueError("a secret detail"), 500),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_failure_is_a_problem(face: Face, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int) -> None:
    def fail(_: Search, request: SearchRequest, allowed: object) -> SearchResult:
        raise error

    monkeypatch.setattr(Search, "run", fail)
    told = problem_of(face.post("/v1/search", {"query": "x"}), status)
    expected = (
        str(error) if not isinstance(error, ValueError) else "something unexpected went wrong; the log tells more"
    )
    assert told["detail"] == expected


@pytest.mark.parametrize(("wish", "header"), [(None, "2"), (0.5, "2"), (7.9, "7"), (600.0, "600")])
def test_a_wish_to_wait_is_passed_on(
    face: Face, monkeypatch: pytest.MonkeyPatch, wish: float | None, header: str
) -> None:
    def fail(_: Search, request: SearchRequest, allowed: object) -> SearchResult:
        raise RetryableError("later", wish)

    monkeypatch.setattr(Search, "run", fail)
    assert face.post("/v1/search", {"query": "x"}).headers["retry-after"] == header


def test_many_at_once_are_answered(face: Face) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: face.post("/v1/search", {"query": f"цена {number}"}), range(24)))
    assert {answer.status_code for answer in answers} == {200}
