"""A chat endpoint that does what the test says, over real HTTP in the OpenAI protocol."""

import json
import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any

from http_servers import FakeHandler, FakeServer

Reply = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


def says(text: str, finish_reason: str = "stop") -> Reply:
    """An answer of that text, whatever is asked."""
    message = {"role": "assistant", "content": text}
    body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return lambda _: (200, body)


def says_json(answer: str, *points: tuple[str, list[int]]) -> Reply:
    """An answer in the form that the product asks for."""
    rows = [{"text": text, "sources": sources} for text, sources in points]
    return says(json.dumps({"answer": answer, "key_points": rows}, ensure_ascii=False))


def fails(status: int) -> Reply:
    """An error of that status."""
    return lambda _: (status, {"error": {"message": f"scripted {status}"}})


def refuses_formats(*refused: str, then: Reply, status: int = 400) -> Reply:
    """Refuses the named response formats and does as `then` says with the others."""

    def reply(asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        form = asked.get("response_format", {}).get("type", "text")
        return fails(status)(asked) if form in refused else then(asked)

    return reply


class ChatServer(FakeServer):
    """Answers with the replies of `script` in their order, the last one for ever; `asked` is what came."""

    def __init__(self, *script: Reply) -> None:
        super().__init__(_ChatHandler)
        self.asked: list[dict[str, Any]] = []
        self.script = deque(script)
        self.release = threading.Event()
        """A reply that waits for it is as slow as the test wants."""

    @property
    def url(self) -> str:
        return f"{self.address}/v1"

    def reply(self, asked: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.asked.append(asked)
        chosen = self.script.popleft() if len(self.script) > 1 else self.script[0]
        return chosen(asked)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release.set()
        super().__exit__(kind, error, trace)


class _ChatHandler(FakeHandler):
    def do_POST(self) -> None:
        status, answer = self.owner.reply(self.read_json())
        self.answer(status, json.dumps(answer, ensure_ascii=False).encode())
