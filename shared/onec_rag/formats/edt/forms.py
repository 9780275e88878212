"""A managed form of a project (`Form.form`) → the same `Form` as of a dump.

EDT tells the kind of an element by two attributes, gives its name as an element, keeps the events of some kinds apart
(`extInfo`), and writes titles and types as everywhere. What a form of an extension was copied from is a file of its
own (`BaseForm/Form.form`), which nobody reads.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.forms import read_form
from onec_rag.formats.edt.shape import XSI_TYPE, dump_name, grouped, property_of
from onec_rag.formats.place import Place
from onec_rag.formats.xml import local_name, parse_xml, text_of
from onec_rag.model.document import Document

_Parts = Mapping[str, list[etree._Element]]
_KINDS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("FormField", "SpreadsheetDocumentField"): "SpreadSheetDocumentField",
        ("FormGroup", ""): "ButtonGroup",
        ("Decoration", ""): "PictureDecoration",
        ("Decoration", "Label"): "LabelDecoration",
        ("Addition", ""): "SearchStringAddition",
    }
)
"""What EDT calls an element and its `type` → the dump's element, where that is not the latter."""

_OWN = (
    "contextMenu",
    "autoCommandBar",
    "extendedTooltip",
    "searchStringAddition",
    "viewStatusAddition",
    "searchControlAddition",
)
"""Elements that come with others, in the dump's order; those that the developer adds stand behind them."""


def read_project_form(place: Place, path: str, data: bytes) -> Document | None:
    """The form at `path` inside a root, `None` for XML that is none."""
    root = parse_xml(data, path)
    if local_name(root) != "Form":
        return None
    form = _element("Form", root)
    parts = grouped(root)
    etree.SubElement(form, "Attributes").extend(map(_attribute, parts.get("attributes", ())))
    etree.SubElement(form, "Commands").extend(map(_command, parts.get("formCommands", ())))
    etree.SubElement(form, "Parameters").extend(
        _typed("Parameter", grouped(part)) for part in parts.get("parameters", ())
    )
    return read_form(place, path, etree.tostring(form))


def _element(kind: str, source: etree._Element) -> etree._Element:
    """The form itself or an element of it, with those inside."""
    parts = grouped(source)
    made = _titled(kind, parts)
    if "dataPath" in parts:
        etree.SubElement(made, "DataPath").text = _path(parts["dataPath"])
    if "commandName" in parts:
        etree.SubElement(made, "CommandName").text = parts["commandName"][0].text
    handlers = parts.get("handlers", [])
    for more in parts.get("extInfo", ()):
        handlers += more.iterchildren("handlers")
    if handlers:
        etree.SubElement(made, "Events").extend(map(_event, handlers))
    for tag in _OWN:
        made.extend(_element(dump_name(tag), own) for own in parts.get(tag, ()))
    if "items" in parts:
        etree.SubElement(made, "ChildItems").extend(_element(_kind(item), item) for item in parts["items"])
    return made


def _titled(kind: str, parts: _Parts) -> etree._Element:
    """A new element of that kind with the name, the title and the tooltip of another."""
    made = etree.Element(kind, name=_text("name", parts))
    for tag in ("title", "toolTip"):
        if tag in parts:
            made.append(property_of(tag, parts[tag]))
    if "title" in parts and _text("formatted", parts) == "true":
        made[0].set("formatted", "true")
    return made


def _kind(item: etree._Element) -> str:
    element = item.get(XSI_TYPE, "").rpartition(":")[2]
    kind = "" if element in ("Button", "Table") else item.findtext("type", "")
    kind = _KINDS.get((element, kind)) or kind or element
    return kind if kind.isascii() and kind.isidentifier() else "Item"


def _path(data_path: Sequence[etree._Element]) -> str:
    return ".".join(text for path in data_path for part in path.iter("segments") if (text := text_of(part)))


def _event(handler: etree._Element) -> etree._Element:
    parts = grouped(handler)
    event = etree.Element("Event", name=_text("event", parts), callType=_text("callType", parts))
    event.text = _text("name", parts)
    return event


def _typed(kind: str, parts: _Parts) -> etree._Element:
    made = _titled(kind, parts)
    if "valueType" in parts:
        made.append(property_of("type", parts["valueType"]))
    return made


def _attribute(source: etree._Element) -> etree._Element:
    parts = grouped(source)
    made = _typed("Attribute", parts)
    etree.SubElement(made, "MainAttribute").text = _text("main", parts)
    columns = etree.SubElement(made, "Columns")
    columns.extend(_typed("Column", grouped(column)) for column in parts.get("columns", ()))
    for table in map(grouped, parts.get("additionalColumns", ())):
        added = etree.SubElement(columns, "AdditionalColumns", table=_path(table.get("tablePath", ())))
        added.extend(_typed("Column", grouped(column)) for column in table.get("columns", ()))
    settings = etree.SubElement(made, "Settings")
    for more in parts.get("extInfo", ()):
        settings.extend(property_of(part.tag, [part]) for part in more.iterchildren("mainTable", "queryText"))
    return made


def _command(source: etree._Element) -> etree._Element:
    made = _titled("Command", grouped(source))
    for name in source.iterfind("action/*/name"):
        etree.SubElement(made, "Action").text = name.text
    return made


def _text(tag: str, parts: _Parts) -> str:
    return text_of(parts[tag][0]) if tag in parts else ""
