"""Help pages of objects and forms (`Ext/Help/<language>.html`)."""

from onec_rag.formats.designer.paths import Role, place_of
from onec_rag.formats.html import read_html
from onec_rag.model.document import Document, DocumentKind


def read_help(path: str, data: bytes) -> Document | None:
    """The page at `path` inside a root, `None` for one without text.

    Most pages have neither a heading of their own nor a title; they are called by the FQN of whose help they are.
    """
    place = place_of(path)
    page = read_html(data)
    if place is None or place.role is not Role.HELP or page is None:
        return None
    return Document(path, DocumentKind.HELP, place.fqn, page.heading or page.title or place.fqn, page.prose)
