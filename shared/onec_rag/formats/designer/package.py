"""An XDTO package (`Ext/Package.bin`, which is XML in spite of its name) → its types and properties as fields.

The model is that of XDTO, a dialect of XML Schema: `package/{import, property, valueType, objectType}`; the type of a
property may be defined in place (`typeDef`).
"""

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import cast

from lxml import etree

from onec_rag.formats.designer.part import part_of
from onec_rag.formats.designer.types import type_name
from onec_rag.formats.place import Place
from onec_rag.formats.xml import local_name, parse_xml, text_of
from onec_rag.model.document import Document
from onec_rag.model.metadata import Field

_KINDS: Mapping[str, str] = MappingProxyType(
    {"property": "Property", "objectType": "ObjectType", "valueType": "ValueType"}
)
_TYPES = frozenset({"type", "base", "memberTypes", "itemType"})
_FACTS: Mapping[str, str] = MappingProxyType(
    {
        "nillable": "ВозможноПустое",
        "form": "Форма",
        "default": "ЗначениеПоУмолчанию",
        "fixed": "Фиксированное",
        "localName": "ЛокальноеИмя",
        "abstract": "Абстрактный",
        "open": "Открытый",
        "sequenced": "Последовательный",
        "variety": "Вариант",
        "length": "Длина",
        "minLength": "МинДлина",
        "maxLength": "МаксДлина",
        "totalDigits": "ВсегоРазрядов",
        "fractionDigits": "РазрядовДробнойЧасти",
        "minInclusive": "МинВключающее",
        "maxInclusive": "МаксВключающее",
        "minExclusive": "МинИсключающее",
        "maxExclusive": "МаксИсключающее",
    }
)
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "true": "Да",
        "false": "",
        "Element": "",
        "Atomic": "",
        "Attribute": "Атрибут",
        "Text": "Текст",
        "List": "Список",
        "Union": "Объединение",
    }
)
_LISTS = (("{*}enumeration", "Перечисление"), ("{*}pattern", "Образец"))
_NAMED_ALONE = ("http://www.w3.org/2001/XMLSchema", "http://v8.1c.ru/8.")
"""Namespaces of the platform begin so: their types are known by their names."""


def read_package(place: Place, path: str, data: bytes) -> Document | None:
    """The package at `path` inside a root, `None` for XML that is none or defines nothing."""
    root = parse_xml(data, path)
    if local_name(root) != "package":
        return None
    imports = [part.get("namespace", "") for part in root.iterchildren("{*}import")]
    foreign = frozenset(name for name in imports if name and not name.startswith(_NAMED_ALONE))
    properties = {"Импорт": ", ".join(imports)} if imports else {}
    return part_of(place, path, properties=properties, fields=_fields(root, foreign))


def _fields(parent: etree._Element, foreign: Set[str]) -> list[Field]:
    return [field for part in parent if (field := _field(part, foreign)) is not None]


def _field(part: etree._Element, foreign: Set[str]) -> Field | None:
    """A type or a property; `None` for what has no name, and for elements that are neither."""
    kind = _KINDS.get(local_name(part))
    name = part.get("name") or part.get("ref", "").rpartition(":")[2]
    if not kind or not name:
        return None
    types: list[str] = []
    facts: dict[str, str] = {}
    fields: list[Field] = []
    _gather(part, foreign, types, facts)
    if kind == "Property" and (bounds := _bounds(part)) != "1..1":
        facts["Кратность"] = bounds
    if len(part):
        for place in (part, *part.iterchildren("{*}typeDef")):
            if place is not part:
                _gather(place, foreign, types, facts)
            for element, label in _LISTS:
                if values := ", ".join(filter(None, map(text_of, place.iterchildren(element)))):
                    facts[label] = values
            fields += _fields(place, foreign)
    return Field(kind=kind, name=name, types=tuple(types), properties=facts, fields=tuple(fields))


def _gather(part: etree._Element, foreign: Set[str], types: list[str], facts: dict[str, str]) -> None:
    """Adds what the attributes of a type, or of a property, say; there may be a hundred thousand in a dump."""
    for name, value in cast(list[tuple[str, str]], part.items()):  # bytes come from lxml in Python 2 alone
        if name in _TYPES:
            types += [_called(text, part, foreign) for text in value.split()]
        elif name in _FACTS and (said := _VALUES.get(value, value)):
            facts[_FACTS[name]] = said


def _bounds(part: etree._Element) -> str:
    upper = part.get("upperBound", "1")
    return f"{part.get('lowerBound', '1')}..{'*' if upper == '-1' else upper}"


def _called(name: str, part: etree._Element, foreign: Set[str]) -> str:
    """A type as a developer reads it; one of a package that is imported has its namespace in brackets."""
    if not foreign or name.startswith("xs:"):
        return type_name(name)
    prefix, _, local = name.rpartition(":")
    namespace = part.nsmap.get(prefix or None)
    return f"{local} ({namespace})" if namespace in foreign else type_name(local)
