"""What every page is made of, whatever its format: blocks under heading paths, a title, a section."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from onec_rag.errors import PermanentError
from onec_rag.model.document import Block, Document, DocumentKind, Prose, Section

MOST_BLOCKS = 500_000
"""Paragraphs of one page or book; ten thousand printed pages have fewer."""


@dataclass(slots=True)
class Outline:
    """A page in the making, of the file at `path`: blocks go to the section whose heading was opened last.

    Raises `PermanentError` above `MOST_BLOCKS` blocks and headings.
    """

    path: str = ""
    sections: list[tuple[tuple[str, ...], list[Block]]] = field(default_factory=lambda: [((), [])])
    links: dict[str, None] = field(default_factory=dict)
    open_headings: list[tuple[int, str]] = field(default_factory=list)
    size: int = 0
    first: str = ""  # the first heading of the first level
    opening: str = ""  # the heading that stands before any text

    @property
    def heading(self) -> str:
        """The heading that speaks for the whole page: one of the first level, else one that opens it; or empty."""
        return self.first or self.opening

    def add(self, block: Block) -> None:
        self._grow()
        self.sections[-1][1].append(block)

    def open(self, level: int, heading: str) -> None:
        """Begin a section; headings of this level and deeper ones end here."""
        self._grow()
        if level == 1:
            self.first = self.first or heading
        if len(self.sections) == 1 and not self.sections[0][1]:
            self.opening = heading
        while self.open_headings and self.open_headings[-1][0] >= level:
            self.open_headings.pop()
        self.open_headings.append((level, heading))
        self.sections.append((tuple(name for _, name in self.open_headings), []))

    def link(self, target: str) -> None:
        """Keep a link as it is written, unless it leads into the page itself or is no link but code."""
        target = target.strip()
        if target and not target.startswith(("#", "javascript:", "data:")):
            self.links[target] = None

    def prose(self) -> Prose:
        """The page, without sections that have no text."""
        sections = tuple(Section(path, tuple(blocks)) for path, blocks in self.sections if blocks)
        return Prose(sections, tuple(self.links))

    def _grow(self) -> None:
        self.size += 1
        if self.size > MOST_BLOCKS:
            raise PermanentError(f"more than the {MOST_BLOCKS} paragraphs allowed in a document", self.path)


def page_document(path: str, prose: Prose, title: str = "", section: str = "") -> Document | None:
    """The document of a page, `None` for one without text.

    A page without a title is called by its file's name; its section is the one it names, else the top folder.
    """
    if not prose.sections:
        return None
    folders = PurePosixPath(path).parts[:-1]
    return Document(
        path=path,
        kind=DocumentKind.PAGE,
        fqn="",
        title=title or PurePosixPath(path).stem,
        content=prose,
        section=section or (folders[0] if folders else ""),
    )


def without_lines(prose: Prose) -> Prose:
    """The same page for a format that knows no lines."""
    return Prose(
        tuple(
            Section(section.headings, tuple(Block(block.text, 0, 0) for block in section.blocks))
            for section in prose.sections
        ),
        prose.links,
    )
