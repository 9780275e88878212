import json
from pathlib import Path

from unit.client.conftest import RunCli
from unit.client.fake_api import FakeApi, make_embedding, make_source, make_vectors

HELD = "the vectors of release 3.1 wait for a confirmation"
OTHER = ("reembed", "--model", "other", "--dimensions", "6", "--base-url", "https://models.example/v1")


def lines(output: str) -> list[str]:
    return [" ".join(line.split()) for line in output.splitlines()]


def test_vectors_are_shown_with_their_cost_and_time(run_cli: RunCli, fake: FakeApi) -> None:
    shown = lines(run_cli("vectors", "show", "bsp").stdout)
    assert "ожидают 70 000" in shown
    assert "предстоит текстов: 70 000, токенов: до 21 000 000, цена: до 0.42" in shown
    assert "примерно 0:20:00" in shown
    fake.vectors["left"] = fake.vectors["left"] | {"price": None}
    assert "предстоит текстов: 70 000, токенов: до 21 000 000" in lines(run_cli("vectors", "show", "bsp").stdout)
    assert json.loads(run_cli("vectors", "show", "bsp", "--json").stdout)["waiting"] == 70_000


def test_held_vectors_begin_when_the_cost_is_confirmed(run_cli: RunCli, fake: FakeApi) -> None:
    fake.vectors = make_vectors(held=True, problem=HELD)
    shown = run_cli("vectors", "release", "bsp").stdout
    assert HELD in shown
    assert "onec-rag vectors release bsp --confirm" in shown
    assert fake.sent("POST", "/v1/sources/bsp/vectors/release") == []
    assert run_cli("vectors", "release", "bsp", "--confirm").stdout.startswith("Подтверждено")
    assert len(fake.sent("POST", "/v1/sources/bsp/vectors/release")) == 1
    assert "нет отложенных" in run_cli("vectors", "release", "bsp").stdout
    assert run_cli("vectors", "retry", "bsp").returncode == 0


def test_an_upload_that_waits_for_vectors_tells_their_cost(run_cli: RunCli, fake: FakeApi, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Склад", encoding="utf-8")
    fake.upload_steps.append({"state": "ready"})
    fake.sources = [make_source(coverage=0.1)]
    fake.vector_steps.extend([{}, {"coverage": 1.0}])
    ended = run_cli("upload", page, "--source", "bsp", "--wait", "vectors")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("Предстоит построить векторы — текстов:") == 1
    fake.vectors = make_vectors(held=True, problem=HELD)
    fake.sources = [make_source(coverage=0.1)]
    ended = run_cli("upload", page, "--source", "bsp", "--wait", "vectors")
    assert ended.returncode == 1
    assert HELD in ended.stderr


def test_another_model_is_begun_when_its_cost_is_agreed_to(run_cli: RunCli, fake: FakeApi) -> None:
    assert run_cli(*OTHER).returncode == 2, "nobody is there to be asked"
    assert fake.sent("POST", "/v1/embedding/next") == []
    assert run_cli(*OTHER, "--yes", "--query-prefix", "query: ").stdout.startswith("Начато")
    (request,) = fake.sent("POST", "/v1/embedding/next")
    assert request.json == {
        "model": "other", "dimensions": 6, "base_url": "https://models.example/v1", "query_prefix": "query: ",
        "passage_prefix": "",
    }  # fmt: skip


def test_models_are_shown_and_one_is_given_up(run_cli: RunCli, fake: FakeApi) -> None:
    filling = fake.embedding["active"] | {"model": "other", "vectors": 15_000, "seconds": 61.0, "problem": "HTTP 500"}
    fake.embedding = make_embedding(next=filling, removing=True)
    shown = lines(run_cli("reembed", "--status").stdout)
    assert "модель multilingual-e5-small (384), используется" in shown
    assert "векторы 15 000 / 75 000 · 20 %" in shown
    assert "примерно 0:01:01" in shown
    assert "проблема HTTP 500" in shown
    assert "Векторы заменённой модели удаляются." in shown
    assert run_cli("reembed", "--abandon").stdout.startswith("Отменено")
    assert len(fake.sent("DELETE", "/v1/embedding/next")) == 1
    fake.embedding = make_embedding(active=None)
    assert "Модели ещё нет" in run_cli("reembed", "--status").stdout
    assert json.loads(run_cli("reembed", "--status", "--json").stdout)["active"] is None


def test_a_model_needs_its_size_and_one_thing_is_done_at_a_time(run_cli: RunCli) -> None:
    for wrong in (("--model", "x"), ("--dimensions", "6"), (), ("--status", "--abandon"), (*OTHER[1:], "--status")):
        assert run_cli("reembed", *wrong).returncode == 2
