"""Vectors behind the text: filled, reused, and what happens when the endpoint does not do its part."""

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from fakes import Cloud, EmbeddingServer, Fault, vector_of
from integration.configuration import PRICING, configuration, zipped
from integration.databases import Dsns
from integration.service import BUCKET, Service, embedder_of, service_over
from onec_rag.embedding import PROBE
from onec_rag.errors import ConfigurationError, RetryableError
from onec_rag.indexing import embed, plan, rate
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.embed import SUSPICIOUS, embed_message
from onec_rag.indexing.rate import FIRST_WAIT, LONGEST_WAIT
from onec_rag.model.search import Mode
from onec_rag.store import vectors

pytestmark = pytest.mark.integration

FIRST = zipped(configuration())
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"


def problem(service: Service) -> str | None:
    told: str | None = service.value("SELECT vector_problem FROM source WHERE name = 'shop'")
    return told


def missing(service: Service) -> int:
    count = "SELECT count(*) FROM chunk WHERE removed_in IS NULL AND id NOT IN (SELECT chunk_id FROM chunk_vector)"
    return int(service.value(count))


def let_time_pass(service: Service) -> None:
    """As if every wait were over: that of the messages, and that which the database remembers of the endpoint."""
    service.rows("UPDATE embedding_pace SET free_at = '-infinity', not_before = '-infinity' RETURNING 1")
    service.cloud.release_delayed()


def test_every_chunk_gets_the_vector_of_its_breadcrumb_and_text(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding_service.load("shop", FIRST)
    rows = embedding_service.rows(
        "SELECT breadcrumb || E'\\n' || text AS text, vector::text FROM chunk JOIN chunk_vector ON chunk_id = id"
    )
    assert len(rows) == 15
    for row in rows:
        stored = [float(number) for number in row["vector"].strip("[]").split(",")]
        assert stored == pytest.approx(vector_of(row["text"], 8), abs=1e-3)
    assert embedding.texts == Counter({row["text"]: 1 for row in rows})
    assert embedding_service.ask("цена").coverage == 1.0
    assert problem(embedding_service) is None


def test_full_text_works_before_any_vector_is_there(embedding_service: Service) -> None:
    embedding_service.put("shop", FIRST)
    embedding_service.run(most=3)
    found = embedding_service.ask("цена товара")
    assert found.coverage == 0.0
    assert found.hits[0].fqn.startswith("ОбщийМодуль.Ценообразование")
    assert found.warnings == ("vectors cover 0% of the chunks; full text covers all",)
    embedding_service.run()
    assert missing(embedding_service) == 0


def test_exported_procedures_and_then_cards_of_objects_come_first(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding_service.load("shop", FIRST)
    rows = embedding_service.rows(
        "SELECT breadcrumb || E'\\n' || text AS text, kind, facets ->> 'export' AS export FROM chunk"
    )
    kinds = {row["text"]: "export" if row["export"] == "true" else row["kind"] for row in rows}
    order = [kinds[text] for text in embedding.texts]
    assert order[:8] == ["export"] * 2 + ["object"] * 6
    assert {"export", "object"}.isdisjoint(order[8:])


def test_an_equal_text_of_another_source_is_not_embedded_again(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding_service.load("shop", FIRST)
    asked = embedding.requests
    embedding_service.load("copy", FIRST)
    assert embedding.requests == asked
    assert missing(embedding_service) == 0
    assert embedding_service.value("SELECT count(DISTINCT embed_hash) FROM chunk_vector") == 15
    assert embedding_service.value("SELECT count(*) FROM chunk_vector") == 30


def test_a_next_release_embeds_only_what_changed(embedding_service: Service, embedding: EmbeddingServer) -> None:
    embedding_service.load("shop", FIRST)
    embedding.texts.clear()
    changed = PRICING.replace("Возврат Окр(Цена, 0)", "Возврат Окр(Цена, 2)")
    embedding_service.load("shop", zipped(configuration() | {MODULE: changed}), label="second")
    (text,) = embedding.texts
    assert "Окр(Цена, 2)" in text


def test_a_text_that_came_back_keeps_its_vector(embedding_service: Service, embedding: EmbeddingServer) -> None:
    embedding_service.load("shop", FIRST)
    files = configuration()
    del files[MODULE]
    embedding_service.load("shop", zipped(files), label="second")
    embedding.texts.clear()
    embedding_service.load("shop", FIRST, name="third.zip", label="third")
    assert not embedding.texts
    assert missing(embedding_service) == 0


def test_a_message_that_comes_twice_embeds_once(embedding_service: Service, embedding: EmbeddingServer) -> None:
    embedding_service.put("shop", FIRST)
    embedding_service.run(twice=True, seed=2)
    assert set(embedding.texts.values()) == {1}
    assert embedding_service.value("SELECT count(*) FROM chunk_vector") == 15


RETRYABLE = {
    Fault.TOO_MANY: "HTTP 429",
    Fault.TOO_MANY_WAIT: "HTTP 429",
    Fault.TOO_MANY_NOW: "HTTP 429",
    Fault.SERVER_ERROR: "HTTP 500",
    Fault.HANG_UP: "Connection error",
}
ASKED = {Fault.TOO_MANY_WAIT: 7, Fault.TOO_MANY_NOW: 1}
PERMANENT = {
    Fault.REFUSED: "HTTP 400",
    Fault.WRONG_SIZE: "a vector of 9 dimensions, the settings say 8",
    Fault.GARBAGE: "the answer is not understood",
    Fault.NOT_A_NUMBER: "not finite",
    Fault.NULLS: "the answer is not understood",
    Fault.ZEROS: "only zeros",
    Fault.FEWER: "vectors came for",
}


@pytest.mark.parametrize("fault", RETRYABLE, ids=lambda fault: fault.name)
def test_a_fault_that_may_pass_is_told_and_tried_again_later(
    embedding_service: Service, embedding: EmbeddingServer, fault: Fault
) -> None:
    embedding.script(fault)
    upload = embedding_service.load("shop", FIRST)
    assert upload["state"] == "ready"
    assert RETRYABLE[fault] in (problem(embedding_service) or "")
    ((queue, _, delay),) = embedding_service.cloud.delayed
    assert queue == "embed"
    if fault in ASKED:
        assert delay == ASKED[fault]
    else:
        assert 1 <= delay <= FIRST_WAIT
    assert len(embedding_service.ask("цена товара", mode=Mode.LEXICAL).hits) > 1
    let_time_pass(embedding_service)
    embedding_service.run()
    assert problem(embedding_service) is None
    assert missing(embedding_service) == 0


@pytest.mark.parametrize("fault", PERMANENT, ids=lambda fault: fault.name)
def test_an_endpoint_that_refuses_is_told_and_asked_again_by_resume_alone(
    embedding_service: Service, embedding: EmbeddingServer, fault: Fault
) -> None:
    embedding.always = fault
    upload = embedding_service.load("shop", FIRST)
    assert upload["state"] == "ready"
    assert PERMANENT[fault] in (problem(embedding_service) or "")
    assert embedding_service.cloud.delayed == []
    assert len(embedding_service.ask("цена товара", mode=Mode.LEXICAL).hits) > 1
    embedding.always = None
    assert missing(embedding_service) > 0
    assert resume(embedding_service.indexing, BUCKET)["sources"] == 1
    embedding_service.run()
    assert problem(embedding_service) is None
    assert missing(embedding_service) == 0


def test_waits_are_drawn_from_a_span_that_doubles_up_to_a_bound(
    embedding_service: Service, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate.chance, "uniform", lambda low, high: high)
    embedding.always = Fault.HANG_UP
    embedding_service.load("shop", FIRST)
    waits = []
    for _ in range(10):
        waits.append(embedding_service.cloud.delayed[0][2])
        let_time_pass(embedding_service)
        embedding_service.run()
    assert waits == [min(FIRST_WAIT * 2**n, LONGEST_WAIT) for n in range(10)]


def test_the_jitter_is_full() -> None:
    waits = [rate.backoff(4, random.Random(seed)) for seed in range(200)]
    assert 0 <= min(waits) < 2
    assert 30 < max(waits) <= FIRST_WAIT * 2**3


def test_after_a_failure_no_embedder_asks_before_the_wait_is_over(
    embedding_service: Service, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 5)
    embedding.script(Fault.TOO_MANY_WAIT)
    embedding_service.load("shop", FIRST)
    assert embedding.requests == 1, "the messages behind the one that failed found the endpoint held"
    assert [delay >= 7 for _, _, delay in embedding_service.cloud.delayed] == [True] * 3
    embedding_service.cloud.release_delayed()
    embedding_service.run()
    assert embedding.requests == 1, "whoever comes too early is sent away again"
    let_time_pass(embedding_service)
    embedding_service.run()
    assert missing(embedding_service) == 0
    assert set(embedding.texts.values()) == {1}


def test_one_refused_text_holds_no_other_back_and_is_not_sent_again(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding.refused["Функция ОкруглитьЦену"] = 400
    embedding_service.load("shop", FIRST)
    assert missing(embedding_service) == 1
    told = problem(embedding_service) or ""
    assert told.startswith("texts that the embedding endpoint refuses: 1, such as ОбщийМодуль.Ценообразование.Округл")
    assert told.endswith("the text is too long")
    asked = embedding.requests
    assert asked < 12, "halves, not one by one"
    resume(embedding_service.indexing, BUCKET)
    embedding_service.load("copy", FIRST)
    assert embedding.requests == asked
    assert embedding_service.cloud.delayed == []
    assert {count for text, count in embedding.texts.items() if text != PROBE} == {1}


def test_a_text_that_makes_the_server_fail_is_found_in_the_end(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding.refused["Функция ОкруглитьЦену"] = 500
    embedding_service.load("shop", FIRST)
    for _ in range(SUSPICIOUS):
        assert missing(embedding_service) == 15
        let_time_pass(embedding_service)
        embedding_service.run()
    assert missing(embedding_service) == 1
    assert embedding_service.cloud.delayed == []
    assert "refuses: 1, such as" in (problem(embedding_service) or "")


def test_a_request_that_is_too_large_is_sent_in_parts(database: Dsns, embedding: EmbeddingServer) -> None:
    embedding.most_texts = 4
    with service_over(database, embedder_of(embedding)) as service:
        service.load("shop", FIRST)
        assert missing(service) == 0
        assert problem(service) is None


def test_equal_texts_of_one_batch_are_sent_once(embedding_service: Service, embedding: EmbeddingServer) -> None:
    page = "# Склад\n\nЦена товара на складе."
    embedding_service.load("docs", zipped({"a/склад.md": page, "b/склад.md": page}, ""))
    assert missing(embedding_service) == 0
    assert list(embedding.texts.values()) == [1]
    assert embedding_service.value("SELECT count(*) FROM chunk_vector") == 2


def test_two_embedders_never_send_the_same_text(database: Dsns, embedding: EmbeddingServer) -> None:
    cloud = Cloud()
    with (
        service_over(database, embedder_of(embedding), cloud) as first,
        service_over(database, embedder_of(embedding), cloud) as second,
        ThreadPoolExecutor(1) as pool,
    ):
        for name in ("shop", "copy"):
            first.put(name, FIRST)
        while not cloud.queues["embed"] or cloud.queues["plan"] or cloud.queues["index"]:
            first.run(most=1)
        while any('"chunks"' not in body for body in cloud.queues["embed"]):
            first.run(most=1)
        (ours,), (theirs,) = cloud.queues["embed"][:1], cloud.queues["embed"][1:]
        cloud.queues["embed"].clear()
        embedding.gate.clear()
        working = pool.submit(embed_message, first.indexing, json.loads(ours))
        assert embedding.arrived.wait(30)
        embed_message(second.indexing, json.loads(theirs))
        assert embedding.requests == 1, "its texts are in work elsewhere"
        assert [queue for queue, _, _ in cloud.delayed] == ["embed"]
        embedding.gate.set()
        working.result(30)
        let_time_pass(second)
        second.run()
        assert missing(second) == 0
        assert embedding.requests == 1
        assert set(embedding.texts.values()) == {1}


def test_a_connection_lost_while_the_endpoint_works_costs_that_batch_alone(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    pages = {f"{n}.md": f"# Страница {n}\n\n" + " ".join(f"слово{n}х{m}" for m in range(60)) for n in range(12)}
    embedding_service.put("shop", zipped(pages, ""))
    while not any('"chunks"' in body for body in embedding_service.cloud.queues["embed"]):
        embedding_service.run(most=1)
    (message,) = embedding_service.cloud.queues["embed"]
    embedding.gate.clear()
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(embed_message, embedding_service.indexing, json.loads(message))
        assert embedding.arrived.wait(30)
        embedding_service.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'indexer'")
        embedding.gate.set()
        with pytest.raises(RetryableError):
            working.result(30)
    in_flight = Counter(embedding.texts)
    assert 0 < len(in_flight) < 12
    assert missing(embedding_service) == 12
    embedding_service.run()
    assert missing(embedding_service) == 0
    assert {text for text, count in embedding.texts.items() if count > 1} == set(in_flight)


def test_what_was_embedded_before_a_fault_stays(embedding_service: Service, embedding: EmbeddingServer) -> None:
    # Several requests of 2,000 tokens each.
    pages = {f"{n}.md": f"# Страница {n}\n\n" + " ".join(f"слово{n}х{m}" for m in range(60)) for n in range(12)}
    embedding.script(None, Fault.SERVER_ERROR)
    embedding_service.load("shop", zipped(pages, ""))
    assert embedding.requests == 2
    assert 0 < missing(embedding_service) < 12
    let_time_pass(embedding_service)
    embedding_service.run()
    assert missing(embedding_service) == 0
    assert set(embedding.texts.values()) == {1}


def test_a_dead_endpoint_leaves_full_text(database: Dsns) -> None:
    with service_over(database, embedder_of("http://127.0.0.1:1/v1")) as service:
        assert service.load("shop", FIRST)["state"] == "ready"
        assert "embedding endpoint: " in (problem(service) or "")
        assert len(service.cloud.delayed) == 1
        found = service.ask("цена товара")
        assert found.hits
        assert found.mode is Mode.LEXICAL
        assert found.warnings[0].startswith("answered from full text alone: embedding endpoint: ")


def test_without_an_endpoint_nothing_is_queued(service: Service) -> None:
    service.load("shop", FIRST)
    assert service.cloud.queues["embed"] == []
    assert resume(service.indexing, BUCKET) == {"uploads": 0, "sources": 1}
    assert service.cloud.queues["embed"] == []
    embed_message(service.indexing, {"source": 1, "shard": 0, "chunks": [1]})
    assert "ONEC_RAG_EMBEDDING_BASE_URL" in (problem(service) or "")


@pytest.mark.parametrize("changed", [{"model": "another"}, {"dimensions": 9}], ids=["model", "size"])
def test_another_model_in_the_settings_is_refused_with_what_mends_it(
    database: Dsns, embedding: EmbeddingServer, changed: dict[str, object]
) -> None:
    with service_over(database, embedder_of(embedding)) as service:
        service.load("shop", FIRST)
    embedding.dimensions = int(str(changed.get("dimensions", 8)))
    with service_over(database, embedder_of(embedding, **changed)) as service:  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError, match=r"_MODEL, _DIMENSIONS.*onec-rag reembed --model"):
            resume(service.indexing, BUCKET)
        upload = service.load("shop", zipped(configuration("2.0")))
        assert upload["state"] == "ready", "full text works all the same"
        assert "but the stored vectors are of" in (problem(service) or "")
        found = service.ask("цена товара")
        assert found.hits
        assert found.mode is Mode.LEXICAL
        assert "stored vectors are of another model, hash" in found.warnings[0]


def test_another_model_takes_over_while_there_is_no_vector_yet(database: Dsns, embedding: EmbeddingServer) -> None:
    with service_over(database, embedder_of(embedding)) as service:
        resume(service.indexing, BUCKET)
    with service_over(database, embedder_of(embedding, model="another")) as service:
        service.load("shop", FIRST)
        assert problem(service) is None
        assert missing(service) == 0


@pytest.mark.parametrize("large", [True, False], ids=["a shard of its own", "the shared shard"])
def test_the_index_is_built_when_all_vectors_are_there(
    embedding_service: Service, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    monkeypatch.setattr(vectors, "LEAST_ROWS_FOR_INDEX", 10)
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 10)
    if large:
        monkeypatch.setattr(plan, "LARGE", 0)
    embedding_service.put("shop", FIRST)
    embedding_service.run(most=5)
    found = "SELECT indexname FROM pg_indexes WHERE indexname LIKE '%%hnsw%%'"
    assert embedding_service.rows(found) == []
    embedding_service.run()
    assert embedding_service.rows(found) == [{"indexname": f"chunk_vector_{int(large)}_hnsw_1"}]
    text = embedding_service.value("SELECT breadcrumb || E'\\n' || text FROM chunk WHERE fqn = %s", PRICE)
    assert embedding_service.ask(text, mode=Mode.VECTOR).hits[0].fqn == PRICE


def test_vectors_of_a_failed_release_are_taken_back(embedding_service: Service) -> None:
    embedding_service.load("shop", FIRST)
    assert embedding_service.load("shop", b"no zip")["state"] == "failed"
    assert embedding_service.value("SELECT count(*) FROM chunk_vector") == 15


def test_what_the_newest_release_does_not_show_comes_last(
    embedding_service: Service, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 1)
    embedding_service.put("shop", FIRST)
    embedding_service.run(most=3)
    messages = list(embedding_service.cloud.queues["embed"])
    embedding_service.cloud.lose_messages()
    files = configuration()
    del files[MODULE]
    embedding_service.cloud.queues["embed"] += messages  # those of the first release come late
    embedding_service.load("shop", zipped(files), label="second")
    closed = embedding_service.rows("SELECT breadcrumb || E'\\n' || text AS text FROM chunk WHERE removed_in > 0")
    asked = list(embedding.texts)
    assert {row["text"] for row in closed} == set(asked[-len(closed) :])
    assert embedding_service.ask("цена", release="1.0.1").coverage == 1.0, "the release before is covered too"
    assert set(embedding.texts.values()) == {1}
