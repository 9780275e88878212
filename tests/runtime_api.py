"""The Runtime API of Lambda for one function, as its runtime client speaks to it.

Format: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
"""

import json
import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

RUNTIME = "/2018-06-01/runtime"
SECONDS = 60.0
"""How long a test waits for an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the client sent: `kind` is `response`, `error` or `init/error`."""

    kind: str
    body: Any
    request_id: str = ""


class RuntimeApi:
    """Listens on 127.0.0.1; events are given out one at a time, answers are kept until somebody asks."""

    def __init__(self, function_name: str, timeout_seconds: int = 300) -> None:
        self.function_name = function_name
        self.timeout_seconds = timeout_seconds
        self.events: queue.Queue[Mapping[str, Any] | None] = queue.Queue()
        self.answers: queue.Queue[Answer] = queue.Queue()
        handler = type("Handler", (_Handler,), {"api": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def address(self) -> str:
        """Host and port, as `AWS_LAMBDA_RUNTIME_API` wants them."""
        return f"127.0.0.1:{self._server.server_port}"

    def invoke(self, event: Mapping[str, Any]) -> Answer:
        """One invocation; raises `queue.Empty` when no answer comes."""
        self.events.put(event)
        return self.answer()

    def answer(self) -> Answer:
        """The next thing that the client says of itself."""
        return self.answers.get(timeout=SECONDS)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.events.put(None)  # frees the request for the next event, if one waits
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Header and body leave in one write: in two the second waits for the other side's delayed acknowledgement.
    wbufsize = -1
    api: RuntimeApi

    def do_GET(self) -> None:
        assert self.path == f"{RUNTIME}/invocation/next"
        event = self.api.events.get()
        if event is None:
            self.close_connection = True
            return
        request_id = str(uuid4())
        headers = {
            "Lambda-Runtime-Aws-Request-Id": request_id,
            "Lambda-Runtime-Deadline-Ms": str(int((time.time() + self.api.timeout_seconds) * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": f"arn:aws:lambda:us-east-1:111122223333:function:"
            f"{self.api.function_name}",
            # Not sampled, so the X-Ray client has nothing to send.
            "Lambda-Runtime-Trace-Id": "Root=1-674b1a2c-3d4e5f60718293a4b5c6d7e8;Parent=53995c3f42cd8ad8;Sampled=0",
            "Content-Type": "application/json",
        }
        self._reply(200, json.dumps(event, ensure_ascii=False).encode(), headers)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"null")
        path = self.path.removeprefix(f"{RUNTIME}/")
        if path == "init/error":
            answer = Answer("init/error", body)
        else:
            _, request_id, kind = path.split("/")
            answer = Answer(kind, body, request_id)
        self._reply(202, b'{"status": "OK"}', {"Content-Type": "application/json"})
        self.api.answers.put(answer)

    def _reply(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        """The terminal is not for this server's access log."""
