import pytest

from mcp_agent import Agent, said
from onec_rag_client.language import text
from onec_rag_client.mcp.tools.answer import answer
from unit.client.fake_api import FakeApi, make_written_answer


def test_an_answer_has_points_and_numbered_sources_in_both_forms(agent: Agent, fake: FakeApi) -> None:
    fake.written = make_written_answer(warnings=["часть источников"])
    result = agent.call("answer", question="Как рассчитать скидку?", sources=["bsp"], release="3.1", limit=3)
    assert said(result) == (
        "Скидка рассчитывается функцией РассчитатьСкидку.\n"
        "\n"
        "- Скидка зависит от карты [1]\n"
        "\n"
        "[1] ОбщийМодуль.Скидки.РассчитатьСкидку"
        " · CommonModules/Скидки/Ext/Module.bsl:10-42 · bsp@3.1.12.238 · id 1-7\n"
        "\n"
        "внимание: часть источников"
    )
    assert result.structured_content == {
        "answer": "Скидка рассчитывается функцией РассчитатьСкидку.",
        "key_points": [{"text": "Скидка зависит от карты", "sources": [1]}],
        "warnings": ["часть источников"],
        "postprocess_used": True,
        "sources": [
            {
                "number": 1, "id": "1-7", "name": "ОбщийМодуль.Скидки.РассчитатьСкидку", "source": "bsp",
                "release": "3.1.12.238", "place": "CommonModules/Скидки/Ext/Module.bsl:10-42",
            }
        ],
    }  # fmt: skip
    assert fake.requests[0].json == {
        "question": "Как рассчитать скидку?", "sources": ["bsp"], "release": "3.1", "kinds": [], "limit": 3,
        "language": "ru",
    }  # fmt: skip


@pytest.mark.usefixtures("settings")
def test_where_no_model_has_spoken_the_sources_stand_alone(fake: FakeApi) -> None:
    source = fake.written["sources"][0] | {"fqn": "", "breadcrumb": "Руководство\nСкидки"}
    fake.written = make_written_answer(
        answer=None, key_points=[], sources=[source], warnings=["no endpoint"], postprocess_used=False
    )
    result = answer("Как?")
    assert not result.is_error
    assert said(result).startswith(f"{text('ask.none')}\n\n[1] Руководство Скидки · ")
    assert said(result).endswith("no endpoint")
    assert result.structured_content["answer"] is None
    assert result.structured_content["postprocess_used"] is False
