import json
from pathlib import Path

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mcp_agent import Agent, said
from onec_rag_client.errors import ApiError, ClientError, LoadFailed, LoadHeld, UploadRefused, VectorsMissing
from onec_rag_client.mcp.service import EXPLAINED, service
from unit.client.fake_api import KEY, Answer, FakeApi, make_source, problem
from unit.client.mcp.conftest import StartAgent

REFUSALS = [
    (problem(401, "ключ отозван"), "Нет доступа: ключ отозван.", "ONEC_RAG_API_KEY"),
    (problem(403, "только загрузка"), "Нет прав: только загрузка.", "ключ API"),
    (problem(404, "нет такого"), "Не найдено: нет такого.", "`sources`"),
    (problem(422, "limit: мало"), "Аргументы не приняты: limit: мало.", "Исправьте"),
    (problem(503, "просыпается", Retry_After="600"), "Сервис не готов: просыпается.", "через 600 с"),
    (problem(500, "непредвиденное"), "Не удалось: непредвиденное.", "Сообщите пользователю"),
    (Answer(200, "<html>"), "Не удалось: what answers at this address is not onec-rag.", "Сообщите"),
]


def all_kinds(kind: type[ClientError]) -> set[type[ClientError]]:
    return set(kind.__subclasses__()).union(*(all_kinds(sub) for sub in kind.__subclasses__()))


def test_every_error_that_a_tool_may_meet_is_explained() -> None:
    of_uploads = {LoadFailed, LoadHeld, UploadRefused, VectorsMissing}
    assert set(EXPLAINED) == all_kinds(ClientError) - of_uploads - {ApiError}


def test_each_refusal_tells_its_reason_and_what_to_do(agent: Agent, fake: FakeApi) -> None:
    for refusal, reason, advice in REFUSALS:
        fake.failures.append(refusal)
        result = agent.call("sources")
        assert result.is_error
        assert said(result).startswith(reason)
        assert advice in said(result)
        assert result.structured_content is None


def test_wrong_arguments_are_named_and_the_service_is_not_asked(agent: Agent, fake: FakeApi) -> None:
    for arguments, name in (
        ({}, "query"),
        ({"query": "x", "source": "bsp"}, "source"),
        ({"query": "x", "limit": 99}, "limit"),
        ({"query": "x", "mode": "магия"}, "mode"),
        ({"query": "x", "kinds": ["page2"]}, "kinds.0"),
        ({"query": "x", "sources": "bsp"}, "sources"),
    ):
        result = agent.call("search", **arguments)
        assert result.is_error
        assert said(result).startswith(f"Аргументы не приняты: {name}: ")
    assert fake.requests == []


def test_a_missing_key_and_a_service_that_is_away_are_told(start_agent: StartAgent, fake: FakeApi) -> None:
    with start_agent(ONEC_RAG_API_KEY="") as agent:
        keyless = agent.call("search", query="x")
    with start_agent(ONEC_RAG_URL="http://127.0.0.1:1", ONEC_RAG_LANG="en") as agent:
        away = agent.call("search", query="x")
    assert keyless.is_error
    assert "ONEC_RAG_API_KEY" in said(keyless)
    assert away.is_error
    assert said(away).startswith("The service can't be reached: http://127.0.0.1:1/v1/search: ")
    assert "onec-rag up" in said(away)


def test_a_stack_that_starts_after_the_agent_is_found(start_agent: StartAgent, fake: FakeApi, tmp_path: Path) -> None:
    fake.sources = [make_source()]
    file = tmp_path / ".onec-rag" / "client.json"
    file.parent.mkdir()
    file.write_text("{", "utf-8")
    with start_agent(ONEC_RAG_URL="", ONEC_RAG_API_KEY="") as agent:
        broken = agent.call("sources")
        file.write_text(json.dumps({"url": fake.url, "key": KEY}), "utf-8")
        found = agent.call("sources")
    assert broken.is_error
    assert "client.json" in said(broken)
    assert not found.is_error, said(found)


@pytest.mark.usefixtures("settings")
def test_the_connection_is_kept_while_the_settings_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    with service() as first, service() as second:
        assert first is second
    monkeypatch.setenv("ONEC_RAG_API_KEY", "onecrag_other")
    with service() as other:
        assert other is not first
    monkeypatch.setenv("ONEC_RAG_API_KEY", "ключ")
    with pytest.raises(ToolError), service():
        pass
