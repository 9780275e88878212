"""Objects of a project (`.mdo`) → the same `MetadataObject` as of a dump.

One file holds what a dump keeps in several: predefined items, the content of an exchange plan, the descriptors of
forms, templates and recalculations, and the languages of a configuration, which are its fields here.
"""

from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.children import read_child
from onec_rag.formats.designer.exchange_content import read_exchange_content
from onec_rag.formats.designer.objects import object_of
from onec_rag.formats.designer.predefined import read_predefined
from onec_rag.formats.edt.descriptor import descriptor_of
from onec_rag.formats.edt.predefined import exchange_content, predefined_data
from onec_rag.formats.place import Place, Role
from onec_rag.formats.xml import local_name, parse_xml
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import FIELD_KINDS, KIND_BY_NAME, Field, MetadataObject, russian_fqn


def read_project_object(place: Place, path: str, data: bytes) -> Document | None:
    """The object at `path` inside a root, or the part of an external source that is a table or cube.

    `None` for XML that describes none. Raises `PermanentError` for XML that can't be read, and for a descriptor that
    contradicts its place.
    """
    root = parse_xml(data, path)
    kind, expected = local_name(root), place.fqn.split(".")[-2:][0]
    if kind not in KIND_BY_NAME and kind not in FIELD_KINDS:
        return None
    if russian_fqn(kind) != expected:
        raise PermanentError(f"{expected} expected, {kind} found", path, f"line {root.sourceline}")
    descriptor = descriptor_of(kind, root)
    if place.role is Role.CHILD:
        wrapped = etree.Element("MetaDataObject")
        wrapped.append(descriptor)
        return read_child(place, path, etree.tostring(wrapped))
    content = object_of(descriptor, place.owner)
    if not content.name:
        raise PermanentError("the object has no name", path, f"line {root.sourceline}")
    for part in _parts(place, path, root):
        links = tuple(dict.fromkeys((*content.links, *part.links)))
        content = replace(content, fields=content.fields + part.fields, links=links)
    return Document(path, DocumentKind.OBJECT, content.fqn, content.title, content)


def _parts(place: Place, path: str, root: etree._Element) -> Iterator[MetadataObject]:
    """What a dump would keep in files of their own; its languages are objects there."""
    readers = (
        (read_predefined, predefined_data(place.kind, root.iterfind("predefined/items"))),
        (read_exchange_content, exchange_content(root.iterfind("content[mdObject]"))),
    )
    for read, shape in readers:
        document = read(place, path, etree.tostring(shape)) if len(shape) else None
        if document is not None and isinstance(document.content, MetadataObject):
            yield document.content
    languages = [object_of(descriptor_of("Language", part), "") for part in root.iterchildren("languages")]
    fields = [
        Field("Language", one.name, one.synonyms, one.comment, properties=one.properties)
        for one in languages
        if one.name
    ]
    yield MetadataObject(place.kind, "", place.owner, fields=tuple(fields))
