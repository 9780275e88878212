"""How a test reads a part of an object: by the path of a dump, as the table of formats does."""

from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.place import Reader
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import MetadataObject


def read_document(reader: Reader, path: str, xml: str) -> Document | None:
    place = place_of(path)
    assert place is not None
    return reader(place, path, xml.encode())


def read_part(reader: Reader, path: str, xml: str) -> MetadataObject:
    document = read_document(reader, path, xml)
    assert document is not None
    assert document.kind is DocumentKind.PART
    assert isinstance(document.content, MetadataObject)
    return document.content
