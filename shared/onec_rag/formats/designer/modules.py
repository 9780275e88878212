"""Modules (`*Module.bsl`, `Module.bsl`; `.bin` where one is protected) → Documents."""

from onec_rag.formats.bsl import decode, scan
from onec_rag.formats.designer.paths import Role, place_of
from onec_rag.model.document import Document, DocumentKind


def read_module(path: str, data: bytes) -> Document | None:
    """The module at `path` inside a root, `None` for an empty one, of which real dumps have many.

    Raises `PermanentError` where it is protected by a password or is no text.
    """
    place = place_of(path)
    text = decode(data, path)
    if place is None or place.role is not Role.MODULE or not text.strip():
        return None
    return Document(path, DocumentKind.MODULE, place.fqn, place.fqn, scan(text, place.kind))
