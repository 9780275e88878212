import pytest
from lxml import etree

from onec_rag.formats.designer.types import owner_of_type, read_types, type_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("xs:boolean", "Булево"),
        ("v8:ValueStorage", "ХранилищеЗначения"),
        ("v8:UUID", "УникальныйИдентификатор"),
        ("cfg:CatalogRef.Валюты", "СправочникСсылка.Валюты"),
        ("d4p1:CatalogRef.Валюты", "СправочникСсылка.Валюты"),
        ("CatalogRef.Валюты", "СправочникСсылка.Валюты"),
        ("cfg:EnumRef.Статусы", "ПеречислениеСсылка.Статусы"),
        ("cfg:DefinedType.Деньги", "ОпределяемыйТип.Деньги"),
        ("cfg:Characteristic.Виды", "Характеристика.Виды"),
        ("cfg:DocumentRef", "ДокументСсылка"),
        ("cfg:AnyIBRef", "ЛюбаяСсылка"),
        ("cfg:ChartOfCharacteristicTypesObject.В", "ПланВидовХарактеристикОбъект.В"),
        ("cfg:InformationRegisterRecordSet.Р", "РегистрСведенийНаборЗаписей.Р"),
        ("cfg:ConstantValueManager.К", "КонстантаМенеджерЗначения.К"),
        ("cfg:ExternalDataSourceTableRef.И.Т", "ВнешнийИсточникДанныхТаблицаСсылка.И.Т"),
        ("d6p1:ExchangeFeatures", "ExchangeFeatures"),
    ],
)
def test_types_are_named_as_a_developer_reads_them_whatever_the_prefix(text: str, name: str) -> None:
    assert type_name(text) == name


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("cfg:CatalogObject.Валюты", "Справочник.Валюты"),
        ("cfg:DefinedType.Деньги", "ОпределяемыйТип.Деньги"),
        ("cfg:Characteristic.Виды", "ПланВидовХарактеристик.Виды"),
        ("cfg:BusinessProcessRoutePointRef.Приёмка", "БизнесПроцесс.Приёмка"),
        ("cfg:ExternalDataSourceTableRef.И.Т", "ВнешнийИсточникДанных.И.Таблица.Т"),
        ("cfg:ExternalDataSourceCubeDimensionTableRef.И.К.Т", "ВнешнийИсточникДанных.И.Куб.К.ТаблицаИзмерения.Т"),
        ("cfg:CatalogObject", ""),
        ("xs:string", ""),
        ("http://v8.1c.ru/8.1/data/core", ""),
    ],
)
def test_the_owner_of_a_type_is_the_object_it_is_made_of(text: str, owner: str) -> None:
    assert owner_of_type(text) == owner


@pytest.mark.parametrize(
    ("inside", "types"),
    [
        ("", ()),
        ("Color", ("Цвет",)),
        ("<Type>xs:string</Type><StringQualifiers><Length>0</Length></StringQualifiers>", ("Строка",)),
        ("<Type>xs:string</Type><StringQualifiers><Length>50</Length></StringQualifiers>", ("Строка(50)",)),
        (
            "<Type>xs:decimal</Type><NumberQualifiers><Digits>15</Digits><FractionDigits>2</FractionDigits>"
            "</NumberQualifiers>",
            ("Число(15,2)",),
        ),
        ("<Type>xs:decimal</Type>", ("Число",)),
        ("<Type>xs:dateTime</Type><DateQualifiers><DateFractions>Date</DateFractions></DateQualifiers>", ("Дата",)),
        ("<Type>xs:dateTime</Type><DateQualifiers><DateFractions>Time</DateFractions></DateQualifiers>", ("Время",)),
        ("<TypeSet>cfg:CatalogRef</TypeSet><Type>xs:boolean</Type>", ("СправочникСсылка", "Булево")),
        ("<Type>48fa9d68-ae46-4d76-988a-88927f7a0ca6</Type><Type>xs:boolean</Type>", ("Булево",)),
        (
            "<CheckValue><Type>xs:string</Type></CheckValue><ExtendValue><Type>xs:string</Type><Type>xs:decimal</Type>"
            "<NumberQualifiers><Digits>5</Digits></NumberQualifiers></ExtendValue>",
            ("Строка", "Число(5,0)"),
        ),
        ("<ExtendValue><Type>a:EnumRef.А</Type><Type>b:EnumRef.А</Type></ExtendValue>", ("ПеречислениеСсылка.А",)),
    ],
)
def test_a_type_property_is_read_with_its_qualifiers(inside: str, types: tuple[str, ...]) -> None:
    assert read_types(etree.fromstring(f"<Type>{inside}</Type>")) == types


def test_no_property_has_no_types() -> None:
    assert read_types(None) == ()
