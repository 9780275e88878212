"""Trees of EDT in the shape of a Configurator dump, so that both are read in one place.

EDT writes the same properties otherwise: names in lower camel case, a list as siblings of one name, texts in languages
as `key` and `value`, types by the names of the language, and no property that has its default value.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.xml import text_of

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "precision": "Digits",
        "scale": "FractionDigits",
        "httpMethod": "HTTPMethod",
        "xdtoPackages": "XDTOPackages",
        "xdtoValueType": "XDTOValueType",
        "xdtoReturningValueType": "XDTOReturningValueType",
    }
)
"""Names that are not those of a dump with a small first letter."""

_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "String": "string",
        "Number": "decimal",
        "Boolean": "boolean",
        "Date": "dateTime",
        "BinaryData": "base64Binary",
        "ValueList": "ValueListType",
        "DataCompositionSettingsComposer": "SettingsComposer",
        "DataCompositionFilter": "Filter",
        "DataCompositionField": "Field",
        "GraphicalSchema": "FlowchartContextType",
    }
)
"""Types that a dump calls otherwise."""

_PALETTES: Mapping[str, str] = MappingProxyType({"Web": "web", "Windows": "win", "Style": "style"})
XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_LISTS = frozenset({"standardAttributes", "standardTabularSections", "content", "base", "leading", "displaced"})
"""Properties that are lists in a dump even of one element."""


def grouped(elements: Iterable[etree._Element]) -> dict[str, list[etree._Element]]:
    """Elements by name, in order of appearance; below the root of a file of EDT none has a namespace."""
    groups: dict[str, list[etree._Element]] = {}
    for element in elements:
        groups.setdefault(str(element.tag), []).append(element)
    return groups


def dump_name(tag: str) -> str:
    """The dump's name of a property, attribute or section: `objectBelonging` → `ObjectBelonging`."""
    return _NAMES.get(tag) or tag[:1].upper() + tag[1:]


def property_of(tag: str, group: Sequence[etree._Element]) -> etree._Element:
    """The one property of a dump for all siblings of one name: a value, a text in languages or a list of items."""
    made = etree.Element(dump_name(tag))
    if all(part.find("key") is not None for part in group):
        for part in group:
            item = etree.SubElement(made, "item")
            etree.SubElement(item, "lang").text = part.findtext("key")
            etree.SubElement(item, "content").text = part.findtext("value")
    elif len(group) > 1 or tag in _LISTS:
        for part in group:
            _fill(etree.SubElement(made, "Item", name=part.findtext("name", "").strip()), part)
    else:
        _fill(made, group[0])
    return made


def _fill(made: etree._Element, part: etree._Element) -> None:
    groups = grouped(part)
    kind = part.get(XSI_TYPE, "").rpartition(":")[2]
    if kind in ("ColorDef", "ColorRef"):
        made.text = _color(part)
    elif not groups:
        made.text = part.text
    elif groups.keys() == {"value"}:  # wrapped for its type: `core:ReferenceValue` and the like
        _fill(made, groups["value"][0])
    elif groups.keys() == {"name", "nsUri"}:  # a type of an XDTO package
        made.text = groups["name"][0].text
    elif kind not in ("FontDef", "FontRef"):  # which are attributes in a dump
        for name in groups.pop("types", ()):  # in an extension with the state of the type
            text = text_of(name) or name.findtext("type", "").strip()
            etree.SubElement(made, "Type").text = _TYPES.get(text, text)
        made.extend(property_of(tag, group) for tag, group in groups.items())


def _color(part: etree._Element) -> str:
    """`#C00020` by channels, of which those at zero are left out; `web:Green` by reference."""
    if reference := part.findtext("color"):
        palette, _, name = reference.strip().partition(".")
        return f"{_PALETTES.get(palette, palette)}:{name}"
    channels = (part.findtext(channel, "0").strip() for channel in ("red", "green", "blue"))
    return "#" + "".join(
        f"{min(int(value), 255):02X}" if re.fullmatch("[0-9]{1,3}", value) else "00" for value in channels
    )
