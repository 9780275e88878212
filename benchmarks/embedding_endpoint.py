"""An embedding endpoint that costs nearly nothing and counts what it is asked for.

The vector of a text is the sum of signed, hashed features of its words (Weinberger et al., "Feature Hashing for Large
Scale Multitask Learning", 2009), laid into a space of few dimensions and turned into one of many: the same for the
same text, near for texts that share words. A model's vectors lie near a surface of few dimensions too; where all are
independent, HNSW finds two thirds of the nearest ten even with one release, so that nothing is learnt of releases. It
is no model, and says nothing about quality.
"""

import hashlib
import json
import re
import threading
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

MODEL, DIMENSIONS = "hashed-words", 384
INNER = 32
"""Dimensions that are independent."""
PLACES = 8
"""Of a word in them: with so few two words seldom share all of them."""
_TURN = np.linalg.qr(np.random.default_rng(1).normal(size=(DIMENSIONS, INNER)))[0].T
_WORD = re.compile(r"[A-ZА-ЯЁ]?[a-zа-яё]+|[A-ZА-ЯЁ]+|\d+")

Floats = npt.NDArray[np.float64]


class EmbeddingEndpoint:
    """Speaks the OpenAI protocol on 127.0.0.1 for the length of a `with` block.

    `passages` is how many texts it embedded that are no questions, equal ones each time. While `gate` is closed its
    requests get no answer; `arrived` tells that one came.
    """

    PASSAGE_PREFIX = "passage: "

    def __init__(self) -> None:
        self.passages = 0
        self.gate, self.arrived = threading.Event(), threading.Event()
        self.gate.set()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"endpoint": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a service that embeds here."""
        return {
            "ONEC_RAG_EMBEDDING_BASE_URL": f"http://127.0.0.1:{self._server.server_port}/v1",
            "ONEC_RAG_EMBEDDING_MODEL": MODEL,
            "ONEC_RAG_EMBEDDING_DIMENSIONS": str(DIMENSIONS),
            "ONEC_RAG_EMBEDDING_PASSAGE_PREFIX": self.PASSAGE_PREFIX,
            "ONEC_RAG_EMBEDDING_TIMEOUT": "900",
        }

    def answer(self, texts: list[str]) -> list[list[float]]:
        """The vectors of a request."""
        passages = [text.startswith(self.PASSAGE_PREFIX) for text in texts]
        if any(passages):
            self.arrived.set()
            self.gate.wait()
        with self._lock:
            self.passages += sum(passages)
        bare = [text.removeprefix(self.PASSAGE_PREFIX) for text in texts]
        return [vector_of(text).tolist() for text in bare]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def vector_of(text: str) -> Floats:
    """A vector of length 1; texts of the same words in another order differ a little."""
    counts = Counter(word.lower() for word in _WORD.findall(text))
    words = [(text, 0.01), *((word, 1 + np.log(count)) for word, count in counts.items())]
    places = np.concatenate([_features(word)[0] for word, _ in words])
    weights = np.concatenate([_features(word)[1] * weight for word, weight in words])
    vector = np.bincount(places, weights, INNER) @ _TURN
    rounded: Floats = np.round(vector / max(float(np.linalg.norm(vector)), 1e-9), 5)
    return rounded


@lru_cache(maxsize=300_000)
def _features(word: str) -> tuple[npt.NDArray[np.int64], Floats]:
    digest = np.frombuffer(hashlib.blake2b(word.encode(), digest_size=4 * PLACES).digest(), dtype="<u4")
    return (digest >> 1).astype(np.int64) % INNER, np.where(digest & 1, 1.0, -1.0)


class _Handler(BaseHTTPRequestHandler):
    endpoint: EmbeddingEndpoint
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(self.endpoint.answer(asked["input"]))
        ]
        body = json.dumps({"object": "list", "model": MODEL, "data": rows}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(OSError):  # the service may have ended meanwhile
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """The terminal is for the figures."""
