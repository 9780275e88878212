"""A managed form (`Form.xml`) → `Form`: what it is called, what happens in it, what it shows and what it reads.

The same schema (`http://v8.1c.ru/8.3/xcf/logform`) in all versions. The copy of the base form that a form of an
extension carries (`BaseForm`) is never looked at.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from onec_rag.formats.designer.properties import localized
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.form_events import EVENTS
from onec_rag.formats.place import Place
from onec_rag.formats.query import tables_of
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.code import Query
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.form import Form, FormAttribute, FormCommand, FormItem, Handler
from onec_rag.model.metadata import NO_SYNONYMS, Synonyms, title_of

_Parts = Mapping[str, etree._Element]
_SAID = frozenset({"Title", "ToolTip", "DataPath", "CommandName", "Events"})  # what an element has of its own
_NUMBER = re.compile(r"[\d/]++(?::[\da-f-]*+)?")
_MARKUP = re.compile(r"</>|<[a-z]++(?: [^<>]*+)?>")


def read_form(place: Place, path: str, data: bytes) -> Document | None:
    """The form at `path` inside a root, `None` for XML that is none."""
    root = parse_xml(data, path)
    if local_name(root) != "Form":
        return None
    parts = by_name(root)
    form = Form(
        titles=_titles(parts),
        handlers=_handlers(parts),
        attributes=tuple(map(_attribute, _named("Attribute", parts.get("Attributes")))),
        commands=tuple(map(_command, _named("Command", parts.get("Commands")))),
        parameters=tuple(
            (parameter.get("name", ""), read_types(by_name(parameter).get("Type")))
            for parameter in _named("Parameter", parts.get("Parameters"))
        ),
        items=tuple(_items(root)),
    )
    return Document(path, DocumentKind.FORM, place.fqn, title_of(form.titles, place.fqn.rpartition(".")[2]), form)


def without_markup(text: str) -> str:
    """The words of a formatted title: `Код <b>важен</>, <link a>подробнее</>` → `Код важен, подробнее`."""
    return _MARKUP.sub("", text)


def _query(name: str, text: str, main_table: str) -> Query | None:
    """The query of the dynamic list that an attribute holds; `None` where the list has no text of its own."""
    if not text:
        return None
    return Query(text, tuple(dict.fromkeys(filter(None, (main_table, *tables_of(text))))), name)


def _table(reference: str) -> str:
    """The canonical name of a list's table: `Task.X.TasksByExecutive` → `Задача.X.ЗадачиПоИсполнителю`."""
    return next(iter(tables_of(f"FROM {reference}")), "")


def _items(root: etree._Element) -> Iterator[FormItem]:
    """The elements in reading order, without the empty ones that the Configurator makes for each (menus, tooltips)."""
    stack = [(child, 0, False) for child in reversed(root) if child.get("name") or local_name(child) == "ChildItems"]
    while stack:
        element, depth, listed = stack.pop()
        kind = local_name(element)
        if kind == "ChildItems":
            stack.extend((child, depth, True) for child in reversed(element))
            continue
        parts: dict[str, etree._Element] = {}
        inner: list[etree._Element] = []
        grouping = False
        for child in element:
            part = local_name(child)
            if part in _SAID:
                parts.setdefault(part, child)
            elif len(child) and (part == "ChildItems" or child.get("name")):
                inner.append(child)
                grouping = grouping or part == "ChildItems"
        name = element.get("name", "")
        kept = bool(name) and (listed or grouping or bool(parts))
        if kept:
            yield FormItem(
                name=name,
                kind=kind,
                titles=_titles(parts),
                tooltip=_tooltip(parts),
                data_path=_reference(parts.get("DataPath")),
                command=_reference(parts.get("CommandName")),
                handlers=_handlers(parts),
                depth=depth,
            )
        stack.extend((child, depth + kept, False) for child in reversed(inner))


def _reference(element: etree._Element | None) -> str:
    """A path or a command by its name; empty for the bare number of one that is gone (`0`, `1/0:9f3d…`)."""
    text = text_of(element)
    return "" if text[:1].isdigit() and _NUMBER.fullmatch(text) else text


def _named(kind: str, elements: Iterable[etree._Element] | None) -> Iterator[etree._Element]:
    return (
        element
        for element in (() if elements is None else elements)
        if local_name(element) == kind and element.get("name")
    )


def _titles(parts: _Parts) -> Synonyms:
    title = parts.get("Title")
    if title is None:
        return NO_SYNONYMS
    titles = localized(title)
    if title.get("formatted") == "true":
        return {language: without_markup(text) for language, text in titles.items()}
    return titles


def _tooltip(parts: _Parts) -> str:
    return title_of(localized(parts["ToolTip"]), "") if "ToolTip" in parts else ""


def _handlers(parts: _Parts) -> tuple[Handler, ...]:
    if "Events" not in parts:
        return ()
    return tuple(
        Handler(EVENTS.get(name, name), procedure, event.get("callType", ""))
        for event in parts["Events"]
        if (name := event.get("name", "")) and (procedure := text_of(event))
    )


def _attribute(element: etree._Element) -> FormAttribute:
    name, parts = element.get("name", ""), by_name(element)
    settings = by_name(parts.get("Settings", ()))
    main_table = _table(text_of(settings.get("MainTable")))
    return FormAttribute(
        name=name,
        titles=_titles(parts),
        types=read_types(parts.get("Type")),
        main=text_of(parts.get("MainAttribute")) == "true",
        columns=tuple(_columns(parts.get("Columns"))),
        query=_query(name, text_of(settings.get("QueryText")), main_table),
        main_table=main_table,
    )


def _columns(columns: etree._Element | None) -> Iterator[FormAttribute]:
    for element in () if columns is None else columns:
        added = local_name(element) == "AdditionalColumns"
        for column in _named("Column", element if added else (element,)):
            name, parts = column.get("name", ""), by_name(column)
            yield FormAttribute(
                f"{element.get('table', '')}.{name}" if added else name, _titles(parts), read_types(parts.get("Type"))
            )


def _command(element: etree._Element) -> FormCommand:
    parts = by_name(element)
    return FormCommand(
        name=element.get("name", ""),
        titles=_titles(parts),
        tooltip=_tooltip(parts),
        action=", ".join(text for part in element if local_name(part) == "Action" and (text := text_of(part))),
    )
