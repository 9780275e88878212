"""What embedding may cost and how fast it may go."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from fakes import EmbeddingServer, Fault
from integration.configuration import PRICING, configuration, zipped
from integration.databases import Dsns
from integration.service import BUCKET, Service, embedder_of, service_over
from onec_rag.embedding import Spending
from onec_rag.indexing import embed
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.embed import fill_message
from onec_rag.store import spending
from onec_rag.store.database import ALL_SOURCES
from onec_rag.store.vectors import read_active_space

pytestmark = pytest.mark.integration

FIRST = zipped(configuration())
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"


@contextmanager
def spending_service(dsns: Dsns, embedding: EmbeddingServer, **terms: float) -> Iterator[Service]:
    embedder = replace(embedder_of(embedding), spending=Spending(**terms))  # type: ignore[arg-type]
    with service_over(dsns, embedder) as service:
        yield service


def problem(service: Service) -> str:
    return service.value("SELECT vector_problem FROM source WHERE name = 'shop'") or ""


def vectors(service: Service) -> int:
    return int(service.value("SELECT count(*) FROM chunk_vector"))


def confirm(service: Service) -> bool:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return spending.release_vectors(connection, service.value("SELECT id FROM source WHERE name = 'shop'"))


def progress(service: Service) -> list[dict[str, object]]:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return spending.vector_progress(connection, read_active_space(connection))


def test_vectors_above_the_budget_wait_while_full_text_works(database: Dsns, embedding: EmbeddingServer) -> None:
    with spending_service(database, embedding, budget=100, price=2_000) as service:
        assert service.load("shop", FIRST)["state"] == "ready"
        resume(service.indexing, BUCKET)
        service.run()
        assert embedding.requests == 0
        ((plan),) = service.rows("SELECT texts, tokens, price, held FROM vector_plan")
        assert plan["texts"] == 15
        assert plan["tokens"] == service.value("SELECT sum(tokens) FROM chunk")
        assert plan["price"] == pytest.approx(plan["tokens"] * 2_000 / 1_000_000)
        assert f"15 texts, up to {plan['tokens']} tokens, price {plan['price']:.2f}" in problem(service)
        assert "onec-rag vectors release shop --confirm" in problem(service)
        found = service.ask("цена товара")
        assert found.hits
        assert any("wait for a confirmation" in warning for warning in found.warnings)


def test_confirmed_vectors_begin_and_the_next_release_asks_for_itself(
    database: Dsns, embedding: EmbeddingServer
) -> None:
    with spending_service(database, embedding, budget=100) as service:
        service.load("shop", FIRST)
        assert confirm(service)
        assert problem(service) == ""
        service.indexing.embed_queue.send([fill_message(1, 0)])
        service.run()
        assert vectors(service) == 15
        assert not confirm(service)
        changed = PRICING.replace("Возврат Окр(Цена, 0)", "Возврат Окр(Цена, 2)")
        service.load("shop", zipped(configuration() | {MODULE: changed}), label="second")
        assert vectors(service) == 16, "a small release needs no confirmation"
        big = PRICING + "".join(f"\nФункция Ставка{n}() Экспорт\n\tВозврат {n};\nКонецФункции\n" for n in range(9))
        service.load("shop", zipped(configuration() | {MODULE: big}), label="third")
        assert vectors(service) == 16
        assert "release third" in problem(service)


def test_a_larger_budget_lets_held_vectors_begin(database: Dsns, embedding: EmbeddingServer) -> None:
    with spending_service(database, embedding, budget=100) as service:
        service.load("shop", FIRST)
    with spending_service(database, embedding, budget=100_000) as service:
        resume(service.indexing, BUCKET)
        service.run()
        assert vectors(service) == 15
        assert problem(service) == ""


def test_what_is_in_work_does_not_hide_that_a_newer_release_is_held(
    database: Dsns, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 2)
    with spending_service(database, embedding, budget=1_000) as service:
        service.put("shop", FIRST)
        while not any('"chunks"' in body for body in service.cloud.queues["embed"]):
            service.run(most=1)
        late = list(service.cloud.queues["embed"])
        service.cloud.lose_messages()
        big = PRICING + "".join(f"\nФункция Ставка{n}() Экспорт\n\tВозврат {n};\nКонецФункции\n" for n in range(40))
        service.load("shop", zipped(configuration() | {MODULE: big}), label="second")
        assert embedding.requests == 0
        service.cloud.queues["embed"] += late
        service.run()
        assert embedding.requests > 0
        assert "release second" in problem(service)


def test_known_texts_cost_nothing(database: Dsns, embedding: EmbeddingServer) -> None:
    with spending_service(database, embedding, budget=2_000) as service:
        service.load("shop", FIRST)
        service.load("copy", FIRST)
        plans = service.rows("SELECT texts, tokens FROM vector_plan ORDER BY source_id")
        assert plans[0]["texts"] == 15
        assert plans[1] == {"texts": 0, "tokens": 0}


@pytest.mark.parametrize("terms", [{"requests_per_minute": 6}, {"tokens_per_minute": 600}], ids=["requests", "tokens"])
def test_every_request_has_its_turn_at_the_allowed_rate(
    database: Dsns, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, terms: dict[str, float]
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 4)
    with spending_service(database, embedding, **terms) as service:
        service.load("shop", FIRST)
        assert embedding.requests == 1
        delays = [delay for _, _, delay in service.cloud.delayed]
        assert len(delays) == 3
        assert delays == sorted(set(delays)), "one after the other, and none is tried in between"
        if "requests_per_minute" in terms:
            assert delays == [10, 20, 30]
        assert all(json.loads(body)["booked"] for _, body, _ in service.cloud.delayed)
        service.cloud.release_delayed()
        service.run()
        assert vectors(service) == 15
        assert set(embedding.texts.values()) == {1}


def test_turns_are_not_booked_further_than_a_message_can_wait(
    database: Dsns, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 1)
    with spending_service(database, embedding, requests_per_minute=0.2) as service:
        service.load("shop", FIRST)
        waiting = [(json.loads(body)["booked"], delay) for _, body, delay in service.cloud.delayed]
        assert [booked for booked, _ in waiting].count(True) == 2
        assert all(300 <= delay <= 900 for _, delay in waiting)


def test_a_booked_turn_is_not_taken_while_the_endpoint_is_held(
    database: Dsns, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 8)
    with spending_service(database, embedding, requests_per_minute=6) as service:
        embedding.script(Fault.TOO_MANY_WAIT)
        service.load("shop", FIRST)
        service.cloud.release_delayed()
        service.run()
        assert embedding.requests == 1
        assert all(delay >= 6 for _, _, delay in service.cloud.delayed)


def test_progress_tells_what_waits_and_how_long_it_will_take(database: Dsns, embedding: EmbeddingServer) -> None:
    with spending_service(database, embedding, price=1_000) as service:
        service.load("shop", FIRST)
        service.superuser.execute("DELETE FROM chunk_vector WHERE chunk_id IN (SELECT id FROM chunk LIMIT 5)")
        (row,) = progress(service)
        assert (row["source"], row["chunks"], row["vectors"], row["waiting"], row["refused"]) == ("shop", 15, 10, 5, 0)
        assert row["per_minute"] == pytest.approx(15)
        assert row["seconds"] == pytest.approx(20)
        assert row["planned_texts"] == 15
        assert not row["held"]
    with service.search.database.transaction(["another"]) as connection:
        assert spending.vector_progress(connection, 1) == [], "a wall is between callers"
