import json

from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_source


def test_sources_are_a_table(run_cli: RunCli, fake: FakeApi) -> None:
    fake.sources = [make_source(coverage=0.9999, vector_problem="429 too many requests")]
    shown = run_cli("sources").stdout
    for cell in (
        "bsp",
        "3.1.12.238",
        "38\N{NO-BREAK SPACE}310",
        "2\N{NO-BREAK SPACE}724",
        "99.9\N{NO-BREAK SPACE}%",
    ):
        assert cell in shown
    assert "Векторы bsp не заполняются: 429 too many requests" in shown


def test_sources_as_json(run_cli: RunCli, fake: FakeApi) -> None:
    fake.sources = [make_source()]
    assert json.loads(run_cli("sources", "--json").stdout) == fake.sources


def test_an_empty_service_says_how_to_begin(run_cli: RunCli) -> None:
    assert "onec-rag upload" in run_cli("sources").stdout
    assert json.loads(run_cli("sources", "--json").stdout) == []
