"""`/v1/embedding` and `/v1/sources/{name}/vectors`."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from fakes import EmbeddingServer, Fault
from integration.api.conftest import Face, problem_of, services
from integration.configuration import configuration, zipped
from integration.databases import Dsns
from integration.service import embedder_of, service_over
from onec_rag.api.app import create_app
from onec_rag.aws.objects import Objects
from onec_rag.embedding import Spending
from onec_rag.retrieval.active_space import ActiveSpace
from onec_rag.store.database import Database

pytestmark = pytest.mark.integration

OTHER = {"model": "other", "dimensions": 6}


@pytest.fixture
def other() -> Iterator[EmbeddingServer]:
    with EmbeddingServer(dimensions=6) as server:
        yield server


@pytest.fixture
def own(database: Dsns, objects: Objects, embedding: EmbeddingServer) -> Iterator[Face]:
    """A database and queues of this test alone: `docs` has its vectors, those of `shop` are above the budget."""
    embedder = replace(embedder_of(embedding), spending=Spending(price=1_000, budget=200))
    with service_over(database, embedder) as service:
        service.search.active = ActiveSpace(clock=iter(range(0, 10**6, 60)).__next__)
        service.load("docs", zipped({"склад.md": "# Склад\n\nЦена товара на складе."}, ""))
        service.load("shop", zipped(configuration()))
        parts = services(service.search.database, objects, service.search, service.indexing.plan_queue)
        app = create_app(replace(parts, embed_queue=service.indexing.embed_queue))
        migrator = Database(database.migrator, "tests")
        with TestClient(app, raise_server_exceptions=False) as client:
            keys: dict[str, str] = {}
            face = Face(client, keys, service, migrator)
            keys["admin"] = face.make_key(["admin"])
            keys["docs admin"] = face.make_key(["admin"], ["docs"])
            keys["reader"] = face.make_key(["read"])
            yield face
        migrator.close()


def test_vectors_of_a_source_are_told_with_their_cost(own: Face) -> None:
    docs = own.get("/v1/sources/docs/vectors", "reader").json()
    assert (docs["chunks"], docs["vectors"], docs["waiting"], docs["held"], docs["seconds"]) == (1, 1, 0, False, 0.0)
    assert docs["planned"]["texts"] == 1
    assert docs["planned"]["price"] == pytest.approx(docs["planned"]["tokens"] / 1_000)
    shop = own.get("/v1/sources/shop/vectors", "reader").json()
    assert (shop["chunks"], shop["vectors"], shop["waiting"], shop["held"], shop["seconds"]) == (15, 0, 15, True, None)
    assert shop["left"] == shop["planned"]
    assert "onec-rag vectors release shop --confirm" in shop["problem"]
    problem_of(own.get("/v1/sources/shop/vectors", "docs admin"), 404)
    problem_of(own.get("/v1/sources/nobody/vectors"), 404)


def test_held_vectors_are_let_go_by_an_administrator(own: Face) -> None:
    problem_of(own.post("/v1/sources/shop/vectors/release", None, "reader"), 403)
    problem_of(own.post("/v1/sources/shop/vectors/release", None, "docs admin"), 404)
    answered = own.post("/v1/sources/shop/vectors/release", None)
    assert answered.status_code == 200
    assert (answered.json()["held"], answered.json()["problem"]) == (False, None)
    own.service.run()
    assert own.get("/v1/sources/shop/vectors").json()["vectors"] == 15
    told = problem_of(own.post("/v1/sources/shop/vectors/release", None), 400)
    assert told["detail"] == "no vectors of shop are held"


def test_refused_texts_are_tried_again_when_asked_for(own: Face, embedding: EmbeddingServer) -> None:
    embedding.refused["Функция ОкруглитьЦену"] = 400
    own.post("/v1/sources/shop/vectors/release", None)
    own.service.run()
    shop = own.get("/v1/sources/shop/vectors").json()
    assert (shop["vectors"], shop["refused"], shop["waiting"]) == (14, 1, 0)
    assert "too long" in shop["problem"]
    embedding.refused.clear()
    assert own.post("/v1/sources/shop/vectors/retry", None).json()["problem"] is None
    own.service.run()
    assert own.get("/v1/sources/shop/vectors").json()["vectors"] == 15


def test_another_model_is_begun_watched_and_takes_over(own: Face, other: EmbeddingServer) -> None:
    own.post("/v1/sources/shop/vectors/release", None)
    own.service.run()
    before = own.get("/v1/embedding", "reader").json()
    assert (before["active"]["model"], before["active"]["vectors"], before["next"]) == ("hash", 16, None)
    assert before["whole"]["texts"] == 16
    assert before["whole"]["price"] == pytest.approx(before["whole"]["tokens"] / 1_000)
    answered = own.post("/v1/embedding/next", OTHER | {"base_url": other.url})
    assert answered.status_code == 202, answered.text
    assert (answered.json()["next"]["model"], answered.json()["next"]["vectors"]) == ("other", 0)
    own.service.run()
    after = own.get("/v1/embedding").json()
    assert (after["active"]["model"], after["active"]["base_url"], after["next"]) == ("other", other.url, None)
    assert after["active"]["vectors"] == 16
    assert after["removing"]
    assert own.post("/v1/search", {"query": "цена", "mode": "vector"}).json()["mode"] == "vector"


def test_a_reembedding_is_abandoned(own: Face, other: EmbeddingServer) -> None:
    problem_of(own.client.delete("/v1/embedding/next", headers=own.headers("admin")), 400)
    own.post("/v1/embedding/next", OTHER | {"base_url": other.url})
    answered = own.client.delete("/v1/embedding/next", headers=own.headers("admin")).json()
    assert (answered["next"], answered["removing"]) == (None, True)
    own.service.run()
    assert not own.get("/v1/embedding").json()["removing"]


def test_a_wrong_endpoint_is_told_before_anything_begins(own: Face, other: EmbeddingServer) -> None:
    wrong_size = problem_of(own.post("/v1/embedding/next", {"model": "x", "dimensions": 7, "base_url": other.url}), 422)
    assert "a vector of 6 dimensions" in wrong_size["detail"]
    other.always = Fault.SERVER_ERROR
    problem_of(own.post("/v1/embedding/next", OTHER | {"base_url": other.url}), 503)
    assert own.get("/v1/embedding").json()["next"] is None


@pytest.mark.parametrize("url", ["ftp://host/v1", "http://user:key@host/v1", "http://host/v1?key=1", "host"])
def test_an_address_is_one_of_http_without_a_key(own: Face, url: str) -> None:
    problem_of(own.post("/v1/embedding/next", OTHER | {"base_url": url}), 422)


def test_only_an_administrator_of_every_source_changes_the_model(own: Face, other: EmbeddingServer) -> None:
    asked = OTHER | {"base_url": other.url}
    problem_of(own.post("/v1/embedding/next", asked, "reader"), 403)
    problem_of(own.post("/v1/embedding/next", asked, "docs admin"), 403)
    problem_of(own.client.delete("/v1/embedding/next", headers=own.headers("docs admin")), 403)
    assert other.requests == 0


def test_the_active_model_is_not_begun_again(own: Face, embedding: EmbeddingServer) -> None:
    told = problem_of(own.post("/v1/embedding/next", {"model": "hash", "dimensions": 8}), 400)
    assert "this is the active model" in told["detail"]
