import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.edt.descriptor import CHILDREN
from onec_rag.formats.edt.objects import read_project_object
from onec_rag.formats.edt.paths import edt_place_of
from onec_rag.formats.place import Place
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import Field, Link, MetadataObject
from unit.formats.edt.trees import check, files

NAMESPACES = (
    'xmlns:mdclass="http://g5.1c.ru/v8/dt/metadata/mdclass" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:core="http://g5.1c.ru/v8/dt/mcore"'
)
CATALOG = "Catalogs/Ёлки/Ёлки.mdo"
PLAN = "ExchangePlans/Обмен/Обмен.mdo"
CHART = "ChartsOfAccounts/План/План.mdo"
CONFIGURATION = "Configuration/Configuration.mdo"
TABLE = "ExternalDataSources/Источник/Tables/Таблица/Таблица.mdo"
KINDS = {
    CATALOG: "Catalog",
    PLAN: "ExchangePlan",
    CHART: "ChartOfAccounts",
    CONFIGURATION: "Configuration",
    TABLE: "Table",
}


def place_of(path: str) -> Place:
    place = edt_place_of(path)
    assert place is not None
    return place


def read(path: str, kind: str, xml: str) -> Document:
    data = f'<?xml version="1.0" encoding="UTF-8"?>\n<mdclass:{kind} {NAMESPACES}>{xml}</mdclass:{kind}>'.encode()
    document = read_project_object(place_of(path), path, data)
    assert document is not None
    return document


def content(path: str, kind: str, xml: str) -> MetadataObject:
    found = read(path, kind, xml).content
    assert isinstance(found, MetadataObject)
    return found


def test_an_object_is_called_as_in_a_dump() -> None:
    document = read(CATALOG, "Catalog", "<name>Ёлки</name><synonym><key>ru</key><value>Наши ёлки</value></synonym>")
    assert (document.kind, document.fqn, document.title) == (DocumentKind.OBJECT, "Справочник.Ёлки", "Наши ёлки")


def test_predefined_items_are_fields_nested_as_they_are() -> None:
    catalog = content(
        CATALOG,
        "Catalog",
        "<name>Ёлки</name><predefined><items><name>Хвойные</name><description>Хвойные деревья</description>"
        '<code xsi:type="core:StringValue"><value>001</value></code><isFolder>true</isFolder>'
        "<content><name>Ель</name></content></items></predefined>",
    )
    (folder,) = catalog.fields
    assert (folder.kind, folder.name) == ("PredefinedItem", "Хвойные")
    assert folder.properties == {"Код": "001", "Наименование": "Хвойные деревья", "ЭтоГруппа": "Да"}
    assert folder.fields == (Field("PredefinedItem", "Ель"),)


def test_an_account_is_active_unless_it_says_otherwise_and_names_the_flags_that_are_set() -> None:
    chart = content(
        CHART,
        "ChartOfAccounts",
        "<name>План</name><predefined><items><name>Лес</name><code>10</code>"
        "<accountingFlags>ChartOfAccounts.План.AccountingFlag.Штучный</accountingFlags>"
        "<extDimensionTypes><characteristicType>ChartOfCharacteristicTypes.Виды.Участок</characteristicType>"
        "<turnover>true</turnover><extDimensionAccountingFlags>ChartOfAccounts.План.ExtDimensionAccountingFlag.Сумма"
        "</extDimensionAccountingFlags></extDimensionTypes><childItems><name>Ели</name>"
        "<accountType>Passive</accountType></childItems></items></predefined>",
    )
    (account,) = chart.fields
    assert account.properties == {
        "Код": "10",
        "ВидСчета": "Активный",
        "ПризнакиУчета": "Штучный",
        "ВидыСубконто": "Участок (только обороты, Сумма)",
    }
    assert account.fields == (Field("PredefinedItem", "Ели", properties={"ВидСчета": "Пассивный"}),)


def test_a_predefined_bot_has_no_items() -> None:
    bot = content("Bots/Ёж/Ёж.mdo", "Bot", "<name>Ёж</name><predefined>true</predefined>")
    assert (bot.properties, bot.fields) == ({"Предопределенный": "Да"}, ())


def test_the_content_of_an_exchange_plan_registers_only_what_says_so() -> None:
    plan = content(
        PLAN,
        "ExchangePlan",
        "<name>Обмен</name><content><mdObject>Catalog.Ёлки</mdObject><autoRecord>Allow</autoRecord></content>"
        "<content><mdObject>Document.Рубка</mdObject></content>",
    )
    assert sorted(plan.links, key=str) == [
        Link("авторегистрация", "Справочник.Ёлки"),
        Link("состав", "Документ.Рубка"),
        Link("состав", "Справочник.Ёлки"),
    ]


def test_languages_are_fields_of_the_configuration() -> None:
    configuration = content(
        CONFIGURATION,
        "Configuration",
        "<name>Лес</name><languages><name>Русский</name><synonym><key>ru</key><value>Русский язык</value></synonym>"
        "<languageCode>ru</languageCode></languages><languages><comment>без имени</comment></languages>",
    )
    assert configuration.fields == (
        Field("Language", "Русский", {"ru": "Русский язык"}, properties={"КодЯзыка": "ru"}),
    )


def test_a_table_of_an_external_source_is_a_part_of_the_source_with_its_forms() -> None:
    document = read(TABLE, "Table", "<name>Таблица</name><forms><name>Ф</name></forms>")
    assert (document.kind, document.fqn) == (DocumentKind.PART, "ВнешнийИсточникДанных.Источник.Таблица.Таблица")
    assert isinstance(document.content, MetadataObject)
    (table,) = document.content.fields
    assert (document.content.fqn, table.kind) == ("ВнешнийИсточникДанных.Источник", "Table")
    assert [field.name for field in table.fields] == ["Ф"]


@pytest.mark.parametrize("path", KINDS)
def test_a_descriptor_that_contradicts_its_place_is_an_error_with_its_line(path: str) -> None:
    with pytest.raises(PermanentError, match="expected, Enum found") as raised:
        read(path, "Enum", "<name>Виды</name>")
    assert (raised.value.path, raised.value.place) == (path, "line 2")


def test_an_object_without_a_name_is_an_error() -> None:
    with pytest.raises(PermanentError, match="no name"):
        read(CATALOG, "Catalog", "<name> </name>")


def test_other_xml_is_none() -> None:
    assert read_project_object(place_of(CATALOG), CATALOG, b"<project/>") is None


@pytest.mark.parametrize("depth", [80, 250, 100_000])
@pytest.mark.parametrize("tag", ["attributes", "content", "predefined", "items", "value", "type", "неизвестно"])
def test_deep_nesting_is_read_or_refused(tag: str, depth: int) -> None:
    nested = f"<{tag}><name>а</name>" * depth + f"</{tag}>" * depth
    try:
        document = read(CATALOG, "Catalog", f"<name>Ёлки</name>{nested}")
    except PermanentError:
        assert depth > 80
    else:
        assert document.fqn == "Справочник.Ёлки"


WORDS = (
    *CHILDREN,
    *("name", "synonym", "key", "value", "type", "types", "state", "content", "mdObject", "metadata", "use"),
    *("predefined", "items", "childItems", "code", "extension", "typeExtension", "objectBelonging", "languages"),
    *("standardAttributes", "accountType", "extDimensionTypes", "red", "color", "nsUri", "Неизвестно"),
)


@pytest.mark.parametrize("path", KINDS)
@given(data=st.data())
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(path: str, data: st.DataObject) -> None:
    check(read_project_object, place_of(path), path, data.draw(files(KINDS[path], WORDS)))
