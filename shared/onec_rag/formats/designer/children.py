"""The descriptor of a form, template, recalculation or table of an external source → a field of its owner."""

from dataclasses import replace

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.objects import field_of
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.place import Place
from onec_rag.formats.xml import local_name, parse_xml
from onec_rag.model.document import Document
from onec_rag.model.metadata import FIELD_KINDS, title_of


def read_child(place: Place, path: str, data: bytes) -> Document | None:
    """The part of the owner that a descriptor at `path` inside a root is, `None` for XML that describes nothing.

    The document has the name of the child itself. Raises `PermanentError` for XML that can't be read, and for a
    descriptor that contradicts its place.
    """
    root = parse_xml(data, path)
    if local_name(root) != "MetaDataObject" or not len(root):
        return None
    kind, expected = local_name(root[0]), place.fqn.split(".")[-2]
    if FIELD_KINDS.get(kind) != expected:
        raise PermanentError(f"{expected} expected, {kind} found", path, f"line {root[0].sourceline}")
    child = field_of(root[0])
    if child is None:
        raise PermanentError("the object has no name", path, f"line {root[0].sourceline}")
    document = part_of(place, path, fields=[child])
    return document and replace(document, fqn=place.fqn, title=title_of(child.synonyms, child.name))
