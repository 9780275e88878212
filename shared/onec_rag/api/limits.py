"""Bounds the bodies of requests before anything reads them; bytes of uploads go to the bucket, never through here."""

from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onec_rag.api.errors import problem

LARGEST_BODY = 1024**2
"""Bytes. A question has 20,000 characters at the most; the ETags of a 5 GB upload take 30 KB."""


class BodyLimit:
    """ASGI middleware: a longer body is answered with 413, told by its header or counted as it comes."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body, more = b"", True
        length = dict(scope["headers"]).get(b"content-length", b"0")
        while more and len(body) <= self._largest and (not length.isdigit() or int(length) <= self._largest):
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        if more or len(body) > self._largest:
            answer = problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body has at most {self._largest} bytes")
            await answer(scope, receive, send)
            return
        replayed = False

        async def replay() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)
