import json

from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_written_answer, problem


def test_an_answer_shows_its_points_sources_and_warnings(run_cli: RunCli, fake: FakeApi) -> None:
    fake.written = make_written_answer(warnings=["models err"])
    ended = run_cli("ask", "Как рассчитать скидку?")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == [
        "Скидка рассчитывается функцией РассчитатьСкидку.",
        "",
        "• Скидка зависит от карты [1]",
        "",
        "[1] ОбщийМодуль.Скидки.РассчитатьСкидку",
        "    CommonModules/Скидки/Ext/Module.bsl:10-42  bsp@3.1.12.238",
        "внимание: models err",
    ]


def test_without_a_model_the_sources_are_shown_and_it_is_no_failure(run_cli: RunCli, fake: FakeApi) -> None:
    source = fake.written["sources"][0] | {"fqn": "", "breadcrumb": "Руководство\nСкидки"}
    fake.written = make_written_answer(
        answer=None, key_points=[], sources=[source], warnings=["no endpoint"], postprocess_used=False
    )
    ended = run_cli("ask", "Как?")
    assert ended.returncode == 0
    assert ended.stdout.startswith("Ответа нет.\n\n[1] Руководство Скидки\n")
    assert ended.stdout.endswith("внимание: no endpoint\n")


def test_all_filters_and_the_language_are_sent(run_cli: RunCli, fake: FakeApi) -> None:
    run_cli("ask", "Why?", "--source", "bsp", "-s", "docs", "--release", "3.1", "-n", "3", ONEC_RAG_LANG="en")
    assert fake.requests[0].json == {
        "question": "Why?", "sources": ["bsp", "docs"], "release": "3.1", "kinds": [], "limit": 3, "language": "en",
    }  # fmt: skip


def test_json_is_the_answer_of_the_api_and_nothing_else(run_cli: RunCli, fake: FakeApi) -> None:
    ended = run_cli("ask", "Как?", "--json")
    assert json.loads(ended.stdout) == fake.written
    assert ended.stderr == ""


def test_an_unknown_release_is_exit_code_4(run_cli: RunCli, fake: FakeApi) -> None:
    fake.failures.append(problem(404, "release 9 of any source is not here"))
    ended = run_cli("ask", "Как?", "--release", "9")
    assert ended.returncode == 4
    assert "release 9" in ended.stderr


def test_what_a_model_wrote_steers_neither_the_terminal_nor_the_markup(run_cli: RunCli, fake: FakeApi) -> None:
    fake.written["answer"] = "\x1b]0;заголовок\x07[red]Массив[0][/red] :smile:"
    shown = run_cli("ask", "Как?").stdout
    assert "\x1b" not in shown
    assert "[red]Массив[0][/red] :smile:" in shown
