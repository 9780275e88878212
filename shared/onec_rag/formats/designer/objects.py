"""A descriptor (`MetaDataObject`) of any kind → a `MetadataObject`; one reader, since all kinds have one shape.

`MetaDataObject/<Kind>/{Properties, ChildObjects}`, and children have the shape of their owner. The order of properties
and of children differs between kinds and versions, so everything is found by name, and unknown names are passed over.
"""

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.links import STANDARD_ATTRIBUTES, read_links
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.properties import localized, read_properties
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import FIELD_KINDS, Field, Link, MetadataObject, title_of

# Where a kind keeps types; the properties exclude one another.
_TYPES = ("Type", "Source", "CommandParameterType", "XDTOValueType", "XDTOReturningValueType")
_EXPLANATIONS = ("Explanation", "ToolTip", "DetailedInformation", "BriefInformation")


def read_object(path: str, data: bytes) -> Document | None:
    """The object that a descriptor at `path` inside a root describes; `None` for XML that describes none.

    Raises `PermanentError` for XML that can't be read, and for a descriptor that contradicts its place.
    """
    place = place_of(path)
    root = parse_xml(data, path)
    if place is None or local_name(root) != "MetaDataObject" or not len(root):
        return None
    kind = local_name(root[0])
    if kind != place.kind:
        raise PermanentError(f"{place.kind} expected, {kind} found", path, f"line {root[0].sourceline}")
    content = _object(root[0], place.owner)
    if not content.name:
        raise PermanentError("the object has no name", path, f"line {root[0].sourceline}")
    return Document(path, DocumentKind.OBJECT, content.fqn, content.title, content)


def _object(element: etree._Element, fqn: str) -> MetadataObject:
    properties, children = _parts(element)
    kind = local_name(element)
    return MetadataObject(
        kind=kind,
        name=text_of(properties.get("Name")),
        fqn=fqn,
        synonyms=localized(properties.get("Synonym")),
        comment=text_of(properties.get("Comment")),
        explanation=next(filter(None, (title_of(localized(properties.get(name)), "") for name in _EXPLANATIONS)), ""),
        types=_types(properties),
        properties=read_properties(kind, properties),
        fields=tuple(_fields(properties, children)),
        forms=_names("Form", children),
        templates=_names("Template", children),
        links=(*read_links(properties), *_nested_subsystems(kind, fqn, children)),
    )


def _nested_subsystems(kind: str, fqn: str, children: Sequence[etree._Element]) -> Iterator[Link]:
    if kind == "Subsystem":
        yield from (Link("состав", f"{fqn}.Подсистема.{name}") for name in _names("Subsystem", children))


def _parts(element: etree._Element) -> tuple[dict[str, etree._Element], list[etree._Element]]:
    """An object's or a field's properties by name, and its children."""
    parts = by_name(element)
    return by_name(parts.get("Properties", ())), list(parts.get("ChildObjects", ()))


def _fields(properties: Mapping[str, etree._Element], children: Sequence[etree._Element]) -> Iterator[Field]:
    for attribute in properties.get("StandardAttributes", ()):
        standard = by_name(attribute)
        if synonyms := localized(standard.get("Synonym")):  # most are as the platform made them
            name = attribute.get("name", "")
            yield Field(
                kind="StandardAttribute",
                name=STANDARD_ATTRIBUTES.get(name, name),
                synonyms=synonyms,
                comment=text_of(standard.get("Comment")),
                tooltip=title_of(localized(standard.get("ToolTip")), ""),
            )
    for child in children:
        kind = local_name(child)
        own, grandchildren = _parts(child)
        name = text_of(own.get("Name"))
        if kind in FIELD_KINDS and name:
            yield Field(
                kind=kind,
                name=name,
                synonyms=localized(own.get("Synonym")),
                comment=text_of(own.get("Comment")),
                tooltip=title_of(localized(own.get("ToolTip")), ""),
                types=_types(own),
                properties=read_properties(kind, own),
                fields=tuple(_fields(own, grandchildren)),
            )


def _types(properties: Mapping[str, etree._Element]) -> tuple[str, ...]:
    return next(filter(None, (read_types(properties.get(name)) for name in _TYPES)), ())


def _names(kind: str, children: Sequence[etree._Element]) -> tuple[str, ...]:
    """Names of children that are only mentioned: what they are stands in files of their own."""
    return tuple(text_of(child) for child in children if local_name(child) == kind and not len(child))
