"""The application over a real database and an S3 server, called in this process as uvicorn would call it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError
from starlette.testclient import TestClient

from fakes import EmbeddingServer
from integration.configuration import configuration, zipped
from integration.databases import Template
from integration.service import Service, embedder_of, service_over
from onec_rag.answering.answer import Answering
from onec_rag.api.app import create_app
from onec_rag.api.keys import new_key
from onec_rag.api.services import Services
from onec_rag.aws.objects import Objects
from onec_rag.aws.queue import Queue
from onec_rag.retrieval.pipeline import Search
from onec_rag.store.database import Database
from onec_rag.store.search import insert_api_key
from onec_rag_local.aws import BUCKET, Aws
from onec_rag_local.environment import ACCESS_KEY, REGION

SECRET = b"a secret of the tests, 32 bytes+"
UPLOAD_LIMIT = 100 * 1024**2


@dataclass(frozen=True, slots=True)
class Face:
    """The HTTP face with keys by name, and the service behind it."""

    client: TestClient
    keys: Mapping[str, str]
    service: Service
    migrator: Database

    def get(self, path: str, key: str = "admin") -> Any:
        return self.client.get(path, headers=self.headers(key))

    def post(self, path: str, body: Any, key: str = "admin") -> Any:
        return self.client.post(path, json=body, headers=self.headers(key))

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[key]}"}

    def make_key(self, scopes: Sequence[str], sources: Sequence[str] | None = None, secret: bytes = SECRET) -> str:
        key_id, key = new_key(secret)
        with self.migrator.transaction() as connection:
            insert_api_key(connection, key_id, "a key of the tests", scopes, sources)
        return key


@pytest.fixture(scope="package")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Objects]:
    """The bucket server's client, configured by the environment as in production."""
    with Aws.start(tmp_path_factory.mktemp("aws")) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "AWS_ENDPOINT_URL_S3": server.url, "AWS_DEFAULT_REGION": REGION, "AWS_ACCESS_KEY_ID": ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY": ACCESS_KEY, "NO_PROXY": "127.0.0.1",
        }.items():  # fmt: skip
            patch.setenv(name, value)
        yield Objects()


class BucketIsAway:
    """A client of a bucket server that does not answer."""

    def create_multipart_upload(self, **_: object) -> None:
        raise EndpointConnectionError(endpoint_url="http://127.0.0.1:1")


@pytest.fixture
def without_bucket(face: Face) -> Iterator[TestClient]:
    """The same application whose bucket server is away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boto3, "client", lambda *_, **__: BucketIsAway())
        objects = Objects()
    app = create_app(
        services(face.service.search.database, objects, face.service.search, face.service.indexing.plan_queue)
    )
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def services(database: Database, objects: Objects, search: Search, plan_queue: Queue) -> Services:
    return Services(
        database,
        objects,
        search,
        Answering(search, None),
        BUCKET,
        SECRET,
        UPLOAD_LIMIT,
        "hash, 8 dimensions",
        plan_queue,
    )


@pytest.fixture(scope="package")
def face(template_database: Template, objects: Objects) -> Iterator[Face]:
    """`shop` and `docs` are loaded with their vectors; nobody changes them."""
    with (
        template_database.clone() as dsns,
        EmbeddingServer() as embedding,
        service_over(dsns, embedder_of(embedding)) as service,
    ):
        service.load("shop", zipped(configuration() | {"Catalogs/Битый.xml": "<"}))
        service.load("docs", zipped({"склад.md": "# Склад\n\nЦена товара на складе."}, ""))
        app = create_app(services(service.search.database, objects, service.search, service.indexing.plan_queue))
        migrator = Database(dsns.migrator, "tests")
        with TestClient(app, raise_server_exceptions=False) as client:
            keys: dict[str, str] = {}
            face = Face(client, keys, service, migrator)
            keys["admin"] = face.make_key(["admin"])
            keys["reader"] = face.make_key(["read"])
            keys["docs reader"] = face.make_key(["read"], ["docs"])
            keys["uploader"] = face.make_key(["upload"])
            keys["docs uploader"] = face.make_key(["read", "upload"], ["docs"])
            keys["nothing"] = face.make_key([])
            yield face
        migrator.close()


@pytest.fixture
def without_database(face: Face, objects: Objects) -> Iterator[TestClient]:
    """The same application whose database is away."""
    database = Database("postgresql://api@127.0.0.1:1/nothing", "tests")
    app = create_app(services(database, objects, Search(database, None), face.service.indexing.plan_queue))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def problem_of(response: Any, status: int) -> dict[str, Any]:
    """The problem document of a response of that status."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == status
    assert body["type"] == "about:blank"
    assert body["title"]
    assert body["detail"]
    return body
