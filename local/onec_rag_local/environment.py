"""The table of functions and the environment that each of them gets, as `template.yaml` says it for AWS."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from onec_rag_local.errors import LocalStackError

REGION = "us-east-1"
ACCESS_KEY = "local"  # the bucket server asks for a key and does not look at it
MAX_RECEIVE_COUNT = 5
DEAD = "-dead"  # a queue's dead letters are in the queue of this suffix
OF_THE_USER = (
    "ONEC_RAG_EMBEDDING_", "ONEC_RAG_CHAT_", "ONEC_RAG_JANITOR_", "ONEC_RAG_MOST_REMOVED", "ONEC_RAG_SYNC_QUIET",
)  # fmt: skip
STUCK_MINUTES = MAX_RECEIVE_COUNT * 5  # a try hides a message for five minutes; after the last one it is a dead letter


@dataclass(frozen=True, slots=True)
class Function:
    """One Lambda function; `queue` is `None` for those that are not called by messages.

    `role` is the database role, `workers` the number of processes. `timeout_seconds` is the longest run of a call
    and, locally, how long a delivered message is invisible.
    """

    name: str
    role: str
    queue: str | None = None
    batch_size: int = 1
    timeout_seconds: int = 300
    workers: int = 1

    @property
    def handler_path(self) -> str:
        """Relative to `deployment_folder()`."""
        return f"functions/{self.name}/handler.py"


FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        function.name: function
        for function in (
            Function("planner", "indexer", queue="plan"),
            Function("indexer", "indexer", queue="index", workers=2),
            Function("embedder", "indexer", queue="embed"),
            Function("janitor", "indexer"),
            Function("migrator", "migrator"),
            Function("api", "api", timeout_seconds=30),
        )
    }
)
# Queue → visibility timeout in seconds.
QUEUES: Mapping[str, int] = MappingProxyType(
    {function.queue: function.timeout_seconds for function in FUNCTIONS.values() if function.queue}
)


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where the parts of a running stack are; `dsns` by role, `queue_urls` by queue."""

    dsns: Mapping[str, str]
    aws_url: str
    bucket: str
    queue_urls: Mapping[str, str]
    embedding_url: str
    embedding_key: str
    embedding_model: str
    embedding_dimensions: int
    key_secret: str


def queue_variable(queue: str) -> str:
    """The variable with a queue's address: `ONEC_RAG_PLAN_QUEUE_URL`."""
    return f"ONEC_RAG_{queue.upper()}_QUEUE_URL"


def environment_of(function: Function, endpoints: Endpoints, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables of a function. What the user's `environ` says of the product wins.

    A user's embedding endpoint takes the place of ours with all that belongs to it: model, size, prefixes, window.
    """
    theirs = {
        name: value
        for name, value in environ.items()
        if value and (name == "DATABASE_URL" or name.startswith(OF_THE_USER))
    }
    ours = {
        "DATABASE_URL": endpoints.dsns[function.role],
        "ONEC_RAG_BUCKET": endpoints.bucket,
        **{queue_variable(queue): endpoints.queue_urls[queue] for queue in QUEUES},
        **({} if "ONEC_RAG_EMBEDDING_BASE_URL" in theirs else _local_model(endpoints)),
        "ONEC_RAG_KEY_SECRET": endpoints.key_secret,
        "ONEC_RAG_JANITOR_STUCK_MINUTES": str(STUCK_MINUTES),
        "AWS_ENDPOINT_URL_S3": endpoints.aws_url,
        "AWS_ENDPOINT_URL_SQS": endpoints.aws_url,
        "AWS_ACCESS_KEY_ID": ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY": ACCESS_KEY,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "POWERTOOLS_SERVICE_NAME": function.name,
        "PYTHONUTF8": "1",
    }
    return ours | theirs


def _local_model(endpoints: Endpoints) -> dict[str, str]:
    """Our own endpoint and what its model wants: e5 tells questions from passages by a prefix of the text."""
    return {
        "ONEC_RAG_EMBEDDING_BASE_URL": endpoints.embedding_url,
        "ONEC_RAG_EMBEDDING_API_KEY": endpoints.embedding_key,
        "ONEC_RAG_EMBEDDING_MODEL": endpoints.embedding_model,
        "ONEC_RAG_EMBEDDING_DIMENSIONS": str(endpoints.embedding_dimensions),
        "ONEC_RAG_EMBEDDING_QUERY_PREFIX": "query: ",
        "ONEC_RAG_EMBEDDING_PASSAGE_PREFIX": "passage: ",
        "ONEC_RAG_EMBEDDING_WINDOW": "512",
    }


def process_environment(ours: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The whole environment of a child: the user's (PATH, PYTHONPATH, certificates, proxy) and over it `ours`.

    The user's AWS_… are left out, lest a worker meets a real account, no proxy stands before this machine, and logs
    are written at once.
    """
    kept = {name: value for name, value in environ.items() if not name.startswith("AWS_")}
    no_proxy = ",".join(filter(None, [kept.get("NO_PROXY") or kept.get("no_proxy"), "127.0.0.1,localhost"]))
    return kept | {"NO_PROXY": no_proxy, "no_proxy": no_proxy, "PYTHONUNBUFFERED": "1"} | dict(ours)


def deployment_folder() -> Path:
    """The folder with `functions/`: the repository when we run from a checkout, else what the wheel brings."""
    package = Path(__file__).resolve().parent
    for place in (package.parents[1], package / "deployment"):
        if (place / "functions").is_dir():
            return place
    raise LocalStackError(f"no functions/ in {package.parents[1]} nor in the package: reinstall onec-rag")
