import pytest

from onec_rag_client.cli.exit_codes import EXPLAINED, ExitCode
from onec_rag_client.errors import ApiError, ClientError
from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_hit, make_source, problem


def all_kinds(kind: type[ClientError]) -> set[type[ClientError]]:
    return set(kind.__subclasses__()).union(*(all_kinds(sub) for sub in kind.__subclasses__()))


def test_every_error_of_the_client_has_its_exit_code() -> None:
    assert set(EXPLAINED) == all_kinds(ClientError) - {ApiError}


@pytest.mark.parametrize("command", [[], ["upload"], ["search"], ["ask"], ["sources"], ["status"]])
def test_help_documents_the_exit_codes_in_both_languages(run_cli: RunCli, command: list[str]) -> None:
    russian, english = run_cli(*command, "--help"), run_cli(*command, "--help", ONEC_RAG_LANG="en")
    assert russian.returncode == english.returncode == ExitCode.OK
    assert "Коды завершения:\n    0  выполнено" in russian.stdout
    assert "Exit codes:\n    0  done" in english.stdout
    for code in ExitCode:
        assert f"\n    {code.value}  " in english.stdout


def test_the_version_is_told(run_cli: RunCli) -> None:
    assert run_cli("--version").stdout.count(".") == 2


@pytest.mark.parametrize(
    ("status", "code"), [(401, 3), (403, 3), (404, 4), (502, 5), (504, 5), (400, 1), (422, 1), (500, 1)]
)
def test_each_failure_has_its_exit_code_and_its_reason_on_stderr(
    run_cli: RunCli, fake: FakeApi, status: int, code: int
) -> None:
    fake.failures.append(problem(status, "причина «х»"))
    ended = run_cli("sources", "--json")
    assert ended.returncode == code
    assert ended.stdout == ""
    assert "причина «х»" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_service_that_is_away_for_long_is_exit_code_5(run_cli: RunCli, fake: FakeApi) -> None:
    fake.failures.append(problem(503, "the database is away", Retry_After="600"))
    assert run_cli("status").returncode == ExitCode.UNAVAILABLE


def test_an_address_where_nobody_listens_is_exit_code_5(run_cli: RunCli) -> None:
    ended = run_cli("sources", ONEC_RAG_URL="http://127.0.0.1:1")
    assert ended.returncode == ExitCode.UNAVAILABLE
    assert "Сервис не отвечает" in ended.stderr
    assert "onec-rag up" in ended.stderr


def test_no_key_is_exit_code_3_and_says_where_to_put_it(run_cli: RunCli) -> None:
    ended = run_cli("sources", ONEC_RAG_API_KEY="")
    assert ended.returncode == ExitCode.UNAUTHORIZED
    assert "ONEC_RAG_API_KEY" in ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [["find"], ["search"], ["search", "x", "-n", "0"], ["search", "x", "--kind", "page2"], ["ask"],
     ["ask", "x", "-n", "31"], ["upload", "nowhere"], ["upload", "nowhere", "--source", "bsp"],
     ["status", "not-an-id"]],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(run_cli: RunCli, fake: FakeApi, arguments: list[str]) -> None:
    assert run_cli(*arguments).returncode == ExitCode.USAGE
    assert fake.requests == []


def test_a_broken_client_file_is_named(run_cli: RunCli) -> None:
    ended = run_cli("sources", ONEC_RAG_API_KEY="", ONEC_RAG_DATA=__file__)
    assert ended.returncode == ExitCode.FAILED
    assert "client.json" in ended.stderr


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONIOENCODING": "cp1251:strict"}])
def test_cyrillic_goes_in_and_out_in_any_locale(run_cli: RunCli, fake: FakeApi, locale: dict[str, str]) -> None:
    fake.hits = [make_hit(breadcrumb="Скидки → ∑ 😀", text="Возврат «ё»;")]
    ended = run_cli("search", "расчёт скидки", "--under", "Справочник.Товары", **locale)
    assert ended.returncode == ExitCode.OK, ended.stderr
    assert "ОбщийМодуль.Скидки.РассчитатьСкидку" in ended.stdout
    assert "Скидки → ∑ 😀" in ended.stdout
    sent = fake.sent("POST", "/v1/search")[0].json
    assert (sent["query"], sent["fqn_prefix"]) == ("расчёт скидки", "Справочник.Товары")


def test_nothing_is_coloured_in_a_pipe(run_cli: RunCli, fake: FakeApi) -> None:
    fake.hits, fake.sources = [make_hit()], [make_source()]
    for arguments in (["search", "x", "--explain"], ["sources"], ["status"]):
        ended = run_cli(*arguments, TERM="xterm-256color")
        assert "\x1b" not in ended.stdout + ended.stderr
