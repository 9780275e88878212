"""A data composition schema (a report's template, in EDT `.dcs`: the same XML) → `ReportSchema`."""

from collections.abc import Mapping

from lxml import etree

from onec_rag.formats.designer.properties import localized
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.query import tables_of
from onec_rag.formats.xml import by_name, local_name, text_of
from onec_rag.model.code import Query
from onec_rag.model.metadata import Synonyms
from onec_rag.model.report import DataSet, ReportSchema, SchemaField


def schema_of(root: etree._Element) -> ReportSchema:
    """The schema that a `DataCompositionSchema` element holds, with those nested in it."""
    data_sets: list[DataSet] = []
    fields: dict[str, list[SchemaField]] = {"calculatedField": [], "totalField": [], "parameter": []}
    variants: list[tuple[str, Synonyms]] = []
    stack = [(element, "") for element in reversed(root)]
    while stack:
        element, prefix = stack.pop()
        kind = local_name(element)
        if kind in fields:
            fields[kind].append(_field(element))
        elif kind in ("dataSet", "item"):
            parts = by_name(element)
            data_sets.append(_data_set(element, parts, prefix))
            stack.extend((child, prefix) for child in reversed(element) if local_name(child) == "item")
        elif kind == "settingsVariant":
            parts = by_name(element)
            variants.append((text_of(parts.get("name")), _texts(parts.get("presentation"))))
        elif kind == "nestedSchema":
            parts = by_name(element)
            inner = f"{prefix}{text_of(parts.get('name'))}."
            stack.extend((child, inner) for child in reversed(parts.get("schema", ())))
    return ReportSchema(
        data_sets=tuple(data_sets),
        calculated=tuple(fields["calculatedField"]),
        totals=tuple(fields["totalField"]),
        parameters=tuple(fields["parameter"]),
        variants=tuple(variants),
    )


def _data_set(element: etree._Element, parts: Mapping[str, etree._Element], prefix: str) -> DataSet:
    name = prefix + text_of(parts.get("name"))
    text = text_of(parts.get("query"))
    return DataSet(
        name=name,
        query=Query(text, tables_of(text), name) if text else None,
        fields=tuple(_field(child) for child in element if local_name(child) == "field"),
    )


def _field(element: etree._Element) -> SchemaField:
    parts = by_name(element)
    return SchemaField(
        name=text_of(parts.get("dataPath")) or text_of(parts.get("name")),
        titles=_texts(parts.get("title")),
        types=read_types(parts.get("valueType")),
        expression=text_of(parts.get("expression")),
    )


def _texts(element: etree._Element | None) -> Synonyms:
    """A title by language; a plain string, which is the same in all of them, has none."""
    return localized(element) or ({"": text} if (text := text_of(element)) else {})
