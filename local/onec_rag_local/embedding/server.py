"""The OpenAI-compatible endpoint over HTTP.

POST /v1/embeddings    see `protocol`
GET  /v1/models        the one model
GET  /health           200 as soon as the model is loaded
"""

import json
import logging
import re
import sys
from collections.abc import Callable
from concurrent.futures import CancelledError
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from onec_rag_local.embedding.model import EmbeddingModel
from onec_rag_local.embedding.protocol import MODEL, ApiError, Json, embed, parse_request
from onec_rag_local.embedding.weights import DIMENSIONS

MAX_BODY = 64 << 20

logger = logging.getLogger(__name__)


class EmbeddingServer(ThreadingHTTPServer):
    """Serves one model; port 0 takes a free port, see `url`."""

    request_queue_size = 64

    def __init__(self, host: str, port: int, model: EmbeddingModel) -> None:
        self.model = model
        super().__init__((host, port), EmbeddingHandler)

    @property
    def url(self) -> str:
        """What an OpenAI client takes as its base URL."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class EmbeddingHandler(BaseHTTPRequestHandler):
    """One connection."""

    server: EmbeddingServer
    protocol_version = "HTTP/1.1"
    timeout = 120  # seconds that a silent connection is kept

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def _get(self) -> Json:
        path = self._route()
        if path == "/health":
            return {"status": "ok", "model": MODEL, "dimensions": DIMENSIONS}
        if path == "/v1/models":
            return {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "local"}]}
        raise ApiError(f"there is no GET {path[:100]}", status=404)

    def _post(self) -> Json:
        body = self._read_body()
        path = self._route()
        if path != "/v1/embeddings":
            raise ApiError(f"there is no POST {path[:100]}", status=404)
        return embed(self.server.model, parse_request(body))

    def _route(self) -> str:
        return self.path.split("?")[0].rstrip("/")

    def _read_body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if re.fullmatch("[0-9]{1,9}", length) and int(length) <= MAX_BODY:
            return self.rfile.read(int(length))
        self.close_connection = True  # the unread body would be taken for the next request
        if length.isdecimal():
            raise ApiError(f"a body may have at most {MAX_BODY:,} bytes", status=413)
        raise ApiError("Content-Length is required", status=411)

    def _answer(self, handle: Callable[[], Json]) -> None:
        try:
            self._reply(200, handle())
        except ApiError as error:
            self._reply(error.status, error.body)
        except (OSError, CancelledError):  # the client is gone, or the server is
            self.close_connection = True
        except Exception:  # one request must not take the endpoint down
            logger.exception("%s %s failed", self.command, self._route())
            self._reply(500, ApiError("the model failed on this request", status=500).body)

    def _reply(self, status: int, body: Json) -> None:
        """One write: a second one would wait for the client's delayed acknowledgement of the first, about 40 ms."""
        content = json.dumps(body).encode("ascii")
        head = [
            f"{self.protocol_version} {status} {HTTPStatus(status).phrase}",
            "Content-Type: application/json",
            f"Content-Length: {len(content)}",
            f"Connection: {'close' if self.close_connection else 'keep-alive'}",
        ]
        self.wfile.write("\r\n".join([*head, "", ""]).encode("ascii") + content)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server itself refuses (a malformed request, an unknown method), in OpenAI's shape too."""
        self.close_connection = True
        status = 405 if code == 501 else code
        self._reply(status, ApiError(message or HTTPStatus(status).phrase, status=status).body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged."""
