from dataclasses import replace

import pytest

from onec_rag.chunking.base import LONGEST_DOC, Context
from onec_rag.chunking.metadata import describe, fold, object_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import Field, Link, MetadataObject
from onec_rag.text.budget import estimate_tokens

CATALOG = MetadataObject(
    kind="Catalog",
    name="Товары",
    fqn="Справочник.Товары",
    synonyms={"ru": "Товары и услуги", "en": "Goods"},
    comment="(Общий) служебный",
    explanation="Всё, что продают",
    properties={"ДлинаКода": "9"},
    fields=(
        Field("Attribute", "Артикул", {"ru": "Артикул производителя", "en": "Part number"}, types=("Строка(20)",)),
        Field(
            "TabularSection",
            "Штрихкоды",
            fields=(Field("Attribute", "Код", tooltip="Как на упаковке", types=("Строка(13)",)),),
        ),
    ),
    forms=("ФормаЭлемента", "ФормаСписка"),
    templates=("Этикетка",),
    links=(Link("владелец", "Справочник.Контрагенты"),),
)
CONTEXT = Context(
    {"Справочник.Контрагенты": "Покупатели и поставщики", "Подсистема.Торговля": "Торговый отдел"},
    {"Справочник.Товары": [("состав", "Подсистема.Торговля"), ("движения", "Документ.Продажа")]},
)


def chunks(
    owner: MetadataObject = CATALOG, context: Context = CONTEXT, kind: DocumentKind = DocumentKind.OBJECT
) -> list[Chunk]:
    document = Document("Catalogs/Товары.xml", kind, owner.fqn, owner.title, owner)
    return list(object_chunks(document, owner, context))


def test_the_card_says_everything_of_the_object() -> None:
    card = chunks()[0]
    assert (card.kind, card.fqn, card.symbol) == (ChunkKind.OBJECT, "Справочник.Товары", "Товары")
    assert card.breadcrumb == "Справочник Товары (Товары и услуги)"
    assert card.text.split("\n") == [
        "en: Goods",
        "(Общий) служебный",
        "Всё, что продают",
        "ДлинаКода: 9",
        "Реквизит Артикул (Артикул производителя): Строка(20)",
        "ТабличнаяЧасть Штрихкоды",
        "  Реквизит Код: Строка(13)",
        "Формы: ФормаЭлемента, ФормаСписка",
        "Макеты: Этикетка",
        "Владелец: Справочник.Контрагенты (Покупатели и поставщики)",
        "Входит в: Подсистема.Торговля (Торговый отдел)",
        "Регистраторы: Документ.Продажа",
    ]
    assert card.title == "Товары и услуги Goods"
    assert card.doc == "(Общий) служебный Всё, что продают"
    assert card.facets == {"object_kind": "Catalog"}


def test_every_field_is_a_chunk_with_its_full_name() -> None:
    fields = [chunk for chunk in chunks() if chunk.kind is ChunkKind.FIELD]
    assert [chunk.fqn for chunk in fields] == [
        "Справочник.Товары.Реквизит.Артикул",
        "Справочник.Товары.ТабличнаяЧасть.Штрихкоды",
        "Справочник.Товары.ТабличнаяЧасть.Штрихкоды.Реквизит.Код",
    ]
    article, section, code = fields
    assert article.text == (
        "Реквизит Артикул (Артикул производителя): Строка(20)\nСправочник.Товары.Реквизит.Артикул\nen: Part number"
    )
    assert article.facets == {"object_kind": "Catalog", "field_kind": "Attribute"}
    assert section.text.endswith("Состав: Код")
    assert code.doc == "Как на упаковке"


def test_an_object_of_nothing_but_a_name_is_found_by_it() -> None:
    (card,) = chunks(MetadataObject("Role", "Продавец", "Роль.Продавец"))
    assert (card.breadcrumb, card.text) == ("Роль Продавец", "Роль Продавец")


def test_a_long_card_is_cut_into_parts_that_fit() -> None:
    fields = tuple(Field("Attribute", f"Реквизит{number}", {"ru": f"Реквизит {number}"}) for number in range(300))
    owner = MetadataObject("Catalog", "Товары", "Справочник.Товары", fields=fields)
    cards = [chunk for chunk in chunks(owner) if chunk.kind is ChunkKind.OBJECT]
    assert len(cards) > 5
    assert {chunk.breadcrumb for chunk in cards} == {"Справочник Товары"}
    assert "\n".join(chunk.text for chunk in cards).count("Реквизит Реквизит") == 300


@pytest.mark.parametrize("window", [48, 480])
def test_no_chunk_is_above_the_window(window: int) -> None:
    owner = MetadataObject(
        "Catalog", "Товары" * 20, "Справочник.Товары", {"ru": "Синоним " * 500}, "Комментарий " * 5_000,
        fields=(Field("Attribute", "Код", {"ru": "Слово " * 5_000}, tooltip="Подсказка " * 5_000),),
        links=tuple(Link("состав", f"Справочник.Справочник{number}") for number in range(2_000)),
    )  # fmt: skip
    found = chunks(owner, Context(window=window))
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)
    assert max(len(chunk.doc) for chunk in found) == LONGEST_DOC
    assert sum(chunk.kind is ChunkKind.FIELD for chunk in found) == 1


def test_types_above_a_few_are_folded() -> None:
    types = tuple(f"ДокументСсылка.Д{number}" for number in range(20))
    assert fold(types[:8]) == ", ".join(types[:8])
    assert fold(types).endswith("ДокументСсылка.Д7 и ещё 12")


def test_a_field_is_described_on_one_line() -> None:
    field = Field(
        "Dimension", "Склад", {"ru": "Место"}, types=("СправочникСсылка.Склады",), properties={"Ведущее": "да"}
    )
    assert describe(field) == "Измерение Склад (Место): СправочникСсылка.Склады; Ведущее да"
    assert describe(Field("Нечто", "Имя", {"ru": "Имя"})) == "Нечто Имя"


def part(*fields: Field) -> MetadataObject:
    return MetadataObject("Catalog", "Товары", "Справочник.Товары", fields=fields)


def test_a_part_is_called_as_its_object_and_shows_only_its_own() -> None:
    context = Context({"Справочник.Товары": "Товары и услуги"}, CONTEXT.relations)
    inner = Field("PredefinedItem", "Штучные", {"ru": "Штучные товары"}, properties={"Код": "001"})
    found = chunks(part(Field("PredefinedItem", "Все", fields=(inner,))), context, DocumentKind.PART)
    assert [(chunk.kind, chunk.fqn, chunk.breadcrumb) for chunk in found] == [
        (ChunkKind.OBJECT, "Справочник.Товары", "Справочник Товары (Товары и услуги)"),
        (ChunkKind.FIELD, "Справочник.Товары.ПредопределенныйЭлемент.Все", "Справочник Товары (Товары и услуги)"),
        (ChunkKind.FIELD, "Справочник.Товары.ПредопределенныйЭлемент.Штучные", "Справочник Товары (Товары и услуги)"),
    ]
    assert found[0].text.split("\n") == [
        "ПредопределенныйЭлемент Все",
        "  ПредопределенныйЭлемент Штучные (Штучные товары); Код 001",
    ]


def test_the_descriptor_of_a_form_gives_a_name_and_no_chunk() -> None:
    assert chunks(part(Field("Form", "ФормаСписка", {"ru": "Список"})), CONTEXT, DocumentKind.PART) == []
    template = chunks(part(Field("Template", "Этикетка", {"ru": "Ценник"})), CONTEXT, DocumentKind.PART)
    assert [(chunk.kind, chunk.fqn) for chunk in template] == [(ChunkKind.FIELD, "Справочник.Товары.Макет.Этикетка")]


def test_forms_are_named_with_their_synonyms() -> None:
    context = Context({"Справочник.Товары.Форма.ФормаСписка": "Список товаров"})
    assert "Формы: ФормаЭлемента, ФормаСписка (Список товаров)" in chunks(CATALOG, context)[0].text.split("\n")


def test_types_of_a_package_share_lines_and_name_no_version() -> None:
    number = Field("Property", "Номер", types=("Строка",), properties={"Минимум": "0"})
    order = Field("ObjectType", "Заказ", fields=(number, Field("Property", "Сумма", types=("Число",))))
    package = MetadataObject("XDTOPackage", "Обмен_1_2", "ПакетXDTO.Обмен_1_2", fields=(order,))
    [chunk] = chunks(package, CONTEXT, DocumentKind.PART)
    assert (chunk.breadcrumb, chunk.symbol) == ("ПакетXDTO", "Обмен_1_2")
    assert chunk.text.split("\n") == ["ТипОбъекта Заказ", "  Номер: Строка, Сумма: Число"]


def test_a_long_list_of_names_is_broken_between_names() -> None:
    names = ", ".join(f"Имя{number:03}" for number in range(200))
    found = chunks(replace(CATALOG, properties={"Видимость": names}), CONTEXT)
    rows = [row for chunk in found if chunk.kind is ChunkKind.OBJECT for row in chunk.text.split("\n")]
    shown = [row.removeprefix("Видимость: ") for row in rows if row.startswith("Видимость: ")]
    assert len(shown) > 1
    assert ", ".join(shown) == names
