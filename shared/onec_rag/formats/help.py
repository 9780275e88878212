"""Help pages of objects and forms (`Help/<language>.html`) → Documents."""

from onec_rag.formats.html import read_html
from onec_rag.formats.place import Place
from onec_rag.model.document import Document, DocumentKind


def read_help(place: Place, path: str, data: bytes) -> Document | None:
    """The page at `path` inside a root, `None` for one without text.

    Most pages have neither a heading of their own nor a title; they are called by the FQN of whose help they are.
    """
    page = read_html(data, path)
    if page is None:
        return None
    return Document(path, DocumentKind.HELP, place.fqn, page.heading or page.title or place.fqn, page.prose)
