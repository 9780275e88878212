import pytest

from mcp_agent import Agent, said
from onec_rag_client.mcp.tools.get import get
from unit.client.fake_api import FakeApi, make_hit, make_neighbour


def test_a_hit_has_its_whole_text_and_its_neighbours_in_both_forms(agent: Agent, fake: FakeApi) -> None:
    whole = "Функция РассчитатьСкидку(Карта) Экспорт\n" + "\tСкидка = Скидка + 1;\n" * 200 + "КонецФункции"
    fake.hits, fake.before = [make_hit(text=whole)], [make_neighbour()]
    fake.after = [make_neighbour(id="1-8", fqn="", symbol="", breadcrumb="Скидки\nИтог", first_line=None)]
    result = agent.call("get", id="1-7", neighbours=2, release="3.1")
    assert said(result) == (
        "ОбщийМодуль.Скидки.РассчитатьСкидку · procedure · id 1-7\n"
        "CommonModules/Скидки/Ext/Module.bsl:10-42 · bsp@3.1.12.238\n"
        "Общий модуль Скидки · ПрограммныйИнтерфейс\n"
        f"{whole}\n"
        "\n"
        "Перед ним в файле:\n"
        "ОбщийМодуль.Скидки.КартаКлиента · 1-9 · id 1-6\n"
        "\n"
        "После него в файле:\n"
        "Скидки Итог · id 1-8"
    )
    assert result.structured_content["text"] == whole
    assert result.structured_content["before"] == [
        {"id": "1-6", "name": "ОбщийМодуль.Скидки.КартаКлиента", "lines": "1-9"}
    ]
    assert result.structured_content["after"] == [{"id": "1-8", "name": "Скидки Итог", "lines": ""}]
    assert fake.requests[0].path == "/v1/hits/1-7?neighbours=2&release=3.1"


@pytest.mark.usefixtures("settings")
def test_without_neighbours_there_is_the_text_alone(fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    result = get("1-7", neighbours=0)
    assert said(result).endswith("КонецФункции")
    assert (result.structured_content["before"], result.structured_content["after"]) == ([], [])


def test_an_unknown_id_says_where_ids_come_from(agent: Agent) -> None:
    result = agent.call("get", id="9-9")
    assert result.is_error
    assert said(result).startswith("Не найдено: hit 9-9 is not here.")
    assert "`search`" in said(result)
