import pytest

from mcp_agent import Agent, said
from onec_rag_client.language import text
from onec_rag_client.mcp.tools.sources import sources
from unit.client.fake_api import FakeApi, make_source


def test_sources_have_name_release_kind_and_size_in_both_forms(agent: Agent, fake: FakeApi) -> None:
    fake.sources = [
        make_source(),
        make_source(name="регламенты", kind="documents", title="", label=None, release=3, coverage=0.999,
                    vector_problem="endpoint is away"),
    ]  # fmt: skip
    result = agent.call("sources")
    assert said(result).split("\n") == [
        "bsp@3.1.12.238 · configuration · Библиотека стандартных подсистем · фрагменты: 75000 · векторы: 100 %",
        "регламенты@3 · documents · фрагменты: 75000 · векторы: 99 % · endpoint is away",
    ]
    first, second = result.structured_content["sources"]
    assert first == {
        "name": "bsp", "kind": "configuration", "title": "Библиотека стандартных подсистем", "chunks": 75_000,
        "coverage": 1.0, "release": "3.1.12.238",
    }  # fmt: skip
    assert (second["release"], second["vector_problem"]) == ("3", "endpoint is away")


@pytest.mark.usefixtures("settings")
def test_a_source_that_is_loading_has_no_release_yet(fake: FakeApi) -> None:
    fake.sources = [make_source(label=None, release=None)]
    result = sources()
    assert said(result).startswith("bsp · configuration")
    assert result.structured_content["sources"][0]["release"] is None


@pytest.mark.usefixtures("settings")
def test_an_empty_index_says_how_to_begin() -> None:
    result = sources()
    assert said(result) == text("sources.empty")
    assert result.structured_content == {"sources": [], "warnings": [text("sources.empty")]}
