from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from mcp_agent import Agent, connected
from unit.client.fake_api import KEY, FakeApi

StartAgent = Callable[..., AbstractContextManager[Agent]]


@pytest.fixture
def start_agent(cli_environment: dict[str, str], tmp_path: Path) -> StartAgent:
    """Starts `onec-rag-mcp` in an empty folder, under the poorest locale; the service is the fake."""

    def start(mode: str = "auto", **environment: str) -> AbstractContextManager[Agent]:
        return connected(cli_environment | environment, tmp_path, mode=mode)

    return start


@pytest.fixture
def agent(start_agent: StartAgent) -> Iterator[Agent]:
    with start_agent() as started:
        yield started


@pytest.fixture
def settings(fake: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tools that are called as functions: the service is the fake."""
    monkeypatch.setenv("ONEC_RAG_URL", fake.url)
    monkeypatch.setenv("ONEC_RAG_API_KEY", KEY)
