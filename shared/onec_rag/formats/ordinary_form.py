"""Ordinary forms (`Form.bin`, in EDT `Form.oform`) → the Document of their module."""

from onec_rag.formats.container import Container
from onec_rag.formats.modules import read_module
from onec_rag.formats.place import Place
from onec_rag.model.document import Document

_MODULE = "module"


def read_ordinary_form(place: Place, path: str, data: bytes) -> Document | None:
    """The module of the form at `path` inside a root, `None` where it has none or an empty one.

    What the form looks like (the element `form`) is not read. Raises `PermanentError` for what is no container, else
    as `read_module` does.
    """
    container = Container(lambda offset, length: data[offset : offset + length], len(data), path)
    return read_module(place, path, container.read(_MODULE)) if _MODULE in container.elements() else None
