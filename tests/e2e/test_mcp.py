"""An agent against a running stack: search, get, sources, and an answer without a chat model."""

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from mcp_agent import Agent, connected, said
from running_stack import SAMPLE, RunningStack

pytestmark = [pytest.mark.integration, pytest.mark.e2e]
PROGRAM = [str(Path(sys.executable).with_name("onec-rag-mcp"))]
POOR = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1251:strict"}


def agent_of(stack: RunningStack, folder: Path, **environment: str) -> AbstractContextManager[Agent]:
    settings = {"ONEC_RAG_URL": stack.url, "ONEC_RAG_API_KEY": stack.key, "ONEC_RAG_LANG": "ru"}
    return connected(os.environ | settings | environment, folder, PROGRAM)


def lines_of(place: str) -> str:
    """The lines of the sample that a place `path:first-last` names."""
    path, _, lines = place.rpartition(":")
    first, _, last = lines.partition("-")
    module = (SAMPLE / "configuration" / path).read_text(encoding="utf-8-sig").splitlines()
    return "\n".join(module[int(first) - 1 : int(last or first)])


@pytest.mark.parametrize("locale", [{"PYTHONUTF8": "1"}, POOR], ids=["utf-8", "cp1251"])
def test_an_agent_finds_reads_and_asks(stack: RunningStack, tmp_path: Path, locale: dict[str, str]) -> None:
    with agent_of(stack, tmp_path, **locale) as agent:
        found = agent.call("search", query="остаток гарантийного срока", kinds=["procedure"], sources=["warm-home"])
        assert not found.is_error, said(found)
        best: dict[str, Any] = found.structured_content["hits"][0]
        assert best["source"] == "warm-home"
        assert f"1. {best['name']} · procedure · id {best['id']}\n{best['place']}" in said(found)

        whole = agent.call("get", id=best["id"], neighbours=1)
        assert not whole.is_error, said(whole)
        assert whole.structured_content["name"] == best["name"]
        assert whole.structured_content["text"].strip("\n") == lines_of(whole.structured_content["place"]).strip("\n")
        around = [*whole.structured_content["before"], *whole.structured_content["after"]]
        assert around
        assert not agent.call("get", id=around[0]["id"], neighbours=0).is_error

        indexed = agent.call("sources")
        assert {"warm-home", "manual"} <= {source["name"] for source in indexed.structured_content["sources"]}
        assert "warm-home@2.4.1.15" in said(indexed)

        answered = agent.call("answer", question="Как проверяется гарантийный срок изделия?", limit=3)
        assert not answered.is_error, said(answered)
        assert answered.structured_content["answer"] is None
        assert answered.structured_content["postprocess_used"] is False
        assert len(answered.structured_content["sources"]) == 3
        assert "ONEC_RAG_CHAT_BASE_URL" in said(answered)


def test_refusals_of_the_service_reach_the_agent(stack: RunningStack, tmp_path: Path) -> None:
    with agent_of(stack, tmp_path) as agent:
        assert said(agent.call("search", query="скидка", sources=["нет-такого"])).startswith("Не найдено: ")
        assert said(agent.call("search", query="скидка", release="9.9.9")).startswith("Не найдено: ")
        assert said(agent.call("get", id="1-999999999")).startswith("Не найдено: ")
        assert said(agent.call("get", id="не id")).startswith("Аргументы не приняты: ")
    with agent_of(stack, tmp_path, ONEC_RAG_API_KEY="onecrag_wrong") as agent:
        assert said(agent.call("sources")).startswith("Нет доступа: ")


def test_the_folder_of_a_stack_is_all_that_an_agent_needs(stack: RunningStack, tmp_path: Path) -> None:
    data = {"ONEC_RAG_URL": "", "ONEC_RAG_API_KEY": "", "ONEC_RAG_DATA": str(stack.folder)}
    with agent_of(stack, tmp_path, **data) as agent:
        assert not agent.call("sources").is_error


def test_ask_shows_the_sources_where_no_model_answers(stack: RunningStack) -> None:
    shown = stack.cli("ask", "Как проверяется гарантийный срок изделия?", "-n", "3", ONEC_RAG_LANG="ru")
    assert shown.startswith("Ответа нет.")
    assert "[3] " in shown
    assert "ONEC_RAG_CHAT_BASE_URL" in shown
