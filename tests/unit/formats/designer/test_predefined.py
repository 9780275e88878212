import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.predefined import read_predefined
from onec_rag.model.metadata import walk_fields
from unit.formats.designer.parts import read_document, read_part

CATALOG = "Catalogs/К/Ext/Predefined.xml"


def data(items: str) -> str:
    return f'<PredefinedData xmlns="http://v8.1c.ru/8.3/xcf/predef">{items}</PredefinedData>'


def test_items_are_fields_nested_as_they_are_and_named_as_the_language_names_them() -> None:
    inner = "<Item><Name>Б</Name><Code/><Description>Второй</Description><IsFolder>false</IsFolder></Item>"
    outer = f"<Item><Name>А</Name><Code>01</Code><IsFolder>true</IsFolder><ChildItems>{inner}</ChildItems></Item>"
    part = read_part(read_predefined, CATALOG, data(outer))
    assert [(fqn, item.properties) for fqn, item in walk_fields(part)] == [
        ("Справочник.К.ПредопределенныйЭлемент.А", {"Код": "01", "ЭтоГруппа": "Да"}),
        ("Справочник.К.ПредопределенныйЭлемент.Б", {"Наименование": "Второй"}),
    ]
    assert [item.name for item in part.fields] == ["А"]


def test_a_characteristic_has_its_types() -> None:
    types = '<Type><Type xmlns:d4p1="urn:cfg">d4p1:CatalogRef.Цвета</Type><Type>xs:boolean</Type></Type>'
    part = read_part(
        read_predefined,
        "ChartsOfCharacteristicTypes/П/Ext/Predefined.xml",
        data(f"<Item><Name>Цвет</Name>{types}</Item><Item><Name>Группа</Name><Type/></Item>"),
    )
    assert [item.types for item in part.fields] == [("СправочникСсылка.Цвета", "Булево"), ()]


def test_an_account_says_its_kind_flags_and_dimensions() -> None:
    flag = '<Flag ref="ChartOfAccounts.П.{}">{}</Flag>'
    dimension = (
        '<ExtDimensionType name="ChartOfCharacteristicTypes.В.Склад"><Turnover>{}</Turnover>'
        f"<AccountingFlags>{flag}</AccountingFlags></ExtDimensionType>"
    )
    account = (
        "<Item><Name>Товары</Name><AccountType>ActivePassive</AccountType><OffBalance>true</OffBalance>"
        f"<AccountingFlags>{flag.format('AccountingFlag.Валютный', 'false')}"
        f"{flag.format('AccountingFlag.Количественный', 'true')}</AccountingFlags><ExtDimensionTypes>"
        + dimension.format("true", "ExtDimensionAccountingFlag.Суммовой", "true")
        + dimension.format("false", "ExtDimensionAccountingFlag.Суммовой", "false")
        + "</ExtDimensionTypes></Item>"
    )
    part = read_part(read_predefined, "ChartsOfAccounts/П/Ext/Predefined.xml", data(account))
    assert part.fields[0].properties == {
        "ВидСчета": "АктивноПассивный",
        "Забалансовый": "Да",
        "ПризнакиУчета": "Количественный",
        "ВидыСубконто": "Склад (только обороты, Суммовой); Склад",
    }


def test_a_calculation_type_names_those_that_it_depends_on() -> None:
    names = "<{0}><CalculationType>ChartOfCalculationTypes.П.{1}</CalculationType></{0}>"
    item = (
        "<Item><Name>Премия</Name><ActionPeriodIsBase>true</ActionPeriodIsBase>"
        + names.format("Base", "Оклад")
        + names.format("Displaced", "Невыход")
        + "</Item>"
    )
    part = read_part(read_predefined, "ChartsOfCalculationTypes/П/Ext/Predefined.xml", data(item))
    assert part.fields[0].properties == {
        "ПериодДействияБазовый": "Да",
        "БазовыеВидыРасчета": "ПланВидовРасчета.П.Оклад",
        "ВытесняющиеВидыРасчета": "ПланВидовРасчета.П.Невыход",
    }


def test_nameless_items_and_files_without_items_are_passed_over() -> None:
    part = read_part(
        read_predefined, CATALOG, data("<Item/><Novelty><Name>В</Name></Novelty><Item><Name>А</Name></Item>")
    )
    assert [item.name for item in part.fields] == ["А"]
    assert read_document(read_predefined, CATALOG, data("")) is None
    assert read_document(read_predefined, CATALOG, "<Help/>") is None


def test_items_nested_deeper_than_any_catalog_are_refused() -> None:
    with pytest.raises(PermanentError, match="depth"):
        read_document(read_predefined, CATALOG, data("<Item><Name>А</Name><ChildItems>" * 50_000))
    levels = 120
    nested = "<Item><Name>А</Name><ChildItems>" * levels + "</ChildItems></Item>" * levels
    assert len(list(walk_fields(read_part(read_predefined, CATALOG, data(nested))))) == levels
