import json

from unit.client.conftest import RunCli
from unit.client.fake_api import UPLOAD_ID, FakeApi, make_source, make_upload

PROBLEM = {"path": "Catalogs/Товары/Ext/ObjectModule.bsl", "place": "line 3", "reason": "not text"}


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


def test_an_upload_that_is_loading_shows_how_far_it_is(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload = make_upload(state="loading", tasks=4, tasks_done=1)
    assert "загружается 1/4" in run_cli("status").stdout


def test_status_of_an_upload_shows_its_problems(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload = make_upload(
        state="ready", release=2, label="3.1", problems=1, counts={"procedures": 5, "chunks_new": 7}
    )
    fake.problems = [PROBLEM]
    shown = run_cli("status", UPLOAD_ID).stdout
    for part in ("3.1 (#2)", "готово", "процедуры", *PROBLEM.values()):
        assert part in shown


def test_status_as_json(run_cli: RunCli, fake: FakeApi) -> None:
    fake.sources, fake.problems = [make_source()], [PROBLEM]
    fake.upload = make_upload(problems=1)
    assert json.loads(run_cli("status", "--json").stdout)["sources"] == fake.sources
    upload = json.loads(run_cli("status", UPLOAD_ID, "--json").stdout)
    assert upload == {"upload": fake.upload, "problems": [PROBLEM]}


def test_an_unknown_upload_is_exit_code_4(run_cli: RunCli) -> None:
    ended = run_cli("status", "11111111-1111-1111-1111-111111111111")
    assert ended.returncode == 4
    assert "Не найдено" in ended.stderr
