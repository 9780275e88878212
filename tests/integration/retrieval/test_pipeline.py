"""Questions to a small index, through every step."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from fakes import EmbeddingServer, Fault
from integration.configuration import PRICING, Files, configuration, zipped
from integration.databases import Template
from integration.service import Service, embedder_of, service_over
from onec_rag.errors import NotFound
from onec_rag.model.search import Filters, Mode, SearchResult
from onec_rag.retrieval import pipeline
from onec_rag.retrieval.keyword import plan_keywords
from onec_rag.retrieval.pipeline import Search

pytestmark = pytest.mark.integration

PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"
LONG = "ОбщийМодуль.Ценообразование.ПересчитатьОстатки"
STEPS = "".join(f"\tОстаток{number} = ПолучитьОстаток(Склад, Товар, {number});\n" for number in range(120))
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
PAGES: Files = {
    "склад/приемка.md": "# Приёмка\n\nТовар принимают на склад.\n\n## Брак\n\nБрак на склад не принимают.\n",
    "продажи.md": "# Продажи\n\nЦена товара берётся из регистра.\n",
}


@pytest.fixture(scope="module")
def embedding() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as server:
        yield server


@pytest.fixture(scope="module")
def service(template_database: Template, embedding: EmbeddingServer) -> Iterator[Service]:
    """`shop` in two releases, the second with a long procedure, and `docs`."""
    long = f"{PRICING}\nПроцедура ПересчитатьОстатки(Склад, Товар) Экспорт\n{STEPS}КонецПроцедуры\n"
    with template_database.clone() as dsns, service_over(dsns, embedder_of(embedding)) as service:
        service.load("shop", zipped(configuration()), label="старый")
        service.load("shop", zipped(configuration() | {MODULE: long}), label="новый")
        service.load("docs", zipped(PAGES, ""))
        yield service


@pytest.fixture(autouse=True)
def _healthy(embedding: EmbeddingServer) -> Iterator[None]:
    yield
    embedding.always = None


def text_of(service: Service, fqn: str) -> str:
    """What was embedded for a chunk."""
    return str(
        service.rows("SELECT breadcrumb || E'\\n' || text AS text FROM chunk WHERE fqn = %s ORDER BY id", fqn)[0][
            "text"
        ]
    )


def fqns(result: SearchResult) -> list[str]:
    return [hit.fqn for hit in result.hits]


def test_lexical_mode_asks_no_endpoint(service: Service, embedding: EmbeddingServer) -> None:
    asked = embedding.requests
    found = service.ask("цена товара на дату", mode=Mode.LEXICAL)
    assert found.hits[0].fqn == PRICE
    assert embedding.requests == asked
    assert found.mode is Mode.LEXICAL
    assert found.warnings == ()
    assert set(found.hits[0].ranks) == {"lexical", "bm25"}


def test_vector_mode_finds_the_nearest_text(service: Service) -> None:
    found = service.ask(text_of(service, PRICE), mode=Mode.VECTOR)
    assert found.hits[0].fqn == PRICE
    assert found.hits[0].ranks["vector"] == 1
    assert found.hits[0].scores["vector"] == pytest.approx(1.0, abs=1e-3)
    assert all("lexical" not in hit.ranks for hit in found.hits)


def test_hybrid_mode_says_who_found_what(service: Service) -> None:
    found = service.ask("цена товара")
    assert found.mode is Mode.HYBRID
    assert {"lexical", "vector", "bm25"} == set().union(*(hit.ranks for hit in found.hits))
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    assert set(found.timings) == {"embed", "scope", "search", "rank", "read", "coverage"}


def test_a_lexical_question_puts_the_exact_name_first(service: Service) -> None:
    assert service.ask("ОкруглитьЦену", mode=Mode.LEXICAL).hits[0].fqn == "ОбщийМодуль.Ценообразование.ОкруглитьЦену"
    assert service.ask("Ценообразование.ЦенаТовара", mode=Mode.LEXICAL).hits[0].fqn == PRICE


def test_words_are_found_in_other_forms_and_spellings(service: Service) -> None:
    for query in ("приемка", "ПРИЁМКОЙ", "принимали на склады", "бракам"):
        assert service.ask(query, mode=Mode.LEXICAL, sources=("docs",)).hits[0].place.path == "склад/приемка.md"


def test_the_limit_bounds_the_hits(service: Service) -> None:
    assert len(service.ask("цена товара склад", limit=3).hits) == 3
    assert len(service.ask("цена товара склад", limit=1).hits) == 1


def test_parts_of_one_procedure_are_one_hit(service: Service) -> None:
    parts = service.value("SELECT count(*) FROM chunk WHERE fqn = %s", LONG)
    assert parts > 3
    for mode in Mode:
        assert fqns(service.ask("получить остаток склад товар", mode=mode, limit=50)).count(LONG) <= 1
    assert fqns(service.ask("получить остаток", mode=Mode.LEXICAL, limit=50)).count(LONG) == 1


def test_sections_of_a_page_are_hits_of_their_own(service: Service) -> None:
    found = service.ask("склад", mode=Mode.LEXICAL, sources=("docs",))
    assert {hit.breadcrumb for hit in found.hits} == {"Приёмка", "Приёмка / Брак"}


def test_a_release_is_asked_by_label_or_number(service: Service) -> None:
    for release in ("новый", "2"):
        assert LONG in fqns(service.ask("пересчитать остатки", sources=("shop",), release=release, limit=50))
    for release in ("старый", "1"):
        found = service.ask("пересчитать остатки", sources=("shop",), release=release, limit=50)
        assert LONG not in fqns(found)
        assert {hit.place.release for hit in found.hits} == {"старый"}


def test_without_a_name_a_release_is_of_the_sources_that_have_it(service: Service) -> None:
    assert {hit.place.source for hit in service.ask("цена", release="старый", limit=50).hits} == {"shop"}


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"sources": ("nobody",)}, "nobody is not here"),
        ({"sources": ("shop", "b", "a")}, "a, b is not here"),
        ({"sources": ("shop",), "release": "3.0"}, "release 3.0 of shop is not here"),
        ({"sources": ("docs", "shop"), "release": "старый"}, "release старый of docs is not here"),
        ({"release": "никакой"}, "release никакой of any source is not here"),
    ],
)
def test_what_is_not_here_is_told_by_name(service: Service, facts: dict[str, Any], told: str) -> None:
    with pytest.raises(NotFound) as caught:
        service.ask("цена", **facts)
    assert str(caught.value) == told


def test_a_foreign_source_is_not_here(service: Service) -> None:
    with pytest.raises(NotFound, match="shop is not here"):
        service.ask("цена", allowed=("docs",), sources=("shop",))
    assert {hit.place.source for hit in service.ask("цена", allowed=("docs",), limit=50).hits} == {"docs"}
    assert service.ask("цена", allowed=()).hits == ()


def test_filters_hold_in_every_mode(service: Service) -> None:
    for mode in Mode:
        assert {hit.kind for hit in service.ask("цена товара", mode=mode, filters=Filters(kinds=("field",))).hits} == {
            "field"
        }
        prefixed = service.ask("цена товара", mode=mode, filters=Filters(fqn_prefix="ОбщийМодуль."))
        assert prefixed.hits
        assert all(hit.fqn.startswith("ОбщийМодуль.") for hit in prefixed.hits)


def test_a_filter_that_leaves_little_still_finds_it(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rarest words alone bring up nothing that passes; the frequent ones must be looked up too."""
    monkeypatch.setattr(pipeline, "plan_keywords", partial(plan_keywords, work=1))
    found = service.ask("пересчитать цена", mode=Mode.LEXICAL, filters=Filters(kinds=("field",)))
    assert "РегистрСведений.ЦеныТоваров.Ресурс.Цена" in fqns(found)


def test_the_index_is_left_for_an_exact_scan_when_it_gives_too_little(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "EXACT_BELOW", 0)
    everything = service.value("SELECT count(*) FROM chunk JOIN source ON source.id = source_id AND name = 'docs'")
    assert len(service.ask("цена", mode=Mode.VECTOR, sources=("docs",), limit=50).hits) == everything


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.TOO_MANY, Fault.WRONG_SIZE, Fault.GARBAGE, Fault.NULLS,
                                   Fault.NOT_A_NUMBER, Fault.ZEROS, Fault.FEWER, Fault.HANG_UP, Fault.REFUSED],
                         ids=lambda fault: fault.name)  # fmt: skip
@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.VECTOR])
def test_full_text_answers_when_the_endpoint_does_not(
    service: Service, embedding: EmbeddingServer, fault: Fault, mode: Mode
) -> None:
    embedding.always = fault
    found = service.ask("цена товара на дату", mode=mode)
    assert found.mode is Mode.LEXICAL
    assert found.hits[0].fqn == PRICE
    (warning,) = found.warnings
    assert warning.startswith("answered from full text alone: embedding endpoint: ")


def test_without_an_endpoint_full_text_answers(service: Service) -> None:
    search = Search(service.search.database, None)
    found = replace(service, search=search).ask("цена товара на дату")
    assert found.mode is Mode.LEXICAL
    assert found.hits[0].fqn == PRICE
    assert found.warnings == ("no embedding endpoint is configured: answered from full text alone",)


WEIRD = {
    "empty": "",
    "blank": " \t\n ",
    "signs": "?!…—()[]{}<>*&|",
    "operators": "а & б | !в <-> г:*",
    "quotes": "'\"`''\"\" \\' \\\\ $$ $1 %s %(x)s",
    "a minus": "-цена - -- --цена",
    "one letter": "я",
    "one digit": "0",
    "emoji": "\U0001f9ff\U0001f468\u200d\U0001f469\u200d\U0001f467 цена \U0001f4b0",
    "NUL": "цена\0товара\0",
    "a lone surrogate": "цена \ud800",
    "other spaces": "цена\u00a0товара\u2028на\u200bдату\ufeff",
    "right to left": "\u202eцена مرحبا",
    "a long text": "цена товара на дату " * 1_000,
    "a long word": "цена" * 5_000,
    "many words": " ".join(f"слово{number}" for number in range(5_000)),
    "dots": "......... а.б.в.г.д.е а..б .цена. 1.2.3.4.5.6.7.8.9",
    "a template": "{0} {цена} %d ${x} <%= %>",
    "SQL": "'; DROP TABLE chunk; --",
    "only a wildcard": "%",
}


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("case", WEIRD)
def test_no_question_fails(service: Service, case: str, mode: Mode) -> None:
    found = service.ask(WEIRD[case], mode=mode)
    assert all(hit.score >= 0 for hit in found.hits)


@pytest.mark.parametrize("case", ["emoji", "NUL", "a minus", "other spaces", "a long text"])
def test_odd_characters_do_not_hide_the_words(service: Service, case: str) -> None:
    assert any("ЦенаТовара" in hit.text for hit in service.ask(WEIRD[case], mode=Mode.LEXICAL).hits)


@pytest.mark.parametrize("prefix", ["%", "_", "\\", "'", "я" * 500, "Справочник.%"])
def test_no_prefix_fails(service: Service, prefix: str) -> None:
    assert service.ask("цена", filters=Filters(fqn_prefix=prefix)).hits == ()


def test_coverage_is_told_where_vectors_are_missing(service: Service) -> None:
    service.rows("DELETE FROM chunk_vector WHERE chunk_id = (SELECT max(chunk_id) FROM chunk_vector) RETURNING 1")
    fresh = replace(service, search=Search(service.search.database, service.search.embedder))
    found = fresh.ask("цена")
    assert 0 < found.coverage < 1
    assert found.warnings == (f"vectors cover {found.coverage:.0%} of the chunks; full text covers all",)
    assert fresh.ask("цена", mode=Mode.LEXICAL).warnings == ()
