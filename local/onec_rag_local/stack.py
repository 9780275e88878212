"""The whole service on one machine: started in order, ended in reverse; `running` is the block in which it lives."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from onec_rag_local import processes
from onec_rag_local.aws import BUCKET, Aws
from onec_rag_local.database import ROLES, prepare_database, role_dsn
from onec_rag_local.environment import (
    FUNCTIONS,
    Endpoints,
    deployment_folder,
    environment_of,
    process_environment,
)
from onec_rag_local.errors import LocalStackError
from onec_rag_local.lock import FolderLock
from onec_rag_local.passwords import passwords_of
from onec_rag_local.postgres import Postgres
from onec_rag_local.supervisor import Supervisor

START_SECONDS = 90.0
EMBEDDING_MODEL, EMBEDDING_DIMENSIONS = "multilingual-e5-small", 384
JANITOR_MINUTES = "15"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stack:
    """A running stack; `key` is an admin key, `new_key` whether it was made just now."""

    url: str
    key: str
    new_key: bool
    folder: Path
    endpoints: Endpoints
    supervisor: Supervisor
    aws: Aws


@contextmanager
def running(folder: Path, port: int, say: Say, environ: Mapping[str, str] = os.environ) -> Iterator[Stack]:
    """Starts everything over the data folder and ends it when the block ends, however it ends.

    `DATABASE_URL` in `environ` takes another server than the embedded one, `ONEC_RAG_EMBEDDING_…` another endpoint;
    `ONEC_RAG_JANITOR_MINUTES` is how often the janitor runs.
    Messages are rebuilt from the database and objects put back from the folder, since queues and bucket keep nothing.

    Raises:
        FolderInUseError: another stack lives in the folder.
        LocalStackError: a port is taken, or a part does not start; the message says what mends it.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as parts:
        lock = parts.enter_context(FolderLock.take(folder / "lock"))
        _require_free(port)
        models = parts.enter_context(Supervisor(folder))
        embedding_url = environ.get("ONEC_RAG_EMBEDDING_BASE_URL") or _start_embedding(models, folder)
        say("PostgreSQL…")
        dsns = _database(parts, folder, environ)
        say("S3, SQS, EventBridge…")
        aws = parts.enter_context(Aws.start(folder))
        endpoints = Endpoints(
            dsns=dsns,
            aws_url=aws.url,
            bucket=BUCKET,
            queue_urls=aws.queue_urls,
            embedding_url=embedding_url,
            embedding_key="local",
            embedding_model=EMBEDDING_MODEL,
            embedding_dimensions=EMBEDDING_DIMENSIONS,
            key_secret=passwords_of(folder, ["key_secret"])["key_secret"],
        )
        theirs = {name: value for name, value in environ.items() if name != "DATABASE_URL"}
        call_once("migrator", {"job": "migrate"}, endpoints, theirs)
        key, new_key = _admin_key(folder, url, endpoints, theirs)
        if not environ.get("ONEC_RAG_EMBEDDING_BASE_URL"):
            say("multilingual-e5-small…")
            _wait_until(f"{embedding_url.removesuffix('/v1')}/health", "embedding", models, folder)
        call_once("janitor", {"job": "resume"}, endpoints, theirs)
        # Entered last, so that the workers end before what they work with.
        supervisor = parts.enter_context(Supervisor(folder))
        _start_functions(supervisor, endpoints, port, theirs)
        _wait_until(f"{url}/healthz", "api", supervisor, folder)
        lock.publish(url)
        yield Stack(url, key, new_key, folder, endpoints, supervisor, aws)


def call_once(name: str, event: Mapping[str, Any], endpoints: Endpoints, environ: Mapping[str, str]) -> dict[str, Any]:
    """Calls a function that has no queue, in a process of its own, and returns its answer.

    Raises:
        LocalStackError: it failed; the message ends with what it said.
    """
    command = [sys.executable, "-m", "onec_rag_local.worker", name, "--event", json.dumps(event)]
    environment = process_environment(environment_of(FUNCTIONS[name], endpoints, environ), environ)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise LocalStackError(f"{name}: {said[-1] if said else done.returncode}")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


def _database(parts: ExitStack, folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Addresses by role, of the embedded server or of the one that `DATABASE_URL` names."""
    if given := environ.get("DATABASE_URL"):
        passwords = passwords_of(folder, ROLES)
        prepare_database(given, passwords)
        return {role: role_dsn(given, role, passwords) for role in ROLES}
    postgres = parts.enter_context(Postgres.start(folder))
    prepare_database(postgres.dsn(), postgres.passwords)
    return {role: postgres.dsn(role) for role in ROLES}


def _admin_key(folder: Path, url: str, endpoints: Endpoints, environ: Mapping[str, str]) -> tuple[str, bool]:
    """The key of this folder's command line, made at the first start and kept where only the owner reads it."""
    path = folder / "client.json"
    kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    key = kept.get("key")
    if key is None:
        event = {"job": "create_key", "title": "first admin key", "scopes": ["admin"]}
        key = str(call_once("migrator", event, endpoints, environ)["key"])
    if kept != {"url": url, "key": key}:
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump({"url": url, "key": key}, file)
    return key, "key" not in kept


def _start_embedding(supervisor: Supervisor, folder: Path) -> str:
    port = processes.free_port()
    command = [sys.executable, "-m", "onec_rag_local.embedding", "--cache", str(folder / "models"), "--port", str(port)]
    supervisor.start("embedding", command, process_environment({"PYTHONUTF8": "1"}))
    return f"http://127.0.0.1:{port}/v1"


def _start_functions(supervisor: Supervisor, endpoints: Endpoints, port: int, environ: Mapping[str, str]) -> None:
    for function in FUNCTIONS.values():
        if function.queue:
            environment = process_environment(environment_of(function, endpoints, environ), environ)
            command = [sys.executable, "-m", "onec_rag_local.worker", function.name]
            supervisor.start(function.name, command, environment, copies=function.workers)
    janitor = FUNCTIONS["janitor"]
    command = [sys.executable, "-m", "onec_rag_local.worker", janitor.name]
    command += ["--every", environ.get("ONEC_RAG_JANITOR_MINUTES") or JANITOR_MINUTES]
    supervisor.start(janitor.name, command, process_environment(environment_of(janitor, endpoints, environ), environ))
    api = FUNCTIONS["api"]
    folder = (deployment_folder() / api.handler_path).parent
    command = [sys.executable, "-m", "uvicorn", "--app-dir", str(folder), "handler:app", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--no-access-log", "--log-level", "warning"]
    supervisor.start("api", command, process_environment(environment_of(api, endpoints, environ), environ))


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise LocalStackError(
                f"Порт {port} занят: укажите другой (--port).\nPort {port} is taken: name another one (--port)."
            ) from error


def _wait_until(url: str, name: str, supervisor: Supervisor, folder: Path) -> None:
    """Until a child answers; a child that keeps dying is told with the end of its log."""
    opener = build_opener(ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            opener.open(url, timeout=5).close()
        except (URLError, OSError) as error:
            child = next(child for child in supervisor.children if child.name == name)
            if child.restarts > 1 or time.monotonic() > deadline:
                log = folder / "logs" / f"{name}.log"
                raise LocalStackError(f"{name} does not start:\n{processes.tail(log)}") from error
            time.sleep(0.05)
        else:
            return
