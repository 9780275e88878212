"""Predefined items of a catalog or chart (`Ext/Predefined.xml`) → fields of its object, nested as the items are."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document
from onec_rag.model.metadata import Field

_FACTS: Mapping[str, str] = MappingProxyType(
    {
        "Code": "Код",
        "Description": "Наименование",
        "IsFolder": "ЭтоГруппа",
        "AccountType": "ВидСчета",
        "OffBalance": "Забалансовый",
        "Order": "Порядок",
        "ActionPeriodIsBase": "ПериодДействияБазовый",
    }
)
_VALUES: Mapping[str, str] = MappingProxyType(
    {"true": "Да", "Active": "Активный", "Passive": "Пассивный", "ActivePassive": "АктивноПассивный"}
)
_CALCULATION_TYPES: Mapping[str, str] = MappingProxyType(
    {"Base": "БазовыеВидыРасчета", "Leading": "ВедущиеВидыРасчета", "Displaced": "ВытесняющиеВидыРасчета"}
)


def read_predefined(place: Place, path: str, data: bytes) -> Document | None:
    """The predefined items at `path` inside a root, `None` where there are none.

    Raises `PermanentError` for XML that can't be read, which includes items nested deeper than the parser goes.
    """
    root = parse_xml(data, path)
    if local_name(root) != "PredefinedData":
        return None
    return part_of(place, path, fields=list(_items(root)))


def _items(parent: etree._Element) -> Iterator[Field]:
    for item in parent:
        parts = by_name(item)
        if local_name(item) == "Item" and (name := text_of(parts.get("Name"))):
            yield Field(
                kind="PredefinedItem",
                name=name,
                types=read_types(parts.get("Type")),
                properties=dict(_facts(parts)),
                fields=tuple(_items(parts["ChildItems"])) if "ChildItems" in parts else (),
            )


def _facts(parts: Mapping[str, etree._Element]) -> Iterator[tuple[str, str]]:
    for name, label in _FACTS.items():
        value = text_of(parts.get(name))
        if value and value != "false":
            yield label, _VALUES.get(value, value)
    if flags := ", ".join(_flags(parts.get("AccountingFlags"))):
        yield "ПризнакиУчета", flags
    if dimensions := "; ".join(_dimensions(parts.get("ExtDimensionTypes"))):
        yield "ВидыСубконто", dimensions
    for name, label in _CALCULATION_TYPES.items():
        if names := ", ".join(filter(None, (target_of(text_of(part)) for part in parts.get(name, ())))):
            yield label, names


def _flags(flags: etree._Element | None) -> Iterator[str]:
    for flag in () if flags is None else flags:
        if text_of(flag) == "true":
            yield _last_word(flag.get("ref", ""))


def _dimensions(dimensions: etree._Element | None) -> Iterator[str]:
    """`Цвет (Суммовой, ПоКоличеству)`."""
    for dimension in () if dimensions is None else dimensions:
        parts = by_name(dimension)
        facts = ["только обороты"] if text_of(parts.get("Turnover")) == "true" else []
        facts += _flags(parts.get("AccountingFlags"))
        yield _last_word(dimension.get("name", "")) + (f" ({', '.join(facts)})" if facts else "")


def _last_word(reference: str) -> str:
    return reference.rpartition(".")[2]
