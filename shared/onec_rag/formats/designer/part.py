"""What a file beside an object's descriptor says of the object: a document that holds this part alone."""

from collections.abc import Mapping, Sequence

from onec_rag.formats.place import Place
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import Field, Link, MetadataObject


def part_of(
    place: Place,
    path: str,
    *,
    properties: Mapping[str, str] | None = None,
    fields: Sequence[Field] = (),
    links: Sequence[Link] = (),
) -> Document | None:
    """The part of the place's owner, `None` where the file says nothing."""
    if not (properties or fields or links):
        return None
    name = place.owner.rpartition(".")[2]
    owner = MetadataObject(
        kind=place.kind,
        name=name,
        fqn=place.owner,
        properties=properties or {},
        fields=tuple(fields),
        links=tuple(links),
    )
    return Document(path, DocumentKind.PART, place.owner, name, owner)
