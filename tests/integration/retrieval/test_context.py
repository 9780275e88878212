"""A hit with the whole of its symbol, and what stands around it in its file."""

from collections.abc import Iterator

import pytest

from integration.configuration import PRICING, configuration, zipped
from integration.databases import Template
from integration.service import Service, service_over
from onec_rag.errors import NotFound
from onec_rag.model.search import Hit, HitContext, Mode
from onec_rag.store.database import ALL_SOURCES

pytestmark = pytest.mark.integration

OWNER = "ОбщийМодуль.Ценообразование"
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
STEPS = "".join(f"\tОстаток{number} = ПолучитьОстаток(Склад, Товар, {number});\n" for number in range(120))
LONG = (
    f"{PRICING}\nПроцедура Пересчитать(Склад, Товар)\n{STEPS}КонецПроцедуры\n\nПроцедура Последняя()\nКонецПроцедуры\n"
)


@pytest.fixture(scope="module")
def service(template_database: Template) -> Iterator[Service]:
    with template_database.clone() as dsns, service_over(dsns) as service:
        service.load("shop", zipped(configuration()), label="старый")
        service.load("shop", zipped(configuration() | {MODULE: LONG}), label="новый")
        service.load("docs", zipped({"а.md": "# А\n\nпервый\n\n## Б\n\nвторой\n\n## В\n\nтретий"}, ""))
        yield service


def hit_of(service: Service, query: str, fqn: str, **facts: str) -> Hit:
    return service.find(query, fqn, mode=Mode.LEXICAL, **facts)[0]


def context_of(service: Service, hit: Hit, release: str | None = None, neighbours: int = 1) -> HitContext:
    shard, chunk_id = map(int, hit.id.split("-"))
    return service.search.context(shard, chunk_id, release, neighbours, ALL_SOURCES)


def test_the_parts_of_a_long_procedure_are_joined(service: Service) -> None:
    hit = hit_of(service, "получить остаток", f"{OWNER}.Пересчитать")
    assert "КонецПроцедуры" not in hit.text or "Процедура Пересчитать" not in hit.text
    whole = context_of(service, hit).hit
    assert whole.text == LONG[LONG.index("Процедура Пересчитать") :].split("\n\n")[0]
    first = LONG.split("\n").index("Процедура Пересчитать(Склад, Товар)") + 1
    assert (whole.place.first_line, whole.place.last_line) == (first, first + 121)


def test_neighbours_stand_before_and_after(service: Service) -> None:
    hit = hit_of(service, "пересчитать", f"{OWNER}.Пересчитать")
    around = context_of(service, hit)
    assert [item.symbol for item in around.before] == ["ПроверитьНаценку"]
    assert [item.symbol for item in around.after] == ["Последняя"]
    more = context_of(service, hit, neighbours=3)
    assert [item.symbol for item in more.before] == ["ЦенаТовара", "ОкруглитьЦену", "ПроверитьНаценку"]
    none = context_of(service, hit, neighbours=0)
    assert (none.before, none.after) == ((), ())


def test_the_context_is_that_of_the_release(service: Service) -> None:
    hit = hit_of(service, "проверить наценку", f"{OWNER}.ПроверитьНаценку", release="старый")
    assert context_of(service, hit, "старый").after == ()
    assert [item.symbol for item in context_of(service, hit, "новый").after] == ["Пересчитать"]


def test_sections_of_a_page_are_neighbours(service: Service) -> None:
    (hit,) = (item for item in service.ask("второй", mode=Mode.LEXICAL, sources=("docs",)).hits)
    around = context_of(service, hit)
    assert [item.breadcrumb for item in (*around.before, *around.after)] == ["А", "А / В"]


def test_a_hit_that_is_not_there_is_not_found(service: Service) -> None:
    hit = hit_of(service, "пересчитать", f"{OWNER}.Пересчитать")
    with pytest.raises(NotFound, match=f"hit {hit.id} is not here"):
        context_of(service, hit, "старый")
    with pytest.raises(NotFound):
        service.search.context(0, 10**9, None, 1, ALL_SOURCES)
    shard, chunk_id = map(int, hit.id.split("-"))
    with pytest.raises(NotFound):
        service.search.context(shard, chunk_id, None, 1, ("docs",))
