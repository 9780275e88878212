"""What a user copies into an agent's settings starts our program with settings that it reads."""

import asyncio
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from onec_rag_client.mcp.server import create_server
from onec_rag_client.mcp.service import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
PAGES = ("connect-an-agent.md", "connect-an-agent.ru.md")
PROGRAMS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
VARIABLES = set(re.findall(r'"(ONEC_RAG_\w+)"', (ROOT / "clients/onec_rag_client/settings.py").read_text("utf-8")))


def read(page: str) -> str:
    return (ROOT / "docs" / "how-to" / page).read_text("utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)


def entries(page: str) -> list[dict[str, Any]]:
    """The JSON of Claude Code, Cursor and VS Code, in this order."""
    return [json.loads(block) for block in blocks(page, "json")]


@pytest.mark.parametrize("page", PAGES)
def test_each_entry_starts_our_program_with_settings_that_it_reads(page: str) -> None:
    claude, cursor, vs_code = entries(page)
    servers = [claude["mcpServers"], cursor["mcpServers"], vs_code["servers"]]
    assert [list(named) for named in servers] == [["onec-rag"]] * 3
    for entry in (named["onec-rag"] for named in servers):
        assert entry["command"] in PROGRAMS
        assert entry["args"] == []
        assert {"ONEC_RAG_URL", "ONEC_RAG_API_KEY"} <= set(entry["env"]) <= VARIABLES
    [asked] = vs_code["inputs"]
    assert vs_code["servers"]["onec-rag"]["env"]["ONEC_RAG_API_KEY"] == f"${{input:{asked['id']}}}"


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_start_our_program_with_settings_that_it_reads(page: str) -> None:
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    added = [shlex.split(line) for line in lines if line.startswith("claude ")]
    assert len(added) == 2
    for words in added:
        assert words[:4] == ["claude", "mcp", "add", "onec-rag"]  # a name after --env would be taken for a variable
        end = words.index("--")
        assert words[end + 1 :] == ["onec-rag-mcp"]
        given = words[4:end]
        assert set(given[::2]) <= {"--env"}
        assert {value.partition("=")[0] for value in given[1::2]} <= VARIABLES


@pytest.mark.parametrize("page", PAGES)
def test_tools_settings_and_patience_are_those_of_the_program(page: str) -> None:
    listed = re.findall(r"^\| `(\w+)` \|", read(page), re.MULTILINE)
    tools = [tool.name for tool in asyncio.run(create_server().list_tools())]
    assert listed[: len(tools)] == tools
    assert set(listed[len(tools) :]) == VARIABLES
    assert f" {PATIENCE_SECONDS:g} " in read(page)


def test_both_pages_have_the_same_shape() -> None:
    english, russian = (re.sub(r"^```.*?^```$", "```", read(page), flags=re.M | re.S) for page in PAGES)
    for mark in (r"^#+(?= )", r"^```$", r"^\|"):
        assert re.findall(mark, english, re.MULTILINE) == re.findall(mark, russian, re.MULTILINE)
    assert blocks(PAGES[0], "sh") == blocks(PAGES[1], "sh")
