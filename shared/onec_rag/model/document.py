"""One file or page of a release, as every format gives it."""

from dataclasses import dataclass
from enum import StrEnum

from onec_rag.model.code import Module
from onec_rag.model.form import Form
from onec_rag.model.metadata import MetadataObject
from onec_rag.model.platform import PlatformPage
from onec_rag.model.report import ReportSchema
from onec_rag.model.rights import Rights
from onec_rag.model.template import Template


class DocumentKind(StrEnum):
    """What a document is; also the value of the search filter `kind` on documents.

    A `PART` is what a dump keeps of an object in a file of its own: predefined items, a schedule, the descriptor of
    a form or template. Its content is a `MetadataObject` of the owner that holds this part alone.
    """

    OBJECT = "object"
    PART = "part"
    MODULE = "module"
    FORM = "form"
    RIGHTS = "rights"
    REPORT = "report"
    TEMPLATE = "template"
    HELP = "help"
    PLATFORM = "platform"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a prose document under one heading.

    `headings` is the full heading path, outermost first (empty before the first heading); `blocks` are pieces
    that must stay whole (a paragraph, a list item, a code block, a table row), each with its line range.
    """

    headings: tuple[str, ...]
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Block:
    """An indivisible piece of prose as plain text; lines are numbered from 1, both ends included."""

    text: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Prose:
    """A page of documentation or help; `links` are the targets it points to, as written.

    Where a format has pages rather than lines (PDF), a block's lines are page numbers.
    """

    sections: tuple[Section, ...]
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader makes of one file.

    `path` is relative to the document's root, NFC, with `/`. `fqn` is the canonical full name of what the file
    describes (`Справочник.Валюты`, `ОбщийМодуль.X`), for pages empty. `section` is a facet of documentation
    (its top folder), else empty.
    """

    path: str
    kind: DocumentKind
    fqn: str
    title: str
    content: MetadataObject | Module | Form | Rights | ReportSchema | Template | PlatformPage | Prose
    section: str = ""
