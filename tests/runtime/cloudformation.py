"""The address that a custom resource answers to, as CloudFormation's presigned one."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from typing import Any, Self

PATH = "/answer?signature=as+it%2Fis"


class CloudFormation:
    """`answers` are the bodies that came, `content_types` what they were said to be; any other path is refused."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []
        self.content_types: list[str | None] = []
        self._server = HTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"owner": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{PATH}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    owner: CloudFormation

    def do_PUT(self) -> None:
        self.owner.answers.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.owner.content_types.append(self.headers["Content-Type"])
        self.send_response(200 if self.path == PATH else 403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """The terminal is not for this server's access log."""
