"""A small HTTP server that plays the API and its bucket, held to the API's own schemas in both directions."""

import hashlib
import json
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from onec_rag.api.embedding_schemas import EmbeddingOut, ReembedBody, VectorsOut
from onec_rag.api.schemas import (
    AnswerBody,
    AnswerOut,
    CompleteBody,
    HitContextOut,
    ManifestOut,
    ProblemOut,
    SearchBody,
    SearchOut,
    SourceOut,
    UploadBody,
    UploadLinks,
    UploadOut,
)
from onec_rag.api.status_schemas import JanitorOut, ProblemsOut, StatusOut, UploadStatusOut

KEY = "onecrag_test"
PART_SIZE = 100_000
UPLOAD_ID = "0b8f5a52-3a35-4a5e-9d4a-1f6f3f0f7c11"


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered; dictionaries become problem documents."""

    status: int
    body: object
    headers: dict[str, str] = field(default_factory=dict)


class FakeApi:
    """The server. Tests set what it holds; `failures` and `part_failures` are answered before anything else."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.failures: deque[Answer] = deque()
        self.part_failures: deque[int] = deque()
        self.hits: list[dict[str, Any]] = []
        self.before: list[dict[str, Any]] = []
        self.after: list[dict[str, Any]] = []
        self.written: dict[str, Any] = make_written_answer()
        self.warnings: list[str] = []
        self.sources: list[dict[str, Any]] = []
        self.vector_steps: deque[dict[str, Any]] = deque()
        self.vectors: dict[str, Any] = make_vectors()
        self.embedding: dict[str, Any] = make_embedding()
        self.upload: dict[str, Any] = make_upload()
        self.upload_steps: deque[dict[str, Any]] = deque()
        self.upload_status: dict[str, Any] = {}
        self.problems: list[dict[str, str]] = []
        self.run: dict[str, Any] = make_run()
        self.manifest: dict[str, Any] | None = None
        self.parts: dict[int, bytes] = {}
        self.object = b""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def sent(self, method: str, path: str) -> list[Request]:
        return [request for request in self.requests if (request.method, urlsplit(request.path).path) == (method, path)]

    def answer(self, request: Request) -> Answer:
        self.requests.append(request)
        if request.path.startswith("/bucket/"):
            return self._take_part(request)
        if self.failures:
            return self.failures.popleft()
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return problem(401, "the API key is missing or wrong")
        try:
            return self._route(request)
        except ValidationError as error:
            return problem(422, str(error))

    def _route(self, request: Request) -> Answer:
        path = urlsplit(request.path).path
        match request.method, path.removeprefix("/v1/").split("/"):
            case "POST", ["search"]:
                return self._search(SearchBody.model_validate_json(request.body))
            case "GET", ["hits", hit_id]:
                return self._read_hit(unquote(hit_id))
            case "POST", ["answers"]:
                AnswerBody.model_validate_json(request.body)
                return answer(AnswerOut, self.written)
            case method, ["sources", *rest]:
                return self._route_source(method, rest)
            case method, ["embedding", *_]:
                if method == "POST":
                    ReembedBody.model_validate_json(request.body)
                return answer(EmbeddingOut, self.embedding)
            case "GET", ["status"]:
                return answer(StatusOut, make_status(self.sources, [self.upload], self.run))
            case "GET", ["status", upload_id] if UUID(upload_id) == UUID(UPLOAD_ID):
                return answer(UploadStatusOut, make_upload_status(self.upload, **self.upload_status))
            case "GET", ["problems"]:
                return self._page_of_problems(parse_qs(urlsplit(request.path).query))
            case method, ["janitor", *_]:
                asked = make_run(ended_at=None, done=None, dead_letters=None)
                return answer(JanitorOut, asked if method == "POST" else self.run)
            case method, ["uploads", *rest]:
                return self._route_upload(method, rest, request)
        return problem(404, f"{path} is not here")

    def _route_source(self, method: str, rest: list[str]) -> Answer:
        match method, rest:
            case "GET", []:
                if self.vector_steps:
                    self.sources[0] |= self.vector_steps.popleft()
                return answer(list[SourceOut], self.sources)
            case "GET", [_, "manifest"] if self.manifest is not None:
                return answer(ManifestOut, self.manifest)
            case method, [_, "vectors", *more]:
                if (method, more) != ("GET", []):
                    self.vectors |= {"held": False, "problem": None}
                return answer(VectorsOut, self.vectors)
        return problem(404, f"{'/'.join(rest)} is not here")

    def _route_upload(self, method: str, rest: list[str], request: Request) -> Answer:
        match method, rest:
            case "POST", []:
                return self._announce(UploadBody.model_validate_json(request.body))
            case "GET", []:
                wanted = parse_qs(urlsplit(request.path).query).get("source", [self.upload["source"]])
                return answer(list[UploadOut], [self.upload] if self.upload["source"] in wanted else [])
            case "POST", [upload_id, "complete"] if UUID(upload_id) == UUID(UPLOAD_ID):
                return self._complete(CompleteBody.model_validate_json(request.body))
            case "POST", [upload_id, "confirm"] if UUID(upload_id) == UUID(UPLOAD_ID):
                if self.upload["state"] == "ready":
                    return problem(400, f"upload {upload_id} is ready: there is nothing to confirm")
                return answer(UploadOut, self.upload)
            case "GET", [upload_id] if UUID(upload_id) == UUID(UPLOAD_ID):
                if self.upload_steps:
                    self.upload |= self.upload_steps.popleft()
                return answer(UploadOut, self.upload)
            case "GET", [upload_id, "problems"] if UUID(upload_id) == UUID(UPLOAD_ID):
                return answer(list[ProblemOut], self.problems)
        return problem(404, f"{request.path} is not here")

    def _page_of_problems(self, asked: dict[str, list[str]]) -> Answer:
        if asked.get("source", ["bsp"]) != ["bsp"]:
            return problem(404, f"{asked['source'][0]} has no upload")
        offset, limit = int(asked["offset"][0]), int(asked["limit"][0])
        page = {"problems": self.problems[offset : offset + limit], "offset": offset, "total": len(self.problems)}
        return answer(ProblemsOut, {"upload": self.upload, **page})

    def _search(self, body: SearchBody) -> Answer:
        if missing := set(body.sources) - {hit["place"]["source"] for hit in self.hits}:
            return problem(404, f"{', '.join(sorted(missing))} is not here")
        found = {"hits": self.hits[: body.limit], "mode": body.mode, "coverage": 0.84, "warnings": self.warnings}
        return answer(SearchOut, {**found, "timings": {"embed": 3.2, "search": 11.4}})

    def _read_hit(self, hit_id: str) -> Answer:
        for hit in self.hits:
            if hit["id"] == hit_id:
                return answer(HitContextOut, {"hit": hit, "before": self.before, "after": self.after})
        return problem(404, f"hit {hit_id} is not here")

    def _announce(self, body: UploadBody) -> Answer:
        self.parts.clear()
        self.upload |= {"source": body.source, "size": body.size, "label": body.label}
        count = -(-body.size // PART_SIZE)
        links = [f"{self.url}/bucket/{number}?signature=secret" for number in range(1, count + 1)]
        key = f"uploads/{body.source}/{UPLOAD_ID}/{body.file_name}"
        out = {"id": UPLOAD_ID, "key": key, "multipart_id": "multi", "part_size": PART_SIZE, "parts": links}
        return answer(UploadLinks, out, 201)

    def _take_part(self, request: Request) -> Answer:
        if self.part_failures:
            return Answer(self.part_failures.popleft(), "<Error><Code>SlowDown</Code></Error>")
        if "Authorization" in request.headers or "Transfer-Encoding" in request.headers:
            return Answer(400, "a signed link takes neither a key nor chunks")
        number = int(urlsplit(request.path).path.rpartition("/")[2])
        self.parts[number] = request.body
        return Answer(200, "", {"ETag": f'"{hashlib.md5(request.body).hexdigest()}"'})  # noqa: S324 - as S3 does

    def _complete(self, body: CompleteBody) -> Answer:
        etags = [f'"{hashlib.md5(self.parts[number]).hexdigest()}"' for number in sorted(self.parts)]  # noqa: S324
        if body.etags != etags or body.multipart_id != "multi":
            return problem(422, "a part is missing")
        self.object = b"".join(self.parts[number] for number in sorted(self.parts))
        return answer(UploadOut, self.upload)


def problem(status: int, detail: str, **headers: str) -> Answer:
    """A problem document; `Retry_After="2"` becomes a header."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"type": "about:blank", "title": "", "status": status, "detail": detail}, names)


def answer(schema: Any, value: object, status: int = 200) -> Answer:
    """A document in the shape that the API's schema gives it."""
    adapter: TypeAdapter[Any] = TypeAdapter(schema)
    return Answer(status, adapter.dump_json(adapter.validate_python(value)).decode())


def make_upload(**fields: Any) -> dict[str, Any]:
    return {
        "id": UPLOAD_ID, "source": "bsp", "key": "uploads/bsp/x/cf.zip", "size": 10, "state": "receiving",
        "reason": None, "label": None, "release": None, "files": 0, "files_skipped": 0, "tasks": 0, "tasks_done": 0,
        "problems": 0, "counts": {}, "created_at": "2026-01-02T03:04:05Z", "planned_at": None, "finished_at": None,
    } | fields  # fmt: skip


def make_source(**fields: Any) -> dict[str, Any]:
    return {
        "name": "bsp", "kind": "configuration", "title": "Библиотека стандартных подсистем", "release": 2,
        "label": "3.1.12.238", "releases": 2, "chunks": 75_000, "vectors": 75_000, "coverage": 1.0,
        "vector_problem": None, "counts": {"procedures": 38_310, "documents.object": 2_724, "chunks_kept": 75_000},
        "ready_at": "2026-01-02T03:05:05Z",
    } | fields  # fmt: skip


def make_vectors(**fields: Any) -> dict[str, Any]:
    cost = {"texts": 70_000, "tokens": 21_000_000, "price": 0.42}
    return {
        "source": "bsp", "release": 2, "chunks": 75_000, "vectors": 5_000, "waiting": 70_000, "refused": 0,
        "held": False, "planned": cost, "left": cost, "per_minute": 3_500.0, "seconds": 1_200.0, "problem": None,
    } | fields  # fmt: skip


def make_embedding(**fields: Any) -> dict[str, Any]:
    active = {
        "model": "multilingual-e5-small", "dimensions": 384, "base_url": None, "chunks": 75_000, "vectors": 75_000,
        "refused": 0, "seconds": 0.0, "problem": None,
    }  # fmt: skip
    whole = {"texts": 75_000, "tokens": 22_000_000, "price": None}
    return {"active": active, "next": None, "removing": False, "whole": whole} | fields


def make_hit(**fields: Any) -> dict[str, Any]:
    place = {
        "source": "bsp", "release": "3.1.12.238", "path": "CommonModules/Скидки/Ext/Module.bsl",
        "first_line": 10, "last_line": 42,
    }  # fmt: skip
    return {
        "id": "1-7", "kind": "procedure", "fqn": "ОбщийМодуль.Скидки.РассчитатьСкидку", "symbol": "РассчитатьСкидку",
        "title": "", "breadcrumb": "Общий модуль Скидки · ПрограммныйИнтерфейс",
        "text": "// Рассчитывает скидку.\nФункция РассчитатьСкидку(Карта) Экспорт\n\n\tВозврат 0;\nКонецФункции",
        "place": place, "score": 0.0328,
        "ranks": {"lexical": 1, "vector": 3}, "scores": {"lexical": 12.5, "vector": 0.87},
        "facets": {"export": True}, "stale": False,
    } | fields  # fmt: skip


def make_neighbour(**fields: Any) -> dict[str, Any]:
    return {
        "id": "1-6", "fqn": "ОбщийМодуль.Скидки.КартаКлиента", "symbol": "КартаКлиента",
        "breadcrumb": "Общий модуль Скидки · ПрограммныйИнтерфейс", "first_line": 1, "last_line": 9,
    } | fields  # fmt: skip


def make_written_answer(**fields: Any) -> dict[str, Any]:
    source = {name: value for name, value in make_hit().items() if name in ("id", "fqn", "breadcrumb", "place")}
    return {
        "answer": "Скидка рассчитывается функцией РассчитатьСкидку.",
        "key_points": [{"text": "Скидка зависит от карты", "sources": [1]}],
        "sources": [{"number": 1, **source}], "warnings": [], "postprocess_used": True,
        "usage": {"prompt_tokens": 900, "completion_tokens": 60}, "timings": {"search": 11.4, "model": 800.0},
    } | fields  # fmt: skip


def make_run(**fields: Any) -> dict[str, Any]:
    kinds = ("planned", "batches", "woken", "requeued", "failed", "archives", "vectors", "releases")
    return {
        "id": UPLOAD_ID, "requested_at": "2026-01-02T03:04:05Z", "ended_at": "2026-01-02T03:04:06Z",
        "done": dict.fromkeys(kinds, 0), "dead_letters": {"plan": 0, "index": 0, "embed": 0},
    } | fields  # fmt: skip


def make_upload_status(upload: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "upload": upload, "tasks": {"done": upload["tasks_done"], "waiting": 0, "failed": 0},
        "files": {"read": 0, "skipped": 0, "failed": upload["problems"]}, "chunks": {"new": 0, "kept": 0, "closed": 0},
        "reasons": [], "vectors": None, "dead_letters": None,
    } | fields  # fmt: skip


def make_status(
    sources: list[dict[str, Any]], uploads: list[dict[str, Any]], run: dict[str, Any] | None = None
) -> dict[str, Any]:
    service = {"version": "0.1.0", "embedding": "multilingual-e5-small, 384 dimensions", "database_bytes": 123_000_000}
    return {**service, "sources": sources, "uploads": uploads, "janitor": run}


def _handler(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = api.answer(Request(self.command, self.path, dict(self.headers.items()), body))
            document = isinstance(given.body, dict)
            content = (json.dumps(given.body) if document else str(given.body)).encode()
            self.send_response(given.status)
            self.send_header("Content-Type", "application/problem+json" if document else "application/json")
            self.send_header("Content-Length", str(len(content)))
            for name, value in given.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - http.server's names

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler
