"""Another model is filled beside the active one and takes its place, while everybody searches."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from fakes import EmbeddingServer, Fault, vector_of
from integration.configuration import PRICING, configuration, zipped
from integration.databases import Dsns
from integration.service import BUCKET, Service, embedder_of, service_over
from onec_rag.embedding import Spending
from onec_rag.errors import ConfigurationError
from onec_rag.indexing import embed
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.embed import fill_message, require_space
from onec_rag.model.search import Mode
from onec_rag.retrieval.active_space import ActiveSpace
from onec_rag.store import spaces, vectors
from onec_rag.store.database import ALL_SOURCES
from onec_rag.store.spaces import read_space

pytestmark = pytest.mark.integration

FIRST = zipped(configuration())
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
OLD = {"model": "hash", "dimensions": 8, "prefix": ""}


@pytest.fixture
def other() -> Iterator[EmbeddingServer]:
    """The endpoint of another model, of another size."""
    with EmbeddingServer(dimensions=6) as server:
        yield server


@contextmanager
def loaded(dsns: Dsns, embedding: EmbeddingServer, **changed: object) -> Iterator[Service]:
    """Two sources with their vectors; a search looks for the active space each time."""
    embedder = replace(embedder_of(embedding), next_key="next", **changed)  # type: ignore[arg-type]
    with service_over(dsns, embedder) as service:
        service.search.active = ActiveSpace(clock=iter(range(0, 10**6, 60)).__next__)
        for name in ("shop", "copy"):
            service.load(name, FIRST)
        yield service


def begin(service: Service, server: EmbeddingServer, model: str = "other") -> bool:
    """As the API does it."""
    with service.search.database.transaction(ALL_SOURCES) as connection:
        begun = spaces.begin_filling(
            connection, model=model, dimensions=6, prefix="passage: ", query_prefix="query: ", base_url=server.url,
            settings=OLD,
        )  # fmt: skip
    service.indexing.embed_queue.send([fill_message(1, 0), fill_message(2, 0)])
    return begun


def abandon(service: Service) -> bool:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return spaces.abandon_filling(connection)


def active_model(service: Service) -> str:
    return str(service.value("SELECT model FROM space WHERE active"))


def end_grace(service: Service) -> None:
    service.rows("UPDATE space SET retired_at = '-infinity' WHERE retired_at IS NOT NULL RETURNING 1")
    service.rows("UPDATE embedding_pace SET free_at = '-infinity', not_before = '-infinity' RETURNING 1")
    service.cloud.release_delayed()


def assert_found_by_vector(service: Service) -> None:
    result = service.ask("Округляет цену до рублей.", mode=Mode.VECTOR)
    assert result.mode is Mode.VECTOR
    assert (result.coverage, result.warnings) == (1.0, ())


def test_another_model_takes_over_and_the_old_vectors_go(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding) as service:
        assert begin(service, other)
        service.run()
        assert active_model(service) == "other"
        assert_found_by_vector(service)
        assert service.value("SELECT count(*) FROM chunk_vector") == 60, "the old ones are there for late readers"
        service.run()
        end_grace(service)
        service.run()
        assert service.rows("SELECT DISTINCT model FROM space") == [{"model": "other"}]
        rows = service.rows("SELECT breadcrumb, text, vector::text FROM chunk JOIN chunk_vector ON chunk_id = id")
        assert len(rows) == 30
        for row in rows:
            expected = vector_of(f"passage: {row['breadcrumb']}\n{row['text']}", 6)
            assert json.loads(row["vector"]) == pytest.approx(expected, abs=1e-3)
        assert set(other.texts.values()) == {1}, "equal texts of two sources and the questions"
        assert other.keys == {"Bearer next"}, "the settings' own key goes to the settings' own address alone"
        assert embedding.keys == {"Bearer key"}
        require_space(service.indexing)


def test_search_stays_whole_at_every_step(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 3)
    monkeypatch.setattr(spaces, "REMOVED_AT_ONCE", 7)
    with loaded(database, embedding) as service:
        begin(service, other)
        models, remembering = set(), ActiveSpace()
        assert remembering.read(service.search.database, ALL_SOURCES)
        steps = 0
        while service.run(most=1):
            assert_found_by_vector(service)
            models.add(active_model(service))
            steps += 1
        assert models == {"hash", "other"}
        assert steps > 5
        service.search.active = remembering
        assert_found_by_vector(service)  # embedded by the model before, from its vectors
        service.search.active = ActiveSpace()
        end_grace(service)
        while service.run(most=1):
            assert_found_by_vector(service)
        assert service.value("SELECT count(*) FROM chunk_vector") == 30


def test_a_release_that_comes_meanwhile_is_in_both_spaces(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 4)
    with loaded(database, embedding) as service:
        begin(service, other)
        service.run(most=3)
        changed = PRICING.replace("Возврат Окр(Цена, 0)", "Возврат Окр(Цена, 2)")
        service.load("shop", zipped(configuration() | {MODULE: changed}), label="second")
        assert active_model(service) == "other"
        assert_found_by_vector(service)
        assert service.ask("цена", release="1.0.1").coverage == 1.0, "earlier releases too"
        assert {count for text, count in other.texts.items() if text.startswith("passage")} == {1}


def test_a_dead_second_endpoint_harms_nobody_and_the_reembedding_goes_on(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding) as service:
        other.always = Fault.SERVER_ERROR
        begin(service, other)
        service.run()
        assert active_model(service) == "hash"
        assert "HTTP 500" in service.value("SELECT problem FROM space WHERE filling")
        assert service.value("SELECT count(vector_problem) FROM source") == 0
        assert_found_by_vector(service)
        service.cloud.lose_messages()  # and everything is restarted
        other.always = None
        end_grace(service)
        resume(service.indexing, BUCKET)
        service.run()
        assert active_model(service) == "other"
        assert {count for text, count in other.texts.items() if text.startswith("passage")} == {1}


def test_a_reembedding_is_resumed_from_any_step_without_a_text_sent_twice(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 4)
    monkeypatch.setattr(spaces, "REMOVED_AT_ONCE", 10)
    with loaded(database, embedding) as service:
        begin(service, other)
        for _ in range(40):
            service.run(most=1)
            service.cloud.lose_messages()
            end_grace(service)
            resume(service.indexing, BUCKET)
            service.run(most=2)
        service.run()
        assert service.rows("SELECT model, active FROM space") == [{"model": "other", "active": True}]
        assert service.value("SELECT count(*) FROM chunk_vector") == 30
        assert set(other.texts.values()) == {1}


def test_an_abandoned_reembedding_leaves_nothing(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 4)
    with loaded(database, embedding) as service:
        begin(service, other)
        service.run(most=4)
        assert abandon(service)
        assert not abandon(service)
        service.run()
        assert active_model(service) == "hash"
        resume(service.indexing, BUCKET)
        service.run()
        assert service.rows("SELECT model FROM space") == [{"model": "hash"}]
        assert service.value("SELECT count(*) FROM chunk_vector") == 30


def test_a_reembedding_begun_again_goes_on_where_it_was_abandoned(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 4)
    with loaded(database, embedding) as service:
        begin(service, other)
        service.run(most=4)
        abandon(service)
        service.cloud.lose_messages()
        assert begin(service, other)
        service.run()
        assert active_model(service) == "other"
        assert set(other.texts.values()) == {1}


def test_one_at_a_time_and_never_to_the_model_that_is_there(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding) as service:
        assert begin(service, other)
        assert begin(service, other), "the same again goes on"
        assert not begin(service, other, model="third")
        service.run()
        assert not begin(service, other), "it is the active one"


def test_the_settings_may_name_the_old_or_the_new_model_afterwards_and_no_third(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding) as service:
        begin(service, other)
        service.run()
    new = replace(embedder_of(other, 6, "other"), query_prefix="query: ", passage_prefix="passage: ")
    for settings in (embedder_of(embedding), new):
        with service_over(database, settings) as service:
            require_space(service.indexing)
            assert_found_by_vector(service)
    with (
        service_over(database, embedder_of(embedding, model="third")) as service,
        pytest.raises(ConfigurationError, match=r"stored vectors are of other, 6 dimensions.*onec-rag reembed"),
    ):
        require_space(service.indexing)


def test_a_source_whose_vectors_are_held_does_not_keep_the_others_waiting(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding, spending=Spending(budget=2_000)) as service:
        big = PRICING + "".join(f"\nФункция Ставка{n}() Экспорт\n\tВозврат {n};\nКонецФункции\n" for n in range(90))
        service.load("big", zipped(configuration() | {MODULE: big}))
        assert "confirmation" in service.value("SELECT vector_problem FROM source WHERE name = 'big'")
        begin(service, other)
        service.run()
        assert active_model(service) == "other"
        assert "confirmation" in service.value("SELECT vector_problem FROM source WHERE name = 'big'")
        assert not any("Ставка1(" in text for text in other.texts)


def test_a_refused_text_does_not_stop_the_cut_over(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer
) -> None:
    with loaded(database, embedding) as service:
        other.refused["Функция ОкруглитьЦену"] = 400
        begin(service, other)
        service.run()
        assert active_model(service) == "other"
        assert service.ask("Округляет цену").coverage == pytest.approx(28 / 30)


def test_old_indexes_go_and_new_ones_are_there_before_the_cut_over(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "LEAST_ROWS_FOR_INDEX", 10)
    with loaded(database, embedding) as service:
        indexes = "SELECT indexname FROM pg_indexes WHERE indexname LIKE '%%hnsw%%' ORDER BY 1"
        assert service.rows(indexes) == [{"indexname": "chunk_vector_0_hnsw_1"}]
        begin(service, other)
        service.run()
        assert [row["indexname"][-1] for row in service.rows(indexes)] == ["1", "2"]
        end_grace(service)
        service.run()
        assert [row["indexname"][-1] for row in service.rows(indexes)] == ["2"]


def test_the_active_space_is_remembered_for_some_seconds(embedding_service: Service) -> None:
    time = [0.0]
    active = ActiveSpace(clock=lambda: time[0])
    database = embedding_service.search.database
    assert active.read(database, ALL_SOURCES) is None
    embedding_service.load("shop", FIRST)
    seen = active.read(database, ALL_SOURCES)
    assert seen is not None
    embedding_service.rows("UPDATE space SET model = 'another' RETURNING 1")
    assert active.read(database, ALL_SOURCES) == seen
    time[0] = 6.0
    with database.transaction(ALL_SOURCES) as connection:
        assert active.read(database, ALL_SOURCES) == read_space(connection) != seen


@pytest.mark.parametrize("seed", range(4))
def test_whatever_the_queue_and_the_endpoints_do_the_end_is_the_same(
    database: Dsns, embedding: EmbeddingServer, other: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Messages in any order and twice, faults of both endpoints, lost queues, a release and a model that change."""
    monkeypatch.setattr(embed, "MESSAGE_CHUNKS", 3)
    choice = random.Random(seed)
    passing = [None, None, Fault.TOO_MANY, Fault.TOO_MANY_WAIT, Fault.SERVER_ERROR, Fault.HANG_UP]
    with service_over(database, embedder_of(embedding)) as service:
        for server in (embedding, other):
            server.script(*choice.choices(passing, k=30))
        service.put("shop", FIRST)
        service.put("copy", FIRST)
        service.run(seed=seed, twice=True, most=choice.randrange(60))
        service.run(seed=seed, twice=True)
        begin(service, other)
        changed = PRICING.replace("Возврат Окр(Цена, 0)", "Возврат Окр(Цена, 2)")
        service.put("shop", zipped(configuration() | {MODULE: changed}), label="second")
        for turn in range(80):
            if turn % 7 == 3:
                service.cloud.lose_messages()
            end_grace(service)
            resume(service.indexing, BUCKET)
            service.run(seed=seed * 100 + turn, twice=True, most=choice.randrange(40))
        end_grace(service)
        resume(service.indexing, BUCKET)
        service.run()
        assert service.rows("SELECT model, active FROM space") == [{"model": "other", "active": True}]
        covered = "SELECT count(*) FROM chunk JOIN chunk_vector ON chunk_id = id"
        assert service.value(covered) == service.value("SELECT count(*) FROM chunk") == 31
        assert service.value("SELECT count(vector_problem) FROM source") == 0
        for server in (embedding, other):
            assert set(server.texts.values()) <= {1}, "no text was sent twice"
