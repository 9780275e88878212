"""A body is bounded whatever its header says, and one within the bound arrives unchanged."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from onec_rag.api.limits import BodyLimit


@pytest.fixture
def client() -> Iterator[TestClient]:
    app = FastAPI()
    app.add_middleware(BodyLimit, largest=10)

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, str]:
        return {"body": (await request.body()).decode()}

    with TestClient(app) as client:
        yield client


def chunks(*parts: bytes) -> Iterator[bytes]:
    yield from parts


@pytest.mark.parametrize("body", [b"", b"1234567890"])
def test_a_body_within_the_bound_arrives_unchanged(client: TestClient, body: bytes) -> None:
    assert client.post("/echo", content=body).json() == {"body": body.decode()}
    assert client.post("/echo", content=chunks(body[:3], body[3:])).json() == {"body": body.decode()}


def test_a_longer_body_is_refused_by_its_header_or_as_it_comes(client: TestClient) -> None:
    for content in (b"12345678901", chunks(b"12345", b"67890", b"1")):
        answer = client.post("/echo", content=content)
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"
        assert "10 bytes" in answer.json()["detail"]
