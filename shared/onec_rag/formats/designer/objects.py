"""A descriptor (`MetaDataObject`) of any kind → a `MetadataObject`; one reader, since all kinds have one shape.

`MetaDataObject/<Kind>/{InternalInfo, Properties, ChildObjects}`, and children have the shape of their owner. The order
of properties and of children differs between kinds and versions, so everything is found by name, and unknown names are
passed over.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.links import read_links
from onec_rag.formats.designer.properties import extended_properties, localized, read_properties
from onec_rag.formats.designer.standard import standard_attribute, standard_table
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import FIELD_KINDS, Field, Link, MetadataObject, title_of

# Where a kind keeps types; the properties exclude one another.
_TYPES = ("Type", "Source", "CommandParameterType", "XDTOValueType", "XDTOReturningValueType")
_EXPLANATIONS = ("Explanation", "ToolTip", "DetailedInformation", "BriefInformation")


def read_object(place: Place, path: str, data: bytes) -> Document | None:
    """The object that a descriptor at `path` inside a root describes; `None` for XML that describes none.

    Raises `PermanentError` for XML that can't be read, and for a descriptor that contradicts its place.
    """
    root = parse_xml(data, path)
    if local_name(root) != "MetaDataObject" or not len(root):
        return None
    kind = local_name(root[0])
    if kind != place.kind:
        raise PermanentError(f"{place.kind} expected, {kind} found", path, f"line {root[0].sourceline}")
    content = object_of(root[0], place.owner)
    if not content.name:
        raise PermanentError("the object has no name", path, f"line {root[0].sourceline}")
    return Document(path, DocumentKind.OBJECT, content.fqn, content.title, content)


def object_of(element: etree._Element, fqn: str) -> MetadataObject:
    """The object that `element`, `<Kind>` with `Properties` and `ChildObjects`, describes; its name may be empty."""
    kind = local_name(element)
    parts, properties, children = _parts(element)
    return MetadataObject(
        kind=kind,
        name=text_of(properties.get("Name")),
        fqn=fqn,
        synonyms=localized(properties.get("Synonym")),
        comment=text_of(properties.get("Comment")),
        explanation=next(filter(None, (title_of(localized(properties.get(name)), "") for name in _EXPLANATIONS)), ""),
        types=_types(properties),
        properties=read_properties(kind, properties) | extended_properties(parts.get("InternalInfo")),
        fields=tuple(_fields(kind, properties, children)),
        forms=_names("Form", children),
        templates=_names("Template", children),
        links=(*read_links(kind, properties), *_nested_subsystems(kind, fqn, children)),
    )


def field_of(element: etree._Element) -> Field | None:
    """The field that a child with properties describes; `None` without a name, and for kinds that nobody knows."""
    kind = local_name(element)
    if kind not in FIELD_KINDS or not len(element):
        return None
    parts, properties, children = _parts(element)
    name = text_of(properties.get("Name"))
    if not name:
        return None
    return Field(
        kind=kind,
        name=name,
        synonyms=localized(properties.get("Synonym")),
        comment=text_of(properties.get("Comment")),
        tooltip=title_of(localized(properties.get("ToolTip")), ""),
        types=_types(properties),
        properties=read_properties(kind, properties) | extended_properties(parts.get("InternalInfo")),
        fields=tuple(_fields(kind, properties, children)),
    )


def _fields(kind: str, properties: Mapping[str, etree._Element], children: Sequence[etree._Element]) -> Iterator[Field]:
    yield from _standard_attributes(kind, properties.get("StandardAttributes", ()))
    for section in properties.get("StandardTabularSections", ()):
        attributes = tuple(_standard_attributes(kind, next(section.iterchildren("{*}StandardAttributes"), ())))
        described = _standard("StandardTabularSection", standard_table(section.get("name", "")), section, attributes)
        yield from filter(None, [described])
    yield from filter(None, map(field_of, children))


def _standard_attributes(kind: str, attributes: Iterable[etree._Element]) -> Iterator[Field]:
    for attribute in attributes:
        described = _standard("StandardAttribute", standard_attribute(kind, attribute.get("name", "")), attribute)
        yield from filter(None, [described])


def _standard(kind: str, name: str, element: etree._Element, fields: tuple[Field, ...] = ()) -> Field | None:
    """What somebody described; most are as the platform made them, whose own synonyms have no language."""
    parts = by_name(element.iterchildren("{*}Synonym", "{*}ToolTip", "{*}Comment"))  # of 25: they fill the files
    synonyms = {language: text for language, text in localized(parts.get("Synonym")).items() if language}
    comment, tooltip = text_of(parts.get("Comment")), title_of(localized(parts.get("ToolTip")), "")
    if not name or not (synonyms or comment or tooltip or fields):
        return None
    return Field(kind=kind, name=name, synonyms=synonyms, comment=comment, tooltip=tooltip, fields=fields)


def _nested_subsystems(kind: str, fqn: str, children: Sequence[etree._Element]) -> Iterator[Link]:
    if kind == "Subsystem":
        yield from (Link("состав", f"{fqn}.Подсистема.{name}") for name in _names("Subsystem", children))


def _parts(
    element: etree._Element,
) -> tuple[dict[str, etree._Element], dict[str, etree._Element], list[etree._Element]]:
    """The parts of an object or field, its properties by name, and its children."""
    parts = by_name(element)
    return parts, by_name(parts.get("Properties", ())), list(parts.get("ChildObjects", ()))


def _types(properties: Mapping[str, etree._Element]) -> tuple[str, ...]:
    return next(filter(None, (read_types(properties.get(name)) for name in _TYPES)), ())


def _names(kind: str, children: Sequence[etree._Element]) -> tuple[str, ...]:
    """Names of children that are only mentioned: what they are stands in files of their own."""
    return tuple(text_of(child) for child in children if local_name(child) == kind and not len(child))
