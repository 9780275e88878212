"""The route map of a business process (`Ext/Flowchart.xml`) → its route points, as fields of the process."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.designer.properties import localized
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document
from onec_rag.model.metadata import Field, title_of

_Properties = Mapping[str, etree._Element]
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "Start": "Старт",
        "Completion": "Завершение",
        "Activity": "Действие",
        "Condition": "Условие",
        "Switch": "ВыборВарианта",
        "Split": "Разделение",
        "Join": "Слияние",
        "Processing": "Обработка",
        "SubBusinessProcess": "ВложенныйБизнесПроцесс",
    }
)
_EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "BeforeStart": "ПередСтартом",
        "OnComplete": "ПриЗавершении",
        "ConditionCheck": "ПроверкаУсловия",
        "SwitchProcessing": "ОбработкаВыбораВарианта",
        "Processing": "Обработка",
        "InteractiveActivationProcessing": "ОбработкаИнтерактивнойАктивации",
        "BeforeCreateTasks": "ПередСозданиемЗадач",
        "OnCreateTask": "ПриСозданииЗадач",
        "BeforeExecute": "ПередВыполнением",
        "BeforeExecuteInteractively": "ПередВыполнениемИнтерактивно",
        "OnExecute": "ПриВыполнении",
        "CheckExecutionProcessing": "ОбработкаПроверкиВыполнения",
        "BeforeCreateSubBusinessProcesses": "ПередСозданиемВложенныхБизнесПроцессов",
        "OnCreateSubBusinessProcesses": "ПриСозданииВложенныхБизнесПроцессов",
    }
)
_FACTS: Mapping[str, str] = MappingProxyType(
    {
        "TaskDescription": "НаименованиеЗадачи",
        "Explanation": "Пояснение",
        "Group": "Групповая",
        "Subprocess": "ВложенныйБизнесПроцесс",
    }
)
_BRANCHES: Mapping[str, str] = MappingProxyType({"TruePortIndex": "Да", "FalsePortIndex": "Нет"})


def read_flowchart(place: Place, path: str, data: bytes) -> Document | None:
    """The route points at `path` inside a root, `None` where there are none.

    A point says its kind, what calls which procedure, whom a task is addressed to, and where the route goes on.
    """
    root = parse_xml(data, path)
    items = by_name(root).get("Items", ()) if local_name(root) == "GraphicalSchema" else ()
    properties = [by_name(by_name(item).get("Properties", ())) for item in items]
    ways: dict[str, list[_Way]] = {}
    for item, line in zip(items, properties, strict=True):
        if local_name(item) == "ConnectionLine":
            start, way = _way(line)
            ways.setdefault(start, []).append(way)
    points = (_point(item, said, ways) for item, said in zip(items, properties, strict=True))
    return part_of(place, path, fields=list(filter(None, points)))


@dataclass(frozen=True, slots=True)
class _Way:
    """A line: the port where it leaves a point, what stands on it, and where it leads."""

    port: str
    title: str
    end: str


def _way(line: _Properties) -> tuple[str, _Way]:
    """Where a line begins, and the way from there."""
    ends = by_name(line.get("Connect", ()))
    start, end = by_name(ends.get("From", ())), by_name(ends.get("To", ()))
    title = title_of(localized(line.get("Title")), "")
    return text_of(start.get("Item")), _Way(text_of(start.get("PortIndex")), title, text_of(end.get("Item")))


def _point(item: etree._Element, said: _Properties, ways: Mapping[str, Sequence[_Way]]) -> Field | None:
    """A route point; `None` for lines and decorations, which have no `uuid`."""
    name = text_of(said.get("Name"))
    if not name or not item.get("uuid"):
        return None
    facts = {"ВидТочкиМаршрута": _KINDS.get(local_name(item), local_name(item))}
    for key, label in _FACTS.items():
        value = text_of(said.get(key))
        if value and value != "false":
            facts[label] = "Да" if value == "true" else target_of(value) or value
    if addressees := ", ".join(_addressees(said.get("AddressingAttributes"))):
        facts["Адресация"] = addressees
    for event in by_name(item).get("Events", ()):
        if handler := text_of(event):
            facts[_EVENTS.get(event.get("name", ""), event.get("name", ""))] = handler
    if leads := ", ".join(_leads(said, ways.get(name, ()))):
        facts["Далее"] = leads
    return Field(
        kind="RoutePoint",
        name=name,
        synonyms=localized(said.get("Title")),
        tooltip=title_of(localized(said.get("ToolTip")), ""),
        properties=facts,
    )


def _leads(said: _Properties, ways: Sequence[_Way]) -> Iterator[str]:
    """Where the route goes on: `Списать (Нет)`; a branch of a condition has a name even where its line has none."""
    branches = {text_of(said[index]): name for index, name in _BRANCHES.items() if index in said}
    for way in ways:
        title = way.title or branches.get(way.port, "")
        if way.end:
            yield f"{way.end} ({title})" if title else way.end


def _addressees(attributes: etree._Element | None) -> Iterator[str]:
    """`РольИсполнителя = Кассир`; attributes that the map leaves open say nothing."""
    for attribute in () if attributes is None else attributes:
        value = text_of(by_name(attribute).get("Value"))
        if value and not value.endswith(".EmptyRef"):
            yield f"{attribute.get('ref', '').rpartition('.')[2]} = {target_of(value) or value}"
