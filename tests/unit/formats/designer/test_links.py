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
    assert read_links(by_name(properties)) == (
        Link("состав", "Справочник.А"),
        Link("хранение", "Константа.В"),
        Link("обработчик", "ОбщийМодуль.М.Выполнить"),
    )
