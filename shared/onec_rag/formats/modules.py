"""Modules (`*Module.bsl`, `Module.bsl`; `.bin` or `.txt` in some dumps) → Documents."""

from onec_rag.formats.bsl import decode, scan
from onec_rag.formats.place import Place
from onec_rag.model.document import Document, DocumentKind


def read_module(place: Place, path: str, data: bytes) -> Document | None:
    """The module at `path` inside a root, `None` for an empty one, of which real dumps have many.

    Raises `ProtectedError` where it is protected by a password, `PermanentError` where it is no text.
    """
    text = decode(data, path)
    if not text.strip():
        return None
    return Document(path, DocumentKind.MODULE, place.fqn, place.fqn, scan(text, place.kind))
