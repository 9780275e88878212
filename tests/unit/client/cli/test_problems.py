import json
from urllib.parse import parse_qs, urlsplit

from unit.client.conftest import RunCli
from unit.client.fake_api import UPLOAD_ID, FakeApi, make_upload

PROBLEMS = [{"path": f"Catalogs/{number:03}.xml", "place": "line 3", "reason": "not XML"} for number in range(120)]


def test_problems_of_an_upload_are_shown_page_by_page(run_cli: RunCli, fake: FakeApi) -> None:
    fake.upload, fake.problems = make_upload(state="ready", label="3.1", problems=120), PROBLEMS
    first = run_cli("problems", UPLOAD_ID).stdout
    assert "Catalogs/000.xml" in first
    assert "Catalogs/049.xml" in first
    assert "Catalogs/050.xml" not in first
    assert f"1–50 из 120 · загрузка {UPLOAD_ID} 3.1" in first
    assert f"Дальше: onec-rag problems {UPLOAD_ID} --page 2" in first.splitlines()
    last = run_cli("problems", UPLOAD_ID, "--page", "3").stdout
    assert "101–120 из 120" in last
    assert "Дальше" not in last
    sized = run_cli("problems", UPLOAD_ID, "--size", "100").stdout
    assert sized.splitlines()[-1] == f"Дальше: onec-rag problems {UPLOAD_ID} --page 2 --size 100"


def test_problems_of_a_source_are_asked_for_by_its_name(run_cli: RunCli, fake: FakeApi) -> None:
    fake.problems = PROBLEMS[:1]
    assert "line 3" in run_cli("problems", "bsp").stdout
    assert parse_qs(urlsplit(fake.requests[-1].path).query) == {"source": ["bsp"], "offset": ["0"], "limit": ["50"]}
    ended = run_cli("problems", "other")
    assert ended.returncode == 4
    assert "other has no upload" in ended.stderr


def test_where_there_are_none_it_is_said(run_cli: RunCli) -> None:
    assert "Непрочитанных файлов: 0" in run_cli("problems", "bsp").stdout


def test_problems_as_json(run_cli: RunCli, fake: FakeApi) -> None:
    fake.problems = PROBLEMS
    found = json.loads(run_cli("problems", "bsp", "--page", "12", "--size", "10", "--json").stdout)
    assert (found["total"], found["offset"], found["problems"]) == (120, 110, PROBLEMS[110:])


def test_wrong_pages_are_exit_code_2(run_cli: RunCli) -> None:
    for wrong in (("--page", "0"), ("--size", "0"), ("--size", "1001"), ()):
        assert run_cli("problems", *(("bsp", *wrong) if wrong else ())).returncode == 2
