import pytest

from mcp_agent import Agent, said
from onec_rag_client.language import text
from onec_rag_client.mcp.tools.search import SHOWN, beginning, search
from unit.client.fake_api import FakeApi, make_hit


def test_hits_have_name_id_place_source_and_text_in_both_forms(agent: Agent, fake: FakeApi) -> None:
    fake.hits = [make_hit(), make_hit(id="1-8", fqn="", title="Начало работы", kind="page", breadcrumb="а\nб")]
    fake.warnings = ["vectors cover 84% of the chunks"]
    result = agent.call("search", query="скидка")
    assert said(result) == (
        "1. ОбщийМодуль.Скидки.РассчитатьСкидку · procedure · id 1-7\n"
        "CommonModules/Скидки/Ext/Module.bsl:10-42 · bsp@3.1.12.238\n"
        "Общий модуль Скидки · ПрограммныйИнтерфейс\n"
        f"{fake.hits[0]['text']}\n"
        "\n"
        "2. Начало работы · page · id 1-8\n"
        "CommonModules/Скидки/Ext/Module.bsl:10-42 · bsp@3.1.12.238\n"
        "а б\n"
        f"{fake.hits[1]['text']}\n"
        "\n"
        "внимание: vectors cover 84% of the chunks"
    )
    assert result.structured_content["mode"] == "hybrid"
    assert result.structured_content["warnings"] == fake.warnings
    assert result.structured_content["hits"][0] == {
        "id": "1-7", "kind": "procedure", "name": "ОбщийМодуль.Скидки.РассчитатьСкидку",
        "place": "CommonModules/Скидки/Ext/Module.bsl:10-42", "source": "bsp", "release": "3.1.12.238",
        "breadcrumb": "Общий модуль Скидки · ПрограммныйИнтерфейс", "text": fake.hits[0]["text"],
    }  # fmt: skip


def test_all_filters_are_sent(agent: Agent, fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    agent.call(
        "search", query="скидка", mode="lexical", sources=["bsp"], release=2, kinds=["procedure", "help"],
        under="Отчет.А", sections=["Склад"], belonging="adopted", limit=3,
    )  # fmt: skip
    assert fake.requests[0].json == {
        "query": "скидка", "mode": "lexical", "limit": 3, "sources": ["bsp"], "release": "2",
        "kinds": ["procedure", "help"], "fqn_prefix": "Отчет.А", "sections": ["Склад"], "belonging": "adopted",
    }  # fmt: skip


def test_empty_and_null_filters_are_none(agent: Agent, fake: FakeApi) -> None:
    agent.call("search", query="скидка", sources=None, release="", kinds=[], under="", sections=None, belonging=None)
    assert fake.requests[0].json == {
        "query": "скидка", "mode": "hybrid", "limit": 10, "sources": [], "release": None, "kinds": [],
        "fqn_prefix": None, "sections": [], "belonging": None,
    }  # fmt: skip


@pytest.mark.usefixtures("settings")
def test_no_hit_is_an_answer_with_advice_in_both_forms() -> None:
    result = search("нет такого")
    assert not result.is_error
    assert text("mcp.nothing") in said(result)
    assert result.structured_content == {"hits": [], "mode": "hybrid", "warnings": [text("mcp.nothing")]}


@pytest.mark.usefixtures("settings")
def test_a_stale_hit_is_marked_in_both_forms(fake: FakeApi) -> None:
    fake.hits = [make_hit(stale=True)]
    result = search("скидка")
    assert text("search.stale") in said(result)
    assert result.structured_content["hits"][0]["stale"] == text("search.stale")


def test_a_long_text_is_cut_at_the_end_of_a_line() -> None:
    lines = "\n".join("Строка кода" for _ in range(100))
    assert beginning("коротко\n") == "коротко\n"
    assert beginning(lines).endswith("Строка кода…")
    assert SHOWN - 20 < len(beginning(lines)) <= SHOWN
    assert beginning("а" * 1000) == "а" * (SHOWN - 1) + "…"
