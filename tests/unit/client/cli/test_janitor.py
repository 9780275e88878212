import json

from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_run, problem


def lines(output: str) -> list[str]:
    return [" ".join(line.split()) for line in output.splitlines()]


def test_what_the_janitor_has_done_is_told_when_it_has_ended(run_cli: RunCli, fake: FakeApi) -> None:
    done = fake.run["done"] | {"requeued": 1, "failed": 2, "releases": 3}
    fake.run = make_run(done=done, dead_letters={"plan": 0, "index": 0, "embed": 4})
    shown = lines(run_cli("janitor").stdout)
    assert shown == [
        "продолжено загрузок 1", "прекращено загрузок 2", "удалено релизов 3", "Недоставленные сообщения: embed 4",
    ]  # fmt: skip
    assert len(fake.sent("POST", "/v1/janitor")) == 1


def test_where_there_was_nothing_to_do_it_is_said(run_cli: RunCli) -> None:
    assert lines(run_cli("janitor").stdout) == ["Всё в порядке: делать нечего."]
    assert lines(run_cli("janitor", ONEC_RAG_LANG="en").stdout) == ["All is well: there was nothing to do."]


def test_where_another_run_is_at_work_it_is_said(run_cli: RunCli, fake: FakeApi) -> None:
    fake.run = make_run(done=None, dead_letters=None)
    assert "другой проход" in run_cli("janitor").stdout


def test_a_run_as_json(run_cli: RunCli, fake: FakeApi) -> None:
    assert json.loads(run_cli("janitor", "--json").stdout) == fake.run


def test_a_key_that_may_not_is_exit_code_3(run_cli: RunCli, fake: FakeApi) -> None:
    fake.failures.append(problem(403, "this API key has no scope 'admin'"))
    assert run_cli("janitor").returncode == 3
