import json

from unit.client.conftest import RunCli
from unit.client.fake_api import UPLOAD_ID, FakeApi, make_run, make_source, make_upload, make_vectors

PROBLEM = {"path": "Catalogs/Товары/Ext/ObjectModule.bsl", "place": "line 3", "reason": "not text"}


def lines(output: str) -> list[str]:
    """The lines with each run of spaces as one."""
    return [" ".join(line.split()) for line in output.splitlines()]


def test_status_shows_service_sources_and_uploads(run_cli: RunCli, fake: FakeApi) -> None:
    fake.sources = [make_source()]
    fake.upload = make_upload(state="failed", reason="the archive is empty")
    shown = run_cli("status").stdout
    for part in (
        "0.1.0",
        "multilingual-e5-small",
        "123.0 MB",
        "Источники",
        UPLOAD_ID,
        "ошибка",
        "the archive is empty",
    ):
        assert part in shown


def test_status_shows_the_janitors_last_run_and_dead_letters(run_cli: RunCli, fake: FakeApi) -> None:
    fake.run = make_run(dead_letters={"plan": 2, "index": 0, "embed": 1})
    shown = lines(run_cli("status").stdout)
    assert "последняя уборка 2026-01-02 03:04" in shown
    assert "недоставленные сообщения plan 2, embed 1" in shown


def test_an_upload_that_is_loading_shows_how_far_it_is(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload = make_upload(state="loading", tasks=4, tasks_done=1)
    assert "загружается 1/4" in run_cli("status").stdout


def test_status_of_an_upload_shows_all_that_is_known_of_it(run_cli: RunCli, fake: FakeApi) -> None:
    counts = {"procedures": 5, "chunks_new": 7, "chunks_kept": 1_000}
    fake.upload = make_upload(
        state="loading", release=2, label="3.1", files=13, tasks=4, tasks_done=1, problems=12, counts=counts
    )
    fake.upload_status = {
        "tasks": {"done": 1, "waiting": 3, "failed": 0}, "files": {"read": 9, "skipped": 2, "failed": 12},
        "chunks": {"new": 7, "kept": 1_000, "closed": 4}, "vectors": make_vectors(problem="HTTP 500"),
        "reasons": [{"reason": "not text", "files": 11}], "dead_letters": 3,
    }  # fmt: skip
    fake.problems = [PROBLEM] * 12
    shown = lines(run_cli("status", UPLOAD_ID).stdout)
    for line in (
        "релиз 3.1 (#2)",
        "задачи готово 1, ожидают 3, не выполнены 0",
        "файлы прочитано 9, неизвестного формата 2, не читаются 12",
        "процедуры 5",
        "фрагменты новых 7, без изменений 1 000, закрыто 4",
        "векторы 5 000 / 75 000 · 6.6 %",
        "ожидают 70 000",
        "примерно 0:20:00",
        "проблема HTTP 500",
        "недоставленные сообщения 3",
        "файлов: 11 — not text",
        f"… и ещё 2: onec-rag problems {UPLOAD_ID}",
    ):
        assert line in shown, line
    assert sum("ObjectModule.bsl" in line for line in shown) == 10


def test_of_an_upload_that_was_not_planned_yet_little_is_shown(run_cli: RunCli, fake: FakeApi) -> None:
    shown = run_cli("status", UPLOAD_ID).stdout
    assert "принимается" in shown or "приём" in shown
    for absent in ("задачи", "фрагменты", "векторы", "недоставленные"):
        assert absent not in shown


def test_status_as_json(run_cli: RunCli, fake: FakeApi) -> None:
    fake.sources, fake.problems = [make_source()], [PROBLEM]
    fake.upload = make_upload(problems=1)
    assert json.loads(run_cli("status", "--json").stdout)["sources"] == fake.sources
    found = json.loads(run_cli("status", UPLOAD_ID, "--json").stdout)
    assert (found["upload"], found["problems"]) == (fake.upload, [PROBLEM])
    assert found["files"]["failed"] == 1


def test_an_unknown_upload_is_exit_code_4(run_cli: RunCli) -> None:
    ended = run_cli("status", "11111111-1111-1111-1111-111111111111")
    assert ended.returncode == 4
    assert "Не найдено" in ended.stderr
