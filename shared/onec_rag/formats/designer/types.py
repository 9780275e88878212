"""Types of a Configurator dump, as a 1C developer reads them in Russian.

A type is a qualified name written as text (`cfg:CatalogRef.Валюты`). The prefix is whatever the file declares, at times
anew in every element, and local names do not clash, so it is cut off.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.xml import local_name, text_of
from onec_rag.model.metadata import KIND_BY_NAME

_SIMPLE: Mapping[str, str] = MappingProxyType(
    {
        "string": "Строка",
        "decimal": "Число",
        "dateTime": "Дата",
        "boolean": "Булево",
        "base64Binary": "ДвоичныеДанные",
        "hexBinary": "ДвоичныеДанные",
        "Null": "Null",
        "Type": "Тип",
        "UUID": "УникальныйИдентификатор",
        "ValueStorage": "ХранилищеЗначения",
        "ValueListType": "СписокЗначений",
        "ValueTable": "ТаблицаЗначений",
        "ValueTree": "ДеревоЗначений",
        "TypeDescription": "ОписаниеТипов",
        "StandardPeriod": "СтандартныйПериод",
        "StandardBeginningDate": "СтандартнаяДатаНачала",
        "Array": "Массив",
        "FixedArray": "ФиксированныйМассив",
        "Structure": "Структура",
        "FixedStructure": "ФиксированнаяСтруктура",
        "Map": "Соответствие",
        "FixedMap": "ФиксированноеСоответствие",
        "Color": "Цвет",
        "Font": "Шрифт",
        "Border": "Рамка",
        "Picture": "Картинка",
        "FormattedString": "ФорматированнаяСтрока",
        "SpreadsheetDocument": "ТабличныйДокумент",
        "TextDocument": "ТекстовыйДокумент",
        "FormattedDocument": "ФорматированныйДокумент",
        "Chart": "Диаграмма",
        "AccountType": "ВидСчета",
        "AccumulationRecordType": "ВидДвиженияНакопления",
        "AccountingRecordType": "ВидДвиженияБухгалтерии",
        "DynamicList": "ДинамическийСписок",
        "ConstantsSet": "НаборКонстант",
        "SettingsComposer": "КомпоновщикНастроекКомпоновкиДанных",
        "AnyRef": "ЛюбаяСсылка",
        "AnyIBRef": "ЛюбаяСсылка",
        "DefinedType": "ОпределяемыйТип",
        "Characteristic": "Характеристика",
        "BusinessProcessRoutePointRef": "ТочкаМаршрутаБизнесПроцессаСсылка",
        "ReportBuilder": "ПостроительОтчета",
        "GeographicalSchema": "ГеографическаяСхема",
        "FlowchartContextType": "ГрафическаяСхема",
        "RecalculationRecordSet": "ПерерасчетНаборЗаписей",
        "Filter": "ОтборКомпоновкиДанных",
        "Field": "ПолеКомпоновкиДанных",
        "DataCompositionComparisonType": "ВидСравненияКомпоновкиДанных",
        "DataCompositionSortDirection": "НаправлениеСортировкиКомпоновкиДанных",
        "DataCompositionGroupType": "ТипГруппировкиКомпоновкиДанных",
        "DataCompositionPeriodAdditionType": "ТипДополненияПериодаКомпоновкиДанных",
        "DataCompositionFieldPlacement": "РасположениеПоляКомпоновкиДанных",
        "VerticalAlign": "ВертикальноеПоложение",
        "FillChecking": "ПроверкаЗаполнения",
    }
)
_SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        "Ref": "Ссылка",
        "Object": "Объект",
        "Manager": "Менеджер",
        "Selection": "Выборка",
        "List": "Список",
        "RecordSet": "НаборЗаписей",
        "RecordManager": "МенеджерЗаписи",
        "RecordKey": "КлючЗаписи",
        "Record": "Запись",
        "ValueManager": "МенеджерЗначения",
        "ValueKey": "КлючЗначения",
        "TabularSection": "ТабличнаяЧасть",
        "TableRef": "ТаблицаСсылка",
        "TableObject": "ТаблицаОбъект",
        "TableRecordSet": "ТаблицаНаборЗаписей",
        "TableRecordManager": "ТаблицаМенеджерЗаписи",
        "CubeRecordSet": "КубНаборЗаписей",
        "CubeDimensionTableRef": "КубТаблицаИзмеренияСсылка",
        "CubeDimensionTableObject": "КубТаблицаИзмеренияОбъект",
    }
)
_OBJECT_TYPE = re.compile(
    f"({'|'.join(sorted(KIND_BY_NAME, key=len, reverse=True))})({'|'.join(sorted(_SUFFIXES, key=len, reverse=True))})"
)
_OWNERS: Mapping[str, str] = MappingProxyType(
    {
        "DefinedType": "ОпределяемыйТип",
        "Characteristic": "ПланВидовХарактеристик",
        "BusinessProcessRoutePointRef": "БизнесПроцесс",
    }
)
_INSIDE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"Table": ("Таблица",), "CubeDimensionTable": ("Куб", "ТаблицаИзмерения"), "Cube": ("Куб",)}
)
"""What the names behind that of an external data source are of, by what the type's suffix begins with."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


@lru_cache(maxsize=4096)
def type_name(text: str) -> str:
    """`cfg:CatalogRef.X` → `СправочникСсылка.X`; a whole class has no name; an unknown type stays as it is written."""
    head, dot, name = _without_prefix(text).partition(".")
    if head in _SIMPLE:
        return _SIMPLE[head] + dot + name
    found = _OBJECT_TYPE.fullmatch(head)
    russian = KIND_BY_NAME[found[1]].ru + _SUFFIXES[found[2]] if found else head
    return russian + dot + name


def owner_of_type(text: str) -> str:
    """The FQN of the object that a type belongs to: `cfg:CatalogObject.X` → `Справочник.X`; empty for other types."""
    head, _, name = _without_prefix(text).partition(".")
    found = _OBJECT_TYPE.fullmatch(head)
    owner = KIND_BY_NAME[found[1]].ru if found else _OWNERS.get(head, "")
    if not owner or not name:
        return ""
    if found and found[1] == "ExternalDataSource":
        words = next((words for prefix, words in _INSIDE.items() if found[2].startswith(prefix)), ())
        source, *names = name.split(".")
        name = ".".join([source, *(f"{word}.{part}" for word, part in zip(words, names, strict=False))])
    return f"{owner}.{name}"


def read_types(element: etree._Element | None) -> tuple[str, ...]:
    """The types of a `Type` property with their qualifiers: `Строка(50)`, `Число(15,2)`.

    A string of any length and a number without a limit have no brackets; a date that is a time only is `Время`. Of a
    type that an extension widens, those of the base configuration (`CheckValue`) come first. Types that are named by
    an id alone, since what they were of has vanished, are left out.
    """
    if element is None:
        return ()
    if not len(element):
        return (type_name(text_of(element)),) if text_of(element) else ()
    wrapped = [part for part in element if local_name(part) in ("CheckValue", "ExtendValue")]
    return tuple(dict.fromkeys(name for part in wrapped or (element,) for name in _described(part)))


def is_bare_id(text: str) -> bool:
    """Whether a reference has no name any more, because what it was to has vanished."""
    return _ID.match(text) is not None


def _described(element: etree._Element) -> Iterator[str]:
    names: list[str] = []
    qualifiers: dict[str, str] = {}
    for part in element.iter():
        kind = local_name(part)
        if kind in ("Type", "TypeSet") and not len(part):
            names.append(type_name(text_of(part)))
        elif text_of(part):
            qualifiers.setdefault(kind, text_of(part))
    return (_qualified(name, qualifiers) for name in names if name and not is_bare_id(name))


def _qualified(name: str, qualifiers: Mapping[str, str]) -> str:
    length, digits = qualifiers.get("Length", "0"), qualifiers.get("Digits", "0")
    if name == "Строка" and length != "0":
        return f"Строка({length})"
    if name == "Число" and digits != "0":
        return f"Число({digits},{qualifiers.get('FractionDigits', '0')})"
    if name == "Дата" and qualifiers.get("DateFractions") == "Time":
        return "Время"
    return name


def _without_prefix(text: str) -> str:
    return text.strip().rpartition(":")[2]
