"""Pages of documentation in Markdown: CommonMark with tables and front matter."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from onec_rag.formats.encoding import decode_text
from onec_rag.model.document import Block, Document, DocumentKind, Prose, Section

_FACT = re.compile(r"""^(title|section):[ \t]*+(["']?)(.*?)\2[ \t\r]*$""", re.MULTILINE)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*+>", re.DOTALL)


class _Markdown(MarkdownIt):
    def normalizeLink(self, url: str) -> str:  # noqa: N802 (the name is markdown-it's)
        """Links stay as they are written; markdown-it would percent-encode Cyrillic ones."""
        return url


def is_markdown(path: str) -> bool:
    """Whether a path is named as a page of Markdown."""
    return path.lower().endswith((".md", ".markdown"))


def read_markdown(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one without text. Raises `PermanentError` for bytes that are no text.

    The title is the front matter's, else the first heading of the first level, else the file's name; the section is the
    front matter's, else the top folder.
    """
    parser = _Markdown("commonmark").enable("table").use(front_matter_plugin)
    reader = _Reader()
    for token in parser.parse(decode_text(data, path)):
        reader.take(token)
    prose = reader.prose()
    if not prose.sections:
        return None
    folders = PurePosixPath(path).parts[:-1]
    return Document(
        path=path,
        kind=DocumentKind.PAGE,
        fqn="",
        title=reader.facts.get("title") or reader.title or PurePosixPath(path).stem,
        content=prose,
        section=reader.facts.get("section") or (folders[0] if folders else ""),
    )


@dataclass(slots=True)
class _Reader:
    """Collects a page's tokens into blocks: a paragraph, a whole list item, a table row, a code block."""

    facts: dict[str, str] = field(default_factory=dict)
    title: str = ""
    sections: list[tuple[tuple[str, ...], list[Block]]] = field(default_factory=lambda: [((), [])])
    path: list[tuple[int, str]] = field(default_factory=list)
    links: dict[str, None] = field(default_factory=dict)
    heading: int = 0  # the level of the heading that is open, 0 for none
    items: int = 0  # open list items: their paragraphs are one block
    row: bool = False
    pending: list[Block] = field(default_factory=list)

    def take(self, token: Token) -> None:
        match token.type:
            case "front_matter":
                self.facts = {name: value for name, _, value in _FACT.findall(token.content)}
            case "heading_open":
                self.heading = int(token.tag[1])
            case "heading_close":
                self.heading = 0
            case "list_item_open" | "list_item_close" | "bullet_list_open" | "ordered_list_open":
                self._end_block()
                self.items += token.nesting if token.tag == "li" else 0
            case "tr_open" | "tr_close":
                self._end_block()
                self.row = token.nesting == 1
            case "inline" if self.heading:
                self._open_section(self.heading, self._text(token.children or ()))
            case "inline":
                self._add(self._text(token.children or ()), token)
            case "fence" | "code_block":
                self._end_block()
                self._add(token.content.rstrip("\n"), token)
                self._end_block()
            case "html_block":
                self._add(_without_tags(token.content), token)

    def prose(self) -> Prose:
        sections = tuple(Section(path, tuple(blocks)) for path, blocks in self.sections if blocks)
        return Prose(sections, tuple(self.links))

    def _add(self, text: str, token: Token) -> None:
        first, last = token.map or (0, 1)
        if text.strip() or self.row:  # an empty cell keeps its place
            self.pending.append(Block(text.strip("\n"), first + 1, last))
        if not self.items and not self.row:
            self._end_block()

    def _end_block(self) -> None:
        if self.pending:
            text = (" | " if self.row else "\n").join(block.text for block in self.pending)
            self.sections[-1][1].append(Block(text, self.pending[0].first_line, self.pending[-1].last_line))
            self.pending.clear()

    def _open_section(self, level: int, text: str) -> None:
        self.title = self.title or (text if level == 1 else "")
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, text))
        self.sections.append((tuple(name for _, name in self.path), []))

    def _text(self, children: Sequence[Token]) -> str:
        """Inline tokens as plain text; an image is its alternative text."""
        parts = []
        for token in children:
            match token.type:
                case "text" | "code_inline":
                    parts.append(token.content)
                case "softbreak":
                    parts.append(" ")
                case "hardbreak":
                    parts.append("\n")
                case "html_inline" if token.content.startswith("<br"):
                    parts.append("\n")
                case "image":
                    parts.append(self._text(token.children or ()))
                case "link_open":
                    target = str(token.attrs.get("href", ""))
                    if target and not target.startswith("#"):
                        self.links[target] = None
        return "".join(parts)


def _without_tags(text: str) -> str:
    text = html.unescape(_TAG.sub(" ", text))
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
