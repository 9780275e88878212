from lxml import etree

from onec_rag.formats.designer.schemas import schema_of
from onec_rag.model.code import Query
from onec_rag.model.report import DataSet, ReportSchema, SchemaField

NAMESPACES = (
    'xmlns="http://v8.1c.ru/8.1/data-composition-system/schema" xmlns:v8="http://v8.1c.ru/8.1/data/core" '
    'xmlns:dcsset="http://v8.1c.ru/8.1/data-composition-system/settings" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
)


def schema(body: str) -> ReportSchema:
    return schema_of(etree.fromstring(f"<DataCompositionSchema {NAMESPACES}>{body}</DataCompositionSchema>"))


def title(text: str, tag: str = "title") -> str:
    return f"<{tag}><v8:item><v8:lang>ru</v8:lang><v8:content>{text}</v8:content></v8:item></{tag}>"


def data_set(name: str, body: str = "", tag: str = "dataSet") -> str:
    return f"<{tag}><name>{name}</name>{body}</{tag}>"


def query(table: str) -> str:
    return f"<query>ВЫБРАТЬ 1 ИЗ {table}</query>"


def test_a_data_set_has_its_query_with_tables_and_its_fields() -> None:
    field = f"<field><dataPath>Шар.Цвет</dataPath><field>Цвет</field>{title('Цвет шара')}</field>"
    value = "<valueType><v8:Type>xs:boolean</v8:Type></valueType>"
    typed = f"<field><dataPath>Хрупкий</dataPath><title>Хрупкий</title>{value}</field>"
    (found,) = schema(data_set("Шары", field + typed + query("Справочник.Шары"))).data_sets
    assert found == DataSet(
        "Шары",
        Query("ВЫБРАТЬ 1 ИЗ Справочник.Шары", ("Справочник.Шары",), "Шары"),
        (SchemaField("Шар.Цвет", {"ru": "Цвет шара"}), SchemaField("Хрупкий", {"": "Хрупкий"}, ("Булево",))),
    )


def test_sets_inside_unions_stand_behind_them_at_any_depth() -> None:
    inner = data_set("Внутри", data_set("Глубже", query("Документ.Продажа"), "item"), "item")
    found = schema(data_set("Союз", inner + data_set("Рядом", "<objectName>Внешний</objectName>", "item"))).data_sets
    assert [item.name for item in found] == ["Союз", "Внутри", "Глубже", "Рядом"]
    assert [item.name for item in found if item.query] == ["Глубже"]


def test_sets_of_nested_schemas_are_called_after_them() -> None:
    inner = f"<nestedSchema><name>Б</name><schema>{data_set('В', query('Справочник.Шары'))}</schema></nestedSchema>"
    found = schema(f"<nestedSchema><name>А</name><schema>{inner}{data_set('Г')}</schema></nestedSchema>").data_sets
    assert [item.name for item in found] == ["А.Б.В", "А.Г"]
    assert found[0].query is not None
    assert found[0].query.symbol == "А.Б.В"


def test_calculated_fields_resources_and_parameters_have_expressions() -> None:
    found = schema(
        f"<calculatedField><dataPath>Доля</dataPath><expression>А / Б</expression>{title('Доля, %')}</calculatedField>"
        "<totalField><dataPath>Сумма</dataPath><expression>Сумма(Сумма)</expression></totalField>"
        "<parameter><name>Начало</name><valueType><v8:Type>xs:dateTime</v8:Type></valueType>"
        "<expression>&amp;Период.ДатаНачала</expression></parameter>"
    )
    assert found.calculated == (SchemaField("Доля", {"ru": "Доля, %"}, expression="А / Б"),)
    assert found.totals == (SchemaField("Сумма", expression="Сумма(Сумма)"),)
    assert found.parameters == (SchemaField("Начало", types=("Дата",), expression="&Период.ДатаНачала"),)


def test_variants_have_titles_by_language_or_one_for_all() -> None:
    def variant(name: str, presentation: str) -> str:
        return f"<settingsVariant><dcsset:name>{name}</dcsset:name>{presentation}<dcsset:settings/></settingsVariant>"

    found = schema(
        variant("Основной", title("Продажи", "dcsset:presentation"))
        + variant("Другой", "<dcsset:presentation>Sales</dcsset:presentation>")
        + variant("Третий", "")
    )
    assert found.variants == (("Основной", {"ru": "Продажи"}), ("Другой", {"": "Sales"}), ("Третий", {}))


def test_parameters_and_fields_of_layouts_are_not_those_of_the_schema() -> None:
    parameter = "<parameter><name>Чужой</name><expression>А</expression></parameter>"
    template = f"<template><name>М</name><template/>{parameter}</template>"
    assert schema(template + "<dataSetLink><parameter>Чужой</parameter></dataSetLink>") == ReportSchema()
