"""One application a session: real PostgreSQL; S3, SQS and secrets of a server; functions in the runtime client."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest

from fakes import EmbeddingServer
from integration.databases import Dsns, Template
from onec_rag.api.keys import new_key
from onec_rag.store.database import Database
from onec_rag.store.search import insert_api_key
from onec_rag_local.aws import BUCKET, Aws
from onec_rag_local.postgres import Postgres
from runtime.cloudformation import CloudFormation
from runtime.lambdas import Deployment, Lambda
from runtime.templates import ROOT, function_of, root

# AWS publishes its client for Linux alone; elsewhere these tests are left out.
collect_ignore_glob = [] if find_spec("awslambdaric") else ["test_*.py"]
KEY_SECRET = "a secret of the tests that nobody else has"
AWS_VARIABLES = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL's account may enter."""
    path = Path(tempfile.mkdtemp(prefix="onec-rag-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def postgres(folder: Path) -> Iterator[Postgres]:
    settings = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    with Postgres.start(folder, settings=settings) as server:
        yield server


@pytest.fixture(scope="session")
def dsns(postgres: Postgres) -> Iterator[Dsns]:
    """The application's database, with the schema."""
    with (
        psycopg.connect(postgres.dsn(), autocommit=True) as administrator,
        Template(postgres, administrator).clone() as dsns,
    ):
        yield dsns


@pytest.fixture(scope="session")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aws]:
    with Aws.start(tmp_path_factory.mktemp("aws")) as server:
        yield server


@pytest.fixture(scope="session")
def embedding() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture(scope="session")
def deployment(
    tmp_path_factory: pytest.TempPathFactory, dsns: Dsns, aws: Aws, embedding: EmbeddingServer
) -> Deployment:
    """The templates' application, with stand-ins for the resources that functions refer to."""
    keeper = boto3.client(
        "secretsmanager", endpoint_url=aws.url, region_name="us-east-1",
        aws_access_key_id="local", aws_secret_access_key="local",
    )  # fmt: skip
    secrets = {
        name: keeper.create_secret(Name=name, SecretString=text)["ARN"]
        for name, text in {"KeySecret": KEY_SECRET, "EmbeddingKeySecret": "key", "ChatKeySecret": "none"}.items()
    }
    keeper.close()

    def stand_in(kind: str, logical_id: str, attribute: str) -> str | None:
        match kind, attribute:
            case "AWS::SQS::Queue", "Ref":
                return aws.queue_urls[logical_id.removesuffix("Queue").lower()]
            case "AWS::S3::Bucket", "Ref":
                return BUCKET
            case "AWS::SecretsManager::Secret", "Ref":
                return secrets[logical_id]
            case _:
                return None

    stack = root(stand_in, EmbeddingBaseUrl=embedding.url, EmbeddingModel="hash", EmbeddingDimensions=8)
    return Deployment(
        stack,
        tmp_path_factory.mktemp("build"),
        {"AWS_ENDPOINT_URL": aws.url, "NO_PROXY": "127.0.0.1", **AWS_VARIABLES},
        {role: getattr(dsns, role) for role in ("migrator", "indexer", "api")},
    )


@pytest.fixture(scope="session")
def function(deployment: Deployment) -> Iterator[Callable[[str], Lambda]]:
    """Functions by logical id; each lives on in its process until the session ends."""
    with ExitStack() as processes:
        running: dict[str, Lambda] = {}

        def get(name: str) -> Lambda:
            if name not in running:
                running[name] = processes.enter_context(deployment.started(name))
            return running[name]

        yield get


@pytest.fixture(scope="session")
def api_key(dsns: Dsns) -> str:
    key_id, key = new_key(KEY_SECRET.encode())
    database = Database(dsns.migrator, "tests")
    with database.transaction() as connection:
        insert_api_key(connection, key_id, "tests", ["read"], None)
    database.close()
    return key


@pytest.fixture
def cloudformation() -> Iterator[CloudFormation]:
    with CloudFormation() as server:
        yield server


@pytest.fixture(scope="session")
def run(function: Callable[[str], Lambda], api_key: str, deployment: Deployment) -> Callable[..., Any]:
    """Runs an event file through its function and returns what the handler returned."""

    def run_file(name: str, **more: str) -> Any:
        path = ROOT / "events" / f"{name}.json"
        text = path.read_text("utf-8")
        for mark, value in {"API_KEY": api_key, **more}.items():
            text = text.replace(f"${mark}", value)
        return function(function_of(path, deployment.functions)).response(json.loads(text))

    return run_file
