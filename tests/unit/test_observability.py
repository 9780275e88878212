import asyncio
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from onec_rag.observability import RequestIds, correlate, handle_messages, logger
from onec_rag_local.events import LambdaContext

CONTEXT = LambdaContext("indexer", deadline=0.0)


def sqs_event(*bodies: str) -> dict[str, Any]:
    return {"Records": [{"messageId": f"message {number}", "body": body} for number, body in enumerate(bodies)]}


def request_id_of(*headers: tuple[bytes, bytes]) -> str:
    """What the middleware answers to a request with these headers; the application behind it answers 200."""
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    asyncio.run(RequestIds(application)({"type": "http", "headers": list(headers)}, receive, send))
    assert len(sent) == 2
    found = dict(sent[0]["headers"])
    assert found[b"content-length"] == b"0"
    return str(found[b"x-request-id"].decode())


def test_a_request_keeps_the_id_that_it_came_with() -> None:
    assert request_id_of((b"x-request-id", b"Root=1-67-abc")) == "Root=1-67-abc"


@pytest.mark.parametrize("given", [b"", b"a" * 129, b'"} {"level":"ERROR', b"a\nb", "заказ".encode()])
def test_an_id_that_would_spoil_the_log_is_replaced(given: bytes) -> None:
    assert request_id_of((b"x-request-id", given)) not in ("", given.decode())


def test_requests_without_ids_get_different_ones() -> None:
    assert request_id_of() != request_id_of()


def test_concurrent_requests_do_not_share_the_keys_of_their_log_lines() -> None:
    seen: dict[str, Any] = {}

    async def request(name: str, turn: asyncio.Event, then: asyncio.Event) -> None:
        correlate(request_id=name)
        then.set()
        await turn.wait()
        seen[name] = logger.thread_safe_get_current_keys()["request_id"]

    async def both() -> None:
        first, second = asyncio.Event(), asyncio.Event()
        await asyncio.gather(request("first", second, first), request("second", first, second))

    asyncio.run(both())
    assert seen == {"first": "first", "second": "second"}


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged from here on, as it would be printed."""
    stream = io.StringIO()
    before = logger.registered_handler.setStream(stream)
    yield stream
    logger.registered_handler.setStream(before)


def test_a_message_that_raises_goes_back_and_its_ids_are_logged(log: io.StringIO) -> None:
    done = []

    def act(message: Any) -> None:
        correlate(upload=message["upload"])
        if message["upload"] == "bad":
            raise ValueError("not this one")
        done.append(message["upload"])

    event = sqs_event('{"upload": "first"}', '{"upload": "bad"}', "no JSON", '{"upload": "last"}')
    answer = handle_messages(event, CONTEXT, act)  # type: ignore[arg-type]  # of the same shape
    assert answer == {"batchItemFailures": [{"itemIdentifier": "message 1"}, {"itemIdentifier": "message 2"}]}
    assert done == ["first", "last"]
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["message_id"], line.get("upload")) for line in lines] == [("message 1", "bad"), ("message 2", None)]
    assert "not this one" in lines[0]["exception"]
