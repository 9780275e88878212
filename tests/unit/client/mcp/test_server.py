import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_agent import SERVER, said
from unit.client.fake_api import Answer, FakeApi, make_hit
from unit.client.mcp.conftest import StartAgent

GREETING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "тест", "version": "1"}}
POOR = {"LC_ALL": "POSIX", "PYTHONIOENCODING": "cp1251:strict"}


def line(method: str, params: dict[str, Any], number: int | None = None) -> bytes:
    """A message of JSON-RPC 2.0 as stdio carries it; one without a number is not answered."""
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def search(query: str) -> dict[str, Any]:
    return {"name": "search", "arguments": {"query": query}}


@pytest.mark.parametrize(("language", "mode", "word"), [("ru", "auto", "процедуры"), ("en", "legacy", "procedures")])
def test_the_manifest_is_short_strict_and_in_the_users_language(
    start_agent: StartAgent, language: str, mode: str, word: str
) -> None:
    with start_agent(mode, ONEC_RAG_LANG=language) as agent:
        tools, instructions = agent.tools(), agent.client.instructions
    assert list(tools) == ["search", "get", "answer", "sources"]
    assert word in tools["search"]["description"]
    assert "`search`" in (instructions or "")
    assert len(json.dumps(tools, ensure_ascii=False)) < 3_500
    for tool in tools.values():
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["inputSchema"]["additionalProperties"] is False
        assert "$ref" not in json.dumps(tool)
        assert all("description" in value for value in tool["inputSchema"]["properties"].values())


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C.UTF-8"}, POOR])
def test_cyrillic_goes_in_and_out_in_any_locale(start_agent: StartAgent, fake: FakeApi, locale: dict[str, str]) -> None:
    fake.hits = [make_hit(breadcrumb="Скидки → ∑ 😀", text="Возврат «ё»;")]
    with start_agent(**locale) as agent:
        result = agent.call("search", query="расчёт скидки 😀", under="Справочник.Товары")
    assert "ОбщийМодуль.Скидки.РассчитатьСкидку" in said(result)
    assert "Скидки → ∑ 😀" in said(result)
    sent = fake.sent("POST", "/v1/search")[0].json
    assert (sent["query"], sent["fqn_prefix"]) == ("расчёт скидки 😀", "Справочник.Товары")


def test_stdout_holds_json_rpc_and_nothing_else(cli_environment: dict[str, str], fake: FakeApi, tmp_path: Path) -> None:
    fake.hits = [make_hit()]
    with subprocess.Popen(
        SERVER, env=cli_environment | POOR, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        lines = []
        for sent in (
            line("initialize", GREETING, 1),
            line("notifications/initialized", {}) + line("tools/call", search("скидка"), 2),
            line("tools/call", search("ошибка"), 3),
        ):
            server.stdin.write(sent)
            server.stdin.flush()
            lines.append(server.stdout.readline())
            if len(lines) == 2:
                fake.failures.append(Answer(200, "{}"))  # an answer that no code expects: a crash with its traceback
        rest, log = server.communicate(timeout=30)
    assert rest == b""
    assert server.returncode == 0
    messages = [json.loads(line.decode("utf-8")) for line in lines]
    assert [(message["jsonrpc"], message["id"]) for message in messages] == [("2.0", 1), ("2.0", 2), ("2.0", 3)]
    assert "РассчитатьСкидку".encode() in lines[1]
    assert messages[2]["result"]["isError"] is True
    assert "KeyError" in log.decode("utf-8")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_who_starts_it_in_a_terminal_is_told_what_it_is(cli_environment: dict[str, str], option: str) -> None:
    done = subprocess.run(
        [*SERVER, option], env=cli_environment | POOR, capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert ("ONEC_RAG_API_KEY" in done.stdout) == (option == "--help")
    assert done.stderr == ""


def test_an_interrupt_ends_it_at_once_though_stdin_is_open(cli_environment: dict[str, str]) -> None:
    with subprocess.Popen(SERVER, env=cli_environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(line("initialize", GREETING, 1))
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=30) == -signal.SIGINT


def test_the_command_line_does_not_load_the_sdk() -> None:
    script = "import onec_rag_client.cli.app, sys; sys.exit('mcp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
