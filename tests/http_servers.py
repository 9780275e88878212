"""What every fake HTTP server of the tests has: a thread, a free port on 127.0.0.1, and no access log."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


class FakeServer:
    """Serves in a thread for the length of a `with` block; its handler finds it as `owner`."""

    def __init__(self, handler: type["FakeHandler"]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (handler,), {"owner": self}))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class FakeHandler(BaseHTTPRequestHandler):
    """HTTP/1.0: every connection is closed after its answer, so that no client keeps one open."""

    owner: Any

    def read_json(self) -> Any:
        """The request's body."""
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        """Sends a JSON answer; a client that has given up is none of our business."""
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """The terminal is not for this server's access log."""
