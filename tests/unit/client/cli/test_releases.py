"""`releases`, `release activate`, `release delete`, `sources delete`, and `--as-of`."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from pydantic import BaseModel

from onec_rag.api import schemas
from onec_rag_client import results
from onec_rag_client.api import OnecRag
from onec_rag_client.cli.exit_codes import ExitCode
from unit.client.conftest import RunCli
from unit.client.fake_api import KEY, UPLOAD_ID, Answer, FakeApi, Request, answer, make_hit, make_source, problem

SPACE = "\N{NO-BREAK SPACE}"


def make_release(**fields: Any) -> dict[str, Any]:
    return {
        "source": "bsp", "release": 2, "label": "3.1.12.238", "state": "ready", "current": True, "head": True,
        "chunks": 75_000, "counts": {"chunks_new": 127}, "upload": UPLOAD_ID, "created_at": "2026-01-02T03:04:05Z",
        "ready_at": "2026-01-02T03:05:05Z",
    } | fields  # fmt: skip


OLD = make_release(release=1, label="3.1.12 б/н", current=False, head=False, ready_at="2025-12-01T10:00:00Z")


class FakeReleases(FakeApi):
    """The API of one source with its releases."""

    def __init__(self) -> None:
        super().__init__()
        self.releases = [make_release(), OLD]

    def _route(self, request: Request) -> Answer:
        path = urlsplit(request.path).path.removeprefix("/v1/")
        wanted = parse_qs(urlsplit(request.path).query).get("source", ["bsp"])
        match request.method, path.split("/"):
            case "GET", ["releases"]:
                if wanted != ["bsp"]:
                    return problem(404, f"{wanted[0]} is not here")
                return answer(list[schemas.ReleaseOut], self.releases)
            case "POST", ["releases", "bsp", name, "activate"]:
                return self._found(unquote(name), current=True)
            case "DELETE", ["releases", "bsp", name]:
                return self._found(unquote(name))
            case "DELETE", ["sources", name]:
                return answer(schemas.DeletedSourceOut, {"source": name, "releases": 2, "objects": 3})
        return super()._route(request)

    def _found(self, name: str, **changed: bool) -> Answer:
        for release in self.releases:
            if name in (release["label"], str(release["release"])):
                return answer(schemas.ReleaseOut, release | changed)
        return problem(404, f"release {name} of bsp is not here")


@pytest.fixture
def fake() -> Iterator[FakeApi]:
    with FakeReleases() as server:
        yield server


@pytest.mark.parametrize(
    ("result", "schema"), [(results.Release, schemas.ReleaseOut), (results.DeletedSource, schemas.DeletedSourceOut)]
)
def test_results_have_the_fields_of_the_schemas(result: type, schema: type[BaseModel]) -> None:
    assert set(result.__annotations__) == set(schema.model_fields)


def test_releases_are_a_table_that_marks_the_current_one_and_the_head(run_cli: RunCli, fake: FakeApi) -> None:
    current, old = run_cli("releases", "bsp").stdout.strip().splitlines()[-2:]
    for part in ("3.1.12.238 (#2)", "готово, текущий, головной", "2026-01-02 03:05", f"75{SPACE}000"):
        assert part in current
    for part in ("3.1.12 б/н (#1)", "готово ", "2025-12-01 10:00"):
        assert part in old
    assert parse_qs(urlsplit(fake.requests[0].path).query) == {"source": ["bsp"]}
    assert "ready, current, head" in run_cli("releases", "bsp", ONEC_RAG_LANG="en").stdout


def test_releases_as_json(run_cli: RunCli) -> None:
    assert json.loads(run_cli("releases", "bsp", "--json").stdout) == [make_release(), OLD]


def test_a_source_that_is_not_here_is_exit_code_4(run_cli: RunCli) -> None:
    ended = run_cli("releases", "nothing")
    assert (ended.returncode, ended.stdout) == (ExitCode.NOT_FOUND, "")
    assert "nothing is not here" in ended.stderr


def test_a_release_is_activated_by_any_label(run_cli: RunCli, fake: FakeApi) -> None:
    ended = run_cli("release", "activate", "bsp", "3.1.12 б/н")
    assert ended.stdout == "Текущий релиз источника bsp: 3.1.12 б/н (#1)\n"
    assert [unquote(request.path) for request in fake.requests] == ["/v1/releases/bsp/3.1.12 б/н/activate"]
    assert json.loads(run_cli("release", "activate", "bsp", "1", "--json").stdout) == OLD | {"current": True}


def test_a_release_is_deleted(run_cli: RunCli, fake: FakeApi) -> None:
    assert run_cli("release", "delete", "bsp", "1", "--yes").stdout == "Удалён релиз 3.1.12 б/н (#1) источника bsp.\n"
    assert [(request.method, request.path) for request in fake.requests] == [("DELETE", "/v1/releases/bsp/1")]
    assert json.loads(run_cli("release", "delete", "bsp", "1", "--yes", "--json").stdout) == OLD
    assert "is deleted." in run_cli("release", "delete", "bsp", "1", "--yes", ONEC_RAG_LANG="en").stdout


def test_a_source_is_deleted(run_cli: RunCli, fake: FakeApi) -> None:
    assert run_cli("sources", "delete", "bsp", "--yes").stdout == "Удалено: источник bsp, релизов 2, файлов 3.\n"
    assert [(request.method, request.path) for request in fake.requests] == [("DELETE", "/v1/sources/bsp")]
    shown = json.loads(run_cli("sources", "delete", "bsp", "--yes", "--json").stdout)
    assert shown == {"source": "bsp", "releases": 2, "objects": 3}


@pytest.mark.parametrize("command", [["release", "delete", "bsp", "1"], ["sources", "delete", "bsp"]])
def test_nothing_is_deleted_where_nobody_can_confirm(run_cli: RunCli, fake: FakeApi, command: list[str]) -> None:
    ended = run_cli(*command)
    assert ended.returncode == ExitCode.USAGE
    assert "--yes" in ended.stderr
    assert fake.requests == []


def test_what_the_service_refuses_is_exit_code_1_with_its_reason(run_cli: RunCli, fake: FakeApi) -> None:
    fake.failures.append(problem(400, "release 2 of bsp is the current one; activate another first"))
    ended = run_cli("release", "delete", "bsp", "2", "--yes")
    assert ended.returncode == ExitCode.FAILED
    assert "activate another first" in ended.stderr


@pytest.mark.parametrize(
    "command",
    [["releases"], ["release"], ["release", "activate"], ["release", "delete"], ["sources", "delete"], ["sources"]],
    ids=" ".join,
)
def test_help_documents_the_exit_codes(run_cli: RunCli, command: list[str]) -> None:
    russian, english = run_cli(*command, "--help"), run_cli(*command, "--help", ONEC_RAG_LANG="en")
    assert "Коды завершения:\n    0  выполнено" in russian.stdout
    assert "Exit codes:\n    0  done" in english.stdout


@pytest.mark.parametrize(
    "arguments", [["releases"], ["release"], ["release", "activate", "bsp"], ["release", "delete"], ["sources", "drop"]]
)
def test_wrong_usage_is_exit_code_2(run_cli: RunCli, fake: FakeApi, arguments: list[str]) -> None:
    assert run_cli(*arguments).returncode == ExitCode.USAGE
    assert fake.requests == []


def test_a_time_is_passed_on_by_every_command_that_reads_a_release(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits, fake.sources = [make_hit()], [make_source()]
    for command in (["search", "скидка"], ["ask", "скидка?"]):
        assert run_cli(*command, "--as-of", "2026-03-01").returncode == ExitCode.OK
        assert fake.requests[-1].json["as_of"] == "2026-03-01"
    assert run_cli("sources", "--as-of", "2026-03-01T12:00+03:00").returncode == ExitCode.OK
    assert parse_qs(urlsplit(fake.requests[-1].path).query) == {"as_of": ["2026-03-01T12:00+03:00"]}
    assert run_cli("sources", "--release", "3.1").returncode == ExitCode.OK
    assert parse_qs(urlsplit(fake.requests[-1].path).query) == {"release": ["3.1"]}


def test_a_hit_is_read_as_of_a_time(fake: FakeApi) -> None:
    fake.hits = [make_hit()]
    with OnecRag(fake.url, KEY) as api:
        api.hit("1-7", as_of="2026-03-01")
    assert parse_qs(urlsplit(fake.requests[0].path).query) == {"neighbours": ["1"], "as_of": ["2026-03-01"]}


@pytest.mark.parametrize("time", ["2026", "вчера", "2026-02-30", "01.03.2026"])
@pytest.mark.parametrize("command", [["search", "x"], ["ask", "x"], ["sources"]], ids=" ".join)
def test_what_is_no_time_is_wrong_usage(run_cli: RunCli, fake: FakeApi, command: list[str], time: str) -> None:
    ended = run_cli(*command, "--as-of", time)
    assert ended.returncode == ExitCode.USAGE
    assert time in ended.stderr
    assert fake.requests == []
