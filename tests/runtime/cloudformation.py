"""The address that a custom resource answers to, as CloudFormation's presigned one."""

from typing import Any

from http_servers import FakeHandler, FakeServer

PATH = "/answer?signature=as+it%2Fis"


class CloudFormation(FakeServer):
    """`answers` are the bodies that came, `content_types` what they were said to be; any other path is refused."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.answers: list[dict[str, Any]] = []
        self.content_types: list[str | None] = []

    @property
    def url(self) -> str:
        return f"{self.address}{PATH}"


class _Handler(FakeHandler):
    def do_PUT(self) -> None:
        self.owner.answers.append(self.read_json())
        self.owner.content_types.append(self.headers["Content-Type"])
        self.answer(200 if self.path == PATH else 403, b"")
