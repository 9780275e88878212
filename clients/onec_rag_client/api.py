"""The API over HTTP: one method for each thing it does, problems (RFC 9457) as exceptions. Hence over 300 lines."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from math import inf
from typing import Any, Self, cast
from urllib.parse import quote

import httpx2

from onec_rag_client.errors import ApiError, Forbidden, NotFound, Unauthorized, Unavailable, Unreachable
from onec_rag_client.results import (
    Answer,
    DeletedSource,
    Embedding,
    HitContext,
    JanitorRun,
    Manifest,
    Problem,
    Problems,
    Release,
    SearchResult,
    Source,
    Status,
    Upload,
    UploadLinks,
    UploadStatus,
    Vectors,
)
from onec_rag_client.surrogates import repair

RETRY_SECONDS = 30.0
"""How long a call waits in total for a service that says it is not ready: a paused database needs some 15 seconds."""

_REFUSALS: dict[int, type[ApiError]] = {401: Unauthorized, 403: Forbidden, 404: NotFound}
_AWAY = (429, 502, 503, 504)
_NOT_DONE = (429, 503)
"""Of these the request was certainly not carried out, so that it may be sent again."""
_LOOPBACK: dict[str, httpx2.BaseTransport | None] = dict.fromkeys(("all://127.0.0.1", "all://localhost"))
"""A company's proxy does not know this machine."""


class OnecRag:
    """A service at `url`. `timeout` is in seconds for each request; `pause` waits before one is sent again, for
    `patience` seconds of a call in total.

    Every method raises `Unauthorized`, `Forbidden`, `NotFound`, `Unavailable`, `Unreachable`, or `ApiError` itself
    for what else the API refuses. May be used by several threads.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        timeout: float = 60.0,
        pause: Callable[[float], None] = time.sleep,
        patience: float = RETRY_SECONDS,
    ) -> None:
        if not (key.isascii() and key.isprintable()):
            raise Unauthorized(HTTPStatus.UNAUTHORIZED, "the API key holds signs that no key has")
        self._url = url.rstrip("/")
        self._key = key
        self._pause = pause
        self._patience = patience
        self._client = httpx2.Client(timeout=httpx2.Timeout(timeout, connect=min(timeout, 10.0)), mounts=_LOOPBACK)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def search(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        limit: int = 10,
        sources: Sequence[str] = (),
        release: str | None = None,
        as_of: str | None = None,
        kinds: Sequence[str] = (),
        fqn_prefix: str | None = None,
        sections: Sequence[str] = (),
        belonging: str | None = None,
    ) -> SearchResult:
        """What answers the query best, in the named sources (none: all) and release (none: the current one).

        `as_of` is for every method that has it: an ISO 8601 date or time instead of `release`, for the latest release
        that was ready by then.
        """
        body = {
            "query": query, "mode": mode, "limit": limit, "sources": list(sources), "release": release,
            "kinds": list(kinds), "fqn_prefix": fqn_prefix, "sections": list(sections), "belonging": belonging,
        } | _given(as_of=as_of)  # fmt: skip
        return cast(SearchResult, self._call("POST", "/v1/search", body))

    def hit(
        self, hit_id: str, *, release: str | None = None, as_of: str | None = None, neighbours: int = 1
    ) -> HitContext:
        """A hit with its whole text, and `neighbours` symbols on each side of it in its document."""
        params = {"neighbours": str(neighbours)} | _given(release=release, as_of=as_of)
        return cast(HitContext, self._call("GET", f"/v1/hits/{quote(hit_id, safe='')}", params=params))

    def answer(
        self,
        question: str,
        *,
        sources: Sequence[str] = (),
        release: str | None = None,
        as_of: str | None = None,
        kinds: Sequence[str] = (),
        limit: int = 10,
        language: str = "ru",
    ) -> Answer:
        """An answer in words (`ru` or `en`) that rests on at most `limit` hits; the filters are those of a search."""
        body = {
            "question": question, "sources": list(sources), "release": release, "kinds": list(kinds), "limit": limit,
            "language": language,
        } | _given(as_of=as_of)  # fmt: skip
        return cast(Answer, self._call("POST", "/v1/answers", body))

    def sources(self, *, release: str | None = None, as_of: str | None = None) -> list[Source]:
        """What is indexed: in the current releases, else those sources alone that have the one asked for."""
        params = _given(release=release, as_of=as_of)
        return cast(list[Source], self._call("GET", "/v1/sources", params=params))

    def manifest(self, source: str) -> Manifest:
        """The files of a source's last upload; not found where the next one has to be whole."""
        return cast(Manifest, self._call("GET", f"/v1/sources/{quote(source, safe='')}/manifest"))

    def delete_source(self, name: str) -> DeletedSource:
        """Deletes a source with its releases, its uploads and their files in the bucket."""
        return cast(DeletedSource, self._call("DELETE", f"/v1/sources/{quote(name, safe='')}"))

    def releases(self, source: str | None = None) -> list[Release]:
        """The releases of a source or of all, newest first."""
        return cast(list[Release], self._call("GET", "/v1/releases", params=_given(source=source)))

    def activate_release(self, source: str, release: str) -> Release:
        """Makes the release of that number or label the current one."""
        return cast(Release, self._call("POST", f"{_release_path(source, release)}/activate"))

    def delete_release(self, source: str, release: str) -> Release:
        """Deletes the release of that number or label; gives it as it was."""
        return cast(Release, self._call("DELETE", _release_path(source, release)))

    def status(self) -> Status:
        """Sources, last uploads, size of the database, embedding model."""
        return cast(Status, self._call("GET", "/v1/status"))

    def upload_status(self, upload_id: str) -> UploadStatus:
        """How far an upload is, in full."""
        return cast(UploadStatus, self._call("GET", f"/v1/status/{quote(upload_id, safe='')}"))

    def page_of_problems(
        self, *, upload_id: str | None = None, source: str | None = None, offset: int = 0, limit: int = 100
    ) -> Problems:
        """The files that could not be read of an upload, or of the last one of a source, from the `offset`-th on."""
        params = _given(upload=upload_id, source=source) | {"offset": str(offset), "limit": str(limit)}
        return cast(Problems, self._call("GET", "/v1/problems", params=params))

    def run_janitor(self) -> JanitorRun:
        """Asks for a run of the janitor."""
        return cast(JanitorRun, self._call("POST", "/v1/janitor"))

    def janitor_run(self, run_id: str) -> JanitorRun:
        """Whether a run has come to its end, and what it has done."""
        return cast(JanitorRun, self._call("GET", f"/v1/janitor/{quote(run_id, safe='')}"))

    def uploads(self, source: str | None = None) -> list[Upload]:
        """The last uploads, newest first."""
        return cast(list[Upload], self._call("GET", "/v1/uploads", params=_given(source=source)))

    def upload(self, upload_id: str) -> Upload:
        """How far an upload is."""
        return cast(Upload, self._call("GET", f"/v1/uploads/{quote(upload_id, safe='')}"))

    def problems(self, upload_id: str) -> list[Problem]:
        """The files of an upload that could not be read."""
        return cast(list[Problem], self._call("GET", f"/v1/uploads/{quote(upload_id, safe='')}/problems"))

    def vectors(self, source: str) -> Vectors:
        """How far the vectors of a source are, and what they cost."""
        return cast(Vectors, self._call("GET", f"/v1/sources/{quote(source, safe='')}/vectors"))

    def release_vectors(self, source: str) -> Vectors:
        """Lets vectors begin that are held since they cost more than the budget of an upload."""
        return cast(Vectors, self._call("POST", f"/v1/sources/{quote(source, safe='')}/vectors/release"))

    def retry_vectors(self, source: str) -> Vectors:
        """Tries the texts again that the embedding endpoint refused."""
        return cast(Vectors, self._call("POST", f"/v1/sources/{quote(source, safe='')}/vectors/retry"))

    def embedding(self) -> Embedding:
        """The embedding model, the one that is filled beside it, and what it costs to embed everything anew."""
        return cast(Embedding, self._call("GET", "/v1/embedding"))

    def reembed(
        self,
        model: str,
        dimensions: int,
        base_url: str | None = None,
        *,
        query_prefix: str = "",
        passage_prefix: str = "",
    ) -> Embedding:
        """Begins to fill the vectors of another model, or goes on with it; it takes over when it covers everything."""
        body = {
            "model": model, "dimensions": dimensions, "base_url": base_url, "query_prefix": query_prefix,
            "passage_prefix": passage_prefix,
        }  # fmt: skip
        return cast(Embedding, self._call("POST", "/v1/embedding/next", body))

    def abandon_reembedding(self) -> Embedding:
        """Gives the model up that is being filled."""
        return cast(Embedding, self._call("DELETE", "/v1/embedding/next"))

    def confirm_upload(self, upload_id: str) -> Upload:
        """Lets an upload be loaded that is held since it removes a large part of its source."""
        return cast(Upload, self._call("POST", f"/v1/uploads/{quote(upload_id, safe='')}/confirm"))

    def announce(
        self, source: str, file_name: str, size: int, label: str | None = None, *, confirm: bool = False
    ) -> UploadLinks:
        """Announces an upload of `size` bytes; the links say where to send its parts.

        With `confirm` it is loaded even if it removes a large part of the source.
        """
        body = {"source": source, "file_name": file_name, "size": size, "label": label} | (
            {"confirm": True} if confirm else {}
        )
        return cast(UploadLinks, self._call("POST", "/v1/uploads", body))

    def put_part(self, link: str, content: Iterable[bytes], size: int) -> str:
        """Sends one part of `size` bytes to its link, once; gives the ETag that `complete` wants."""
        # The link is signed: it needs no key, and a length instead of chunks.
        response = self._send("PUT", link, content=content, headers={"Content-Length": str(size)})
        if not response.is_success:
            raise ApiError(response.status_code, f"the bucket refuses a part: {response.text[:300]}")
        return response.headers.get("ETag", "")

    def complete(self, upload_id: str, multipart_id: str, etags: Sequence[str]) -> Upload:
        """Says that all parts were sent, with their ETags in order; loading begins."""
        body = {"multipart_id": multipart_id, "etags": list(etags)}
        return cast(Upload, self._call("POST", f"/v1/uploads/{quote(upload_id, safe='')}/complete", body))

    def _call(self, method: str, path: str, body: object = None, params: dict[str, str] | None = None) -> Any:
        content = None if body is None else repair(json.dumps(body, ensure_ascii=False)).encode()
        headers = {"Content-Type": "application/json"} if content else {}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        waited = 0.0
        while True:
            response = self._send(method, self._url + path, content=content, headers=headers, params=params)
            if response.is_success:
                return _document(response)
            error = _refusal(response)
            wait = error.retry_after if isinstance(error, Unavailable) and error.status in _NOT_DONE else inf
            if waited + wait > self._patience:
                raise error
            self._pause(wait)
            waited += wait

    def _send(self, method: str, url: str, **request: Any) -> httpx2.Response:
        try:
            return self._client.request(method, url, **request)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise Unreachable(f"{url.partition('?')[0]}: {str(error) or type(error).__name__}") from error


def _given(**values: str | None) -> dict[str, str]:
    """The parameters that have a value."""
    return {name: value for name, value in values.items() if value}


def _release_path(source: str, release: str) -> str:
    return f"/v1/releases/{quote(source, safe='')}/{quote(release, safe='')}"


def _document(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise ApiError(response.status_code, "what answers at this address is not onec-rag") from error


def _refusal(response: httpx2.Response) -> ApiError:
    """The exception that a problem document stands for; gateways in front of the API say `message`."""
    status = response.status_code
    try:
        problem = response.json()
    except ValueError:
        problem = None
    told = (problem.get("detail") or problem.get("message")) if isinstance(problem, dict) else None
    detail = str(told or f"{status} {response.reason_phrase}")
    if status in _AWAY:
        wish = response.headers.get("Retry-After", "")
        return Unavailable(status, detail, max(float(wish), 1.0) if wish.isdigit() else 2.0)
    return _REFUSALS.get(status, ApiError)(status, detail)
