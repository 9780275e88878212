import json

from onec_rag_client.cli.search import excerpt
from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_hit


def test_a_hit_shows_name_place_source_breadcrumb_and_text(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits = [make_hit(), make_hit(id="1-8", fqn="", title="Начало работы", kind="page", stale=True)]
    fake.warnings = ["vectors cover 84% of the chunks"]
    lines = run_cli("search", "скидка").stdout.splitlines()
    assert lines[:7] == [
        " 1. ОбщийМодуль.Скидки.РассчитатьСкидку  procedure",
        "    CommonModules/Скидки/Ext/Module.bsl:10-42  bsp@3.1.12.238",
        "    Общий модуль Скидки · ПрограммныйИнтерфейс",
        "        // Рассчитывает скидку.",
        "        Функция РассчитатьСкидку(Карта) Экспорт",
        "            Возврат 0;",
        "        КонецФункции",
    ]
    assert " 2. Начало работы  page" in lines
    assert any("последнее читаемое состояние" in line for line in lines)
    assert lines[-2:] == [
        "найдено: 2 · режим: hybrid · 15 мс · векторы: 84\N{NO-BREAK SPACE}%",
        "внимание: vectors cover 84% of the chunks",
    ]


def test_all_filters_are_sent(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    ended = run_cli(
        "search", "*скидка* %PATH%", "--source", "bsp", "-s", "bsp", "--release", "3.1", "--mode", "lexical",
        "--kind", "procedure", "-k", "module", "--under", "Отчет.А", "-n", "3",
        "--section", "Склад", "--belonging", "own",
    )  # fmt: skip
    assert ended.returncode == 0
    assert fake.requests[0].json == {
        "query": "*скидка* %PATH%", "mode": "lexical", "limit": 3, "sources": ["bsp", "bsp"], "release": "3.1",
        "kinds": ["procedure", "module"], "fqn_prefix": "Отчет.А", "sections": ["Склад"],
        "belonging": "own",
    }  # fmt: skip


def test_json_is_the_answer_of_the_api_and_nothing_else(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    ended = run_cli("search", "скидка", "--json")
    assert json.loads(ended.stdout)["hits"] == fake.hits
    assert "РассчитатьСкидку" in ended.stdout  # not escaped
    assert ended.stderr == ""


def test_explain_shows_ranks_scores_and_times(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    shown = run_cli("search", "скидка", "--explain").stdout
    assert "оценка 0.0328 · lexical #1 (12.5) · vector #3 (0.87)" in shown
    assert "embed 3.2 · search 11.4" in shown


def test_no_hit_is_no_failure(run_cli: RunCli) -> None:
    ended = run_cli("search", "нет такого")
    assert ended.returncode == 0
    assert ended.stdout.startswith("Ничего не найдено.")


def test_an_unknown_source_is_exit_code_4(run_cli: RunCli) -> None:
    assert run_cli("search", "x", "--source", "other").returncode == 4


def test_text_of_documents_steers_neither_the_terminal_nor_the_markup(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits = [make_hit(text="\x1b]0;заголовок\x07[red]Массив[0][/red] :smile:", breadcrumb="а\n[/b]")]
    shown = run_cli("search", "x").stdout
    assert "\x1b" not in shown
    assert "[red]Массив[0][/red] :smile:" in shown
    assert "    а [/b]" in shown


def test_an_excerpt_has_six_lines_that_say_something() -> None:
    assert excerpt("\n\n1\n \n2\r\n3") == ["1", "2", "3"]
    assert excerpt("\n".join("1234567")) == [*"123456", "…"]
