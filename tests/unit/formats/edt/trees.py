"""Any files of a project: trees of names that a reader looks for, in any order and depth, and bytes that are none."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.place import Place, Reader
from onec_rag.model.document import Document

_TEXTS = st.sampled_from(["", " ", "А", "ё й", "Catalog.А", "true", "-1", "0001-01-01", "a b", "ß", "Adopted", "Label"])
_TYPES = st.sampled_from(["", "form:FormField", "form:", "core:ColorDef", "core:ColorRef", "a b", "core:StringValue"])


def files(root: str, names: Sequence[str]) -> st.SearchStrategy[bytes]:
    """Bytes of files whose root element is called `root`, or whatever."""
    leaf = st.builds(_element, st.sampled_from(names), _TYPES, _TEXTS, st.just(()))
    tree = st.recursive(
        leaf,
        lambda inner: st.builds(_element, st.sampled_from(names), _TYPES, _TEXTS, st.lists(inner, max_size=4)),
        max_leaves=12,
    )
    built = st.lists(tree, max_size=4).map(lambda parts: f"<{root}>{''.join(parts)}</{root}>")
    return st.binary() | built.map(str.encode) | tree.map(str.encode)


def check(reader: Reader, place: Place, path: str, data: bytes) -> None:
    """Any bytes give a document, nothing or a `PermanentError`."""
    try:
        document = reader(place, path, data)
    except PermanentError:
        return
    assert document is None or (isinstance(document, Document) and document.path == path and document.title)


def _element(name: str, kind: str, text: str, inner: Sequence[str]) -> str:
    typed = f' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type={quoteattr(kind)}' if kind else ""
    return f"<{name}{typed}>{escape(text)}{''.join(inner)}</{name}>"
