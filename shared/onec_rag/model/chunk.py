"""What is searched: a piece of a document that can be read alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ChunkKind(StrEnum):
    """What a chunk is; also the values of the search filter `kinds`."""

    PROCEDURE = "procedure"
    MODULE = "module"
    QUERY = "query"
    OBJECT = "object"
    FIELD = "field"
    FORM = "form"
    RIGHTS = "rights"
    REPORT = "report"
    TEMPLATE = "template"
    HELP = "help"
    PLATFORM = "platform"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document.

    `symbol` is the name inside the document (a procedure's name, a heading). `text` is what a reader sees and, after
    the breadcrumb, what is embedded. `title` and `doc` hold words that count more than the body's: synonyms, and
    the doc comment. Lines are numbered from 1, both ends included, 0 where the format knows none; they are kept in
    the outline, never in a hash.
    """

    kind: ChunkKind
    fqn: str
    symbol: str
    breadcrumb: str
    text: str
    first_line: int = 0
    last_line: int = 0
    title: str = ""
    doc: str = ""
    facets: Mapping[str, str | bool] = field(default_factory=dict)

    @property
    def embedded_text(self) -> str:
        """The exact text that is embedded, before the model's own prefix."""
        return f"{self.breadcrumb}\n{self.text}"
