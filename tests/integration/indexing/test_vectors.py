"""Vectors behind the text: filled, reused, and what happens when the endpoint does not do its part."""

from collections import Counter

import pytest

from fakes import EmbeddingServer, Fault, vector_of
from integration.configuration import PRICING, configuration, zipped
from integration.databases import Dsns
from integration.service import BUCKET, Service, embedder_of, service_over
from onec_rag.errors import ConfigurationError
from onec_rag.indexing import embed, plan
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.embed import FIRST_WAIT, LONGEST_WAIT, embed_message
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


def test_exported_procedures_come_first(embedding_service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 2)
    embedding_service.put("shop", FIRST)
    embedding_service.run(most=5)
    done = embedding_service.rows("SELECT symbol FROM chunk JOIN chunk_vector ON chunk_id = id ORDER BY id")
    assert [row["symbol"] for row in done] == ["ЦенаТовара", "ОкруглитьЦену"]


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
    Fault.SERVER_ERROR: "HTTP 500",
    Fault.HANG_UP: "Connection error",
}
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
    assert delay >= (7 if fault is Fault.TOO_MANY_WAIT else 1)
    assert delay <= max(7, FIRST_WAIT) + 1
    assert len(embedding_service.ask("цена товара", mode=Mode.LEXICAL).hits) > 1
    embedding_service.cloud.release_delayed()
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


def test_each_wait_is_longer_than_the_one_before_up_to_a_bound(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding.always = Fault.SERVER_ERROR
    embedding_service.load("shop", FIRST)
    waits = []
    for _ in range(12):
        waits.append(embedding_service.cloud.delayed[0][2])
        embedding_service.cloud.release_delayed()
        embedding_service.run()
    assert waits[-1] > LONGEST_WAIT / 2
    assert max(waits) <= LONGEST_WAIT
    assert all(FIRST_WAIT * 2**n / 2 <= wait <= FIRST_WAIT * 2**n + 1 for n, wait in enumerate(waits[:8]))


def test_what_was_embedded_before_a_fault_stays(embedding_service: Service, embedding: EmbeddingServer) -> None:
    # Several requests of 2,000 tokens each.
    pages = {f"{n}.md": f"# Страница {n}\n\n" + " ".join(f"слово{n}х{m}" for m in range(60)) for n in range(12)}
    embedding.script(None, Fault.SERVER_ERROR)
    embedding_service.load("shop", zipped(pages, ""))
    assert embedding.requests == 2
    assert 0 < missing(embedding_service) < 12
    embedding_service.cloud.release_delayed()
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
        with pytest.raises(ConfigurationError, match="ONEC_RAG_EMBEDDING_MODEL, _DIMENSIONS"):
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


def test_chunks_that_were_closed_meanwhile_are_not_embedded(
    embedding_service: Service, embedding: EmbeddingServer
) -> None:
    embedding_service.put("shop", FIRST)
    embedding_service.run(most=3)
    messages = list(embedding_service.cloud.queues["embed"])
    embedding_service.cloud.lose_messages()
    files = configuration()
    del files[MODULE]
    embedding_service.load("shop", zipped(files), label="second")
    before = Counter(embedding.texts)
    embedding_service.cloud.queues["embed"] += messages
    embedding_service.run()
    assert embedding.texts == before
