import pytest
from lxml import etree

from onec_rag.formats.designer.links import read_links, target_of
from onec_rag.formats.xml import by_name
from onec_rag.model.metadata import Link


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("Catalog.Валюты", "Справочник.Валюты"),
        ("Document.П.TabularSection.Товары.Attribute.Цена", "Документ.П.ТабличнаяЧасть.Товары.Реквизит.Цена"),
        ("Catalog.Валюты.StandardAttribute.Description", "Справочник.Валюты.СтандартныйРеквизит.Наименование"),
        ("Subsystem.А.Subsystem.Б", "Подсистема.А.Подсистема.Б"),
        ("CommonModule.М.Command", "ОбщийМодуль.М.Command"),
        ("DocumentJournal.Ж.StandardAttribute.Type", "ЖурналДокументов.Ж.СтандартныйРеквизит.Тип"),
        ("ChartOfAccounts.П.StandardAttribute.Type", "ПланСчетов.П.СтандартныйРеквизит.Вид"),
        ("cfg:ExternalDataSourceTableRef.И.Т", "ВнешнийИсточникДанных.И.Таблица.Т"),
        ("cfg:DocumentObject.Продажа", "Документ.Продажа"),
        ("22222222-0000-4000-8000-000000000000", ""),
        ("Catalog", ""),
        ("true", ""),
        ("http://v8.1c.ru/8.1/data/core", ""),
    ],
)
def test_references_and_types_of_a_dump_become_canonical_names(text: str, target: str) -> None:
    assert target_of(text) == target


def test_every_declared_link_is_read_once_and_switched_off_items_are_left_out() -> None:
    properties = etree.fromstring(
        "<Properties>"
        "<Content>"
        "<Item><Metadata>Catalog.А</Metadata><Use>Use</Use></Item>"
        "<Item><Metadata>Catalog.Б</Metadata><Use>DontUse</Use></Item>"
        "<Item><Metadata>Catalog.А</Metadata></Item>"
        "</Content>"
        "<Location>Constant.В</Location>"
        "<Use>true</Use>"
        "<MethodName>CommonModule.М.Выполнить</MethodName>"
        "<Owners/>"
        "</Properties>"
    )
    assert read_links("CommonAttribute", by_name(properties)) == (
        Link("состав", "Справочник.А"),
        Link("хранение", "Константа.В"),
        Link("обработчик", "ОбщийМодуль.М.Выполнить"),
    )


@pytest.mark.parametrize(
    ("auto_use", "targets"), [("Use", ["Справочник.А", "Справочник.Б"]), ("DontUse", ["Справочник.А"])]
)
def test_automatic_items_of_a_common_attribute_count_where_it_is_used_by_itself(
    auto_use: str, targets: list[str]
) -> None:
    properties = etree.fromstring(
        f"<Properties><AutoUse>{auto_use}</AutoUse><Content>"
        "<Item><Metadata>Catalog.А</Metadata><Use>Use</Use><ConditionalSeparation>Constant.В</ConditionalSeparation>"
        "</Item><Item><Metadata>Catalog.Б</Metadata><Use>Auto</Use></Item></Content></Properties>"
    )
    assert [link.target for link in read_links("CommonAttribute", by_name(properties))] == targets


def test_what_a_sequence_follows_is_its_content_and_what_a_document_writes_its_records() -> None:
    properties = by_name(
        etree.fromstring("<P><RegisterRecords><Item>AccumulationRegister.О</Item></RegisterRecords></P>")
    )
    assert read_links("Sequence", properties) == (Link("состав", "РегистрНакопления.О"),)
    assert read_links("Document", properties) == (Link("движения", "РегистрНакопления.О"),)


@pytest.mark.parametrize(
    "inside",
    [
        '<CharacteristicTypes from="Catalog.Виды.TabularSection.Т">'
        "<KeyField>Catalog.Виды.StandardAttribute.Ref</KeyField></CharacteristicTypes>"
        '<CharacteristicValues from="InformationRegister.Значения"/>',
        "<CharacteristicTypes>Catalog.Виды.TabularSection.Т</CharacteristicTypes>"
        "<KeyField>Catalog.Виды.StandardAttribute.Ref</KeyField>"
        "<CharacteristicValues>InformationRegister.Значения</CharacteristicValues>",
    ],
    ids=["configurator", "edt"],
)
def test_characteristics_link_to_the_tables_that_hold_them(inside: str) -> None:
    properties = etree.fromstring(
        f"<P><Characteristics><Characteristic>{inside}</Characteristic></Characteristics></P>"
    )
    assert read_links("Catalog", by_name(properties)) == (
        Link("характеристики", "Справочник.Виды.ТабличнаяЧасть.Т"),
        Link("характеристики", "РегистрСведений.Значения"),
    )
