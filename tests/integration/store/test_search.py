"""The search functions on small content whose answers are known by hand."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from integration.configuration import Files, configuration, descriptor, field, zipped
from integration.databases import Template
from integration.service import Service, service_over
from onec_rag.model.search import NO_FILTERS, Candidate, Filters, Scoped
from onec_rag.store import search
from onec_rag.store.database import ALL_SOURCES

pytestmark = pytest.mark.integration

PAGES: Files = {
    "заказ.md": "# Заказ\n\nзаказ покупателя и заказ поставщика",
    "счет.md": "# Счет\n\nсчет покупателя",
    "акт.md": "# Акт\n\nакт покупателя",
    "редкость.md": "# Редкость\n\nредкость покупателя",
}
NAMES: Files = configuration() | {
    "Catalogs/Цены_Товаров.xml": descriptor("Catalog", "Цены_Товаров", children=field("Attribute", "Скидка")),
    "Catalogs/ЦеныХТоваров.xml": descriptor("Catalog", "ЦеныХТоваров", children=field("Attribute", "Скидка")),
}


@pytest.fixture(scope="module")
def service(template_database: Template) -> Iterator[Service]:
    """`pages` in one release, `names` in one, and `book`, whose page changes in release 2 and is gone in release 3."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        service.load("pages", zipped(PAGES, ""))
        service.load("names", zipped(NAMES))
        other = {"остальное.md": "# Остальное\n\nпрочие слова"}
        service.load("book", zipped({"глава.md": "# Глава\n\nпервая редакция", **other}, ""), label="a")
        service.load("book", zipped({"глава.md": "# Глава\n\nвторая редакция", **other}, ""), label="b")
        service.load("book", zipped(other, ""), label="c")
        yield service


def scope_of(service: Service, source: str, release: str | None = None) -> list[Scoped]:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        return search.resolve_scope(connection, [source], release)


def look_up(service: Service, scope: Sequence[Scoped], *words: str, **filters: Any) -> list[Candidate]:
    """Lexical candidates with the collection's idf as weights."""
    with service.search.database.transaction(ALL_SOURCES) as connection:
        statistics = search.word_statistics(connection, scope, words)
        weights = [1 / statistics.documents[word] if word in statistics.documents else 0.0 for word in words]
        top = filters.pop("top", 50)
        found = search.search_chunks(
            connection, scope, words=words, weights=weights, look_ups=len(words), vector=None, space=None, exact=True,
            filters=Filters(**filters), top=top,
        )  # fmt: skip
    return sorted(found, key=lambda item: item.lexical_rank or 0)


def texts(service: Service, scope: Sequence[Scoped], found: Sequence[Candidate]) -> list[str]:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        rows = search.read_chunks(connection, scope, [(item.shard, item.chunk_id) for item in found])
    return [rows[item.chunk_id]["text"] for item in found]


def fqns(service: Service, **filters: Any) -> list[str]:
    """FQNs of what is found under the filters by a word that stands in every card."""
    scope = scope_of(service, "names")
    found = look_up(service, scope, "~цен", "~скидк", "~товар", **filters)
    with service.search.database.transaction(ALL_SOURCES) as connection:
        rows = search.read_chunks(connection, scope, [(item.shard, item.chunk_id) for item in found])
    return sorted(row["fqn"] for row in rows.values())


def test_statistics_count_the_chunks_that_hold_a_word(service: Service) -> None:
    scope = scope_of(service, "pages")
    with service.search.database.transaction(ALL_SOURCES) as connection:
        statistics = search.word_statistics(connection, scope, ["покупателя", "редкость", "поставщика", "нет"])
    assert statistics.documents == {"покупателя": 4, "редкость": 1, "поставщика": 1}
    assert statistics.chunks == 4
    lengths = service.value(
        "SELECT avg(length)::float FROM chunk JOIN source ON source.id = source_id AND name = 'pages'"
    )
    assert statistics.mean_length == pytest.approx(lengths)


def test_the_rarer_word_ranks_first(service: Service) -> None:
    scope = scope_of(service, "pages")
    found = look_up(service, scope, "редкость", "покупателя", "счет", "поставщика")
    assert [item.lexical_rank for item in found] == [1, 2, 3, 4]
    first, second, third, last = texts(service, scope, found)
    # Three pages hold one rare word each: equal scores keep the order of storing, that of the archive.
    assert {first, second, third} == {"заказ покупателя и заказ поставщика", "счет покупателя", "редкость покупателя"}
    assert last == "акт покупателя"
    assert [item.lexical_score for item in found] == pytest.approx([1.25, 1.25, 1.25, 0.25])


def test_a_chunk_of_two_words_beats_chunks_of_one(service: Service) -> None:
    scope = scope_of(service, "pages")
    found = look_up(service, scope, "заказ", "поставщика", "счет")
    assert texts(service, scope, found) == ["заказ покупателя и заказ поставщика", "счет покупателя"]


def test_frequencies_are_those_of_the_query_by_field(service: Service) -> None:
    (found,) = look_up(service, scope_of(service, "pages"), "заказ", "поставщика", "нет")
    # In the body, the doc comment, the title with the breadcrumb, the name; trailing zeros are left out.
    assert found.frequencies == {"заказ": "2,0,2,1", "поставщика": "1"}


def test_words_behind_the_look_ups_are_counted_but_bring_nothing_up(service: Service) -> None:
    scope = scope_of(service, "pages")
    with service.search.database.transaction(ALL_SOURCES) as connection:
        found = search.search_chunks(
            connection, scope, words=["поставщика", "заказ", "покупателя"], weights=[3, 2, 1], look_ups=1,
            vector=None, space=None, filters=NO_FILTERS, exact=True, top=10,
        )  # fmt: skip
    assert [dict(item.frequencies) for item in found] == [{"поставщика": "1", "заказ": "2,0,2,1", "покупателя": "1"}]


def test_no_words_and_no_vector_find_nothing(service: Service) -> None:
    assert look_up(service, scope_of(service, "pages")) == []


def test_the_top_is_cut(service: Service) -> None:
    assert len(look_up(service, scope_of(service, "pages"), "покупателя", top=3)) == 3


def test_kinds_filter_inside_of_the_search(service: Service) -> None:
    everything = fqns(service)
    fields = fqns(service, kinds=("field",))
    assert fields == [fqn for fqn in everything if ".Реквизит." in fqn or ".Ресурс." in fqn or ".Измерение." in fqn]
    assert fqns(service, kinds=("field", "object")) == sorted(fields + fqns(service, kinds=("object",)))
    assert fqns(service, kinds=("help",)) == []


def test_a_prefix_is_compared_without_case(service: Service) -> None:
    wanted = ["Справочник.ЦеныХТоваров", "Справочник.ЦеныХТоваров.Реквизит.Скидка"]
    assert fqns(service, fqn_prefix="Справочник.ЦеныХ") == wanted
    assert fqns(service, fqn_prefix="СПРАВОЧНИК.ценых") == wanted


@pytest.mark.parametrize("prefix", ["Справочник.Цены_", "Справочник.Цены_Товаров"])
def test_an_underscore_of_a_prefix_is_itself(service: Service, prefix: str) -> None:
    assert fqns(service, fqn_prefix=prefix) == ["Справочник.Цены_Товаров", "Справочник.Цены_Товаров.Реквизит.Скидка"]


@pytest.mark.parametrize("prefix", ["%", "Справочник.%", "Справочник\\", "_", "Справочник.Цены%Товаров"])
def test_other_wildcards_of_a_prefix_are_literal_too(service: Service, prefix: str) -> None:
    assert fqns(service, fqn_prefix=prefix) == []


def test_counting_stops_at_the_limit(service: Service) -> None:
    scope = scope_of(service, "names")
    with service.search.database.transaction(ALL_SOURCES) as connection:
        every = search.count_chunks(connection, scope, NO_FILTERS, 1000)
        assert every == service.value("SELECT count(*) FROM chunk WHERE source_id = %s", scope[0].source_id)
        assert search.count_chunks(connection, scope, NO_FILTERS, 3) == 3
        assert search.count_chunks(connection, scope, Filters(("field",), "справочник.цены_"), 1000) == 1
        assert search.count_chunks(connection, [], NO_FILTERS, 1000) == 0


@pytest.mark.parametrize(
    ("release", "found"),
    [
        ("a", ["первая редакция"]),
        ("b", ["вторая редакция"]),
        ("c", []),
        ("1", ["первая редакция"]),
        ("2", ["вторая редакция"]),
        (None, []),
    ],
)
def test_a_row_is_seen_in_the_releases_of_its_interval(service: Service, release: str | None, found: list[str]) -> None:
    scope = scope_of(service, "book", release)
    assert texts(service, scope, look_up(service, scope, "редакция")) == found
    assert texts(service, scope, look_up(service, scope, "прочие")) == ["прочие слова"]


@pytest.mark.parametrize(("release", "first", "second", "chunks"), [("a", 1, 0, 2), ("b", 0, 1, 2), ("c", 0, 0, 1)])
def test_statistics_belong_to_the_release(service: Service, release: str, first: int, second: int, chunks: int) -> None:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        scope = search.resolve_scope(connection, ["book"], release)
        statistics = search.word_statistics(connection, scope, ["первая", "вторая"])
    counts = {word: count for word, count in (("первая", first), ("вторая", second)) if count}
    assert statistics.documents == counts
    assert statistics.chunks == chunks


def test_a_chunk_is_read_only_in_a_release_that_holds_it(service: Service) -> None:
    first = look_up(service, scope_of(service, "book", "a"), "первая")
    assert texts(service, scope_of(service, "book", "a"), first) == ["первая редакция"]
    places = [(item.shard, item.chunk_id) for item in first]
    with service.search.database.transaction(ALL_SOURCES) as connection:
        assert search.read_chunks(connection, scope_of(service, "book", "b"), places) == {}


def test_the_highest_number_wins_among_equal_labels(service: Service) -> None:
    service.load("twice", zipped({"а.md": "# А\n\nстарое"}, ""), label="одна")
    service.load("twice", zipped({"а.md": "# А\n\nновое"}, ""), label="одна")
    assert [item.release_no for item in scope_of(service, "twice", "одна")] == [2]
