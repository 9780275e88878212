"""The descriptor of an object (`.mdo`) in the shape of a dump's: `<Kind><Properties/><ChildObjects/></Kind>`.

What EDT omits as a default is filled in. Of an object that an extension has adopted EDT keeps copies of most
properties, a dump only of those that the extension controls: the copies are left out.
"""

from collections.abc import Iterator, Mapping, Set
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.edt.defaults import DEFAULTS
from onec_rag.formats.edt.shape import dump_name, grouped, property_of
from onec_rag.formats.xml import text_of
from onec_rag.model.metadata import KINDS

CHILDREN: Mapping[str, str] = MappingProxyType(
    {
        "attributes": "Attribute",
        "tabularSections": "TabularSection",
        "dimensions": "Dimension",
        "resources": "Resource",
        "enumValues": "EnumValue",
        "columns": "Column",
        "addressingAttributes": "AddressingAttribute",
        "accountingFlags": "AccountingFlag",
        "extDimensionAccountingFlags": "ExtDimensionAccountingFlag",
        "commands": "Command",
        "forms": "Form",
        "templates": "Template",
        "recalculations": "Recalculation",
        "subsystems": "Subsystem",
        "urlTemplates": "URLTemplate",
        "methods": "Method",
        "operations": "Operation",
        "parameters": "Parameter",
        "integrationServiceChannels": "IntegrationServiceChannel",
        "tables": "Table",
        "tableFields": "Field",
        "cubes": "Cube",
        "dimensionTables": "DimensionTable",
        "fields": "Field",
        "functions": "Function",
    }
)
"""Elements that are children of their owner; one without elements inside only names what has a file of its own."""

_NAMED = frozenset({"Form", "Template", "Recalculation"})
"""Children that the owner in a dump only names: they are described in files of their own."""

_COMPOSITION = frozenset(kind.plural.lower() for kind in KINDS if kind.plural)
"""What a configuration consists of: nothing of it is its property."""

_SAID_BY_EXTENSION = frozenset(
    {
        "name",
        "synonym",
        "comment",
        "objectBelonging",
        "namePrefix",
        "vendor",
        "version",
        "scriptVariant",
        "configurationExtensionPurpose",
        "configurationExtensionCompatibilityMode",
        "briefInformation",
        "detailedInformation",
        "vendorInformationAddress",
        "configurationInformationAddress",
        "formType",
        "namespace",
        "content",
        "registerRecords",
        "balance",
    }
)
"""What a dump writes of an adopted object whether the extension controls it or not."""


def descriptor_of(kind: str, element: etree._Element, owner: str = "") -> etree._Element:
    """The object or child of an object of that kind; `owner` is the kind of whose child it is.

    A form, template or recalculation stands among the children twice, as a name and described.
    """
    made = etree.Element(kind)
    etree.SubElement(made, "InternalInfo").extend(_states(element))
    properties = etree.SubElement(made, "Properties")
    children = etree.SubElement(made, "ChildObjects")
    for item in element.iterfind("content[metadata]"):  # of a common attribute
        if item.find("use") is None:
            etree.SubElement(item, "use").text = "Auto"
    groups = grouped(element)
    said = _said(groups)
    for tag, group in groups.items():
        if kind == "Configuration" and tag.lower() in _COMPOSITION:
            continue
        if tag in CHILDREN:
            children.extend(child for part in group for child in _children(CHILDREN[tag], part, kind))
        elif said is None or tag in said:
            properties.append(property_of(tag, group))
    for types in element.iterfind("extension/typeExtension"):  # the type itself is empty
        properties.insert(0, property_of("type", [types]))
    present = {child.tag for child in properties}
    for name, value in (*DEFAULTS.get(kind, {}).items(), *DEFAULTS.get(f"{owner}.{kind}", {}).items()):
        if name not in present and (said is None or f"{name[:1].lower()}{name[1:]}" in said):
            etree.SubElement(properties, name).text = value
    return made


def _children(kind: str, part: etree._Element, owner: str) -> Iterator[etree._Element]:
    if kind in _NAMED or not len(part):
        reference = etree.Element(kind)
        reference.text = (part.findtext("name") or text_of(part)).rpartition(".")[2]
        yield reference
    if len(part):
        yield descriptor_of(kind, part, owner)


def _states(element: etree._Element) -> Iterator[etree._Element]:
    """The properties and modules that an extension changes."""
    for part in element.iterfind("extension/*"):
        widened = part.tag == "typeExtension"
        if widened or text_of(part) == "Extended":
            state = etree.Element("PropertyState")
            etree.SubElement(state, "Property").text = "Type" if widened else dump_name(str(part.tag))
            etree.SubElement(state, "State").text = "MultiState" if widened else "Extended"
            yield state


def _said(groups: Mapping[str, list[etree._Element]]) -> Set[str] | None:
    """The properties that an adopted object is described by; `None` for an object of one's own."""
    if all(text_of(part) != "Adopted" for part in groups.get("objectBelonging", ())):
        return None
    controlled = (child.tag for extension in groups.get("extension", ()) for child in extension)
    return _SAID_BY_EXTENSION.union(map(str, controlled))
