"""Pages of documentation in Markdown: CommonMark with tables, front matter, and what site generators add to it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

from onec_rag.errors import PermanentError
from onec_rag.formats.encoding import decode_text
from onec_rag.formats.html import add_to, parse_html
from onec_rag.formats.pages import Outline, page_document
from onec_rag.model.document import Block, Document

_FACT = re.compile(r"""^(title|section):[ \t]*+(["']?)(.*?)\2[ \t\r]*$""", re.MULTILINE)
# `:::tip`, `!!! note`, `??? note` and `> [!NOTE]` mark a box; what follows them is its title or its text.
_BOX = re.compile(r"(?::{3,}|!!!(?= )|\?\?\?\+?(?= ))[ \t]*+[\w-]*+[ \t]*+|\[!\w++\][ \t]*+")
_HEADING_ID = re.compile(r"[ \t]*+\{#[^{}]*+\}$")
_FENCE = re.compile(r" {0,3}+(`{3,}+|~{3,}+)")
_PIECE = 1 << 19
_LONGEST_INLINE = 100_000  # a longer paragraph is data
_DEPTH, _INLINE_DEPTH = 100, 20  # what markdown-it finds deeper it leaves out; its time grows with the second
_SCRIPT = re.compile(  # in MDX
    r"""(?:(?:import\s[^\n]*["'];?|export\s++(?:const|let|var|default|function|class|\{)[^\n]*)[ \t]*(?:\n|\Z))++"""
)

LARGEST = 16 << 20
"""Bytes of a page, or of a book that is one file."""


class _Markdown(MarkdownIt):
    def normalizeLink(self, url: str) -> str:  # noqa: N802 (the name is markdown-it's)
        """Links stay as they are written; markdown-it would percent-encode Cyrillic ones."""
        return url


def is_markdown(path: str) -> bool:
    """Whether a path is named as a page of Markdown."""
    return path.lower().endswith((".md", ".markdown", ".mdx"))


def read_markdown(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one without text. Raises `PermanentError` for bytes that are no text.

    The title is the front matter's, else the heading that speaks for the page, else the file's name; the section is the
    front matter's, else the top folder.
    """
    if len(data) > LARGEST:
        raise PermanentError(f"more than the {LARGEST} bytes allowed in a page of Markdown", path)
    reader = _Reader(Outline(path))
    for lines_before, piece in _pieces(decode_text(data, path).replace("\r\n", "\n").replace("\r", "\n")):
        for token in _parse(piece, begins_page=not lines_before):
            if token.map:
                token.map = [line + lines_before for line in token.map]
            reader.take(token)
    outline = reader.outline
    return page_document(
        path, outline.prose(), reader.facts.get("title") or outline.heading, reader.facts.get("section", "")
    )


def _parse(text: str, *, begins_page: bool) -> Iterator[Token]:
    """The tokens of blocks, each with its inline tokens."""
    parser = _Markdown("commonmark", {"maxNesting": _DEPTH}).enable("table").disable("inline")
    if begins_page:
        parser.use(front_matter_plugin)
    references: dict[str, object] = {}
    tokens = parser.parse(text, references)
    parser.options["maxNesting"] = _INLINE_DEPTH
    for token in tokens:
        if token.type == "inline" and token.children is not None:
            if len(token.content) > _LONGEST_INLINE:
                token.children = [Token("text", "", 0, content=token.content)]
            else:
                parser.inline.parse(token.content, parser, references, token.children)
        yield token


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """A page as it is; a book is cut at blank lines outside code, since the parser keeps 500 bytes for one of text."""
    lines = text.split("\n") if len(text) > _PIECE else [text]
    begin, size, fence = 0, 0, ""
    for number, line in enumerate(lines):
        size += len(line) + 1
        if mark := _FENCE.match(line):
            fence = mark[1] if not fence else "" if mark[1].startswith(fence) else fence
        if (size > _PIECE and not fence and not line.strip()) or size > 2 * _PIECE:
            yield begin, "\n".join(lines[begin : number + 1])
            begin, size, fence = number + 1, 0, ""
    yield begin, "\n".join(lines[begin:])


@dataclass(slots=True)
class _Reader:
    """Collects a page's tokens into blocks: a paragraph, a whole list item, a table row, a code block."""

    outline: Outline
    facts: dict[str, str] = field(default_factory=dict)
    heading: int = 0  # the level of the heading that is open, 0 for none
    items: int = 0  # open list items: their paragraphs are one block
    row: bool = False
    pending: list[Block] = field(default_factory=list)

    def take(self, token: Token) -> None:
        if token.level >= _DEPTH - 1 and token.type in ("blockquote_open", "list_item_open"):
            raise PermanentError(f"nested above {_DEPTH} levels", self.outline.path, _place(token))
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
                self._open_section(self._text(token.children or ()))
            case "inline" if self.outline.path.endswith(".mdx") and _SCRIPT.fullmatch(token.content):
                pass
            case "inline":
                self._add(self._text(token.children or ()).strip(), token)
            case "fence" | "code_block":
                self._end_block()
                self._add(token.content.rstrip("\n"), token)
                self._end_block()
            case "html_block":
                self._add_html(token)

    def _add(self, text: str, token: Token) -> None:
        first, last = token.map or (0, 1)
        if text.strip() or self.row:  # an empty cell keeps its place
            self.pending.append(Block(text.strip("\n"), first + 1, last))
        if not self.items and not self.row:
            self._end_block()

    def _add_html(self, token: Token) -> None:
        self._end_block()
        root = parse_html(token.content, self.outline.path)
        if root is not None:
            add_to(self.outline, root, lines_before=token.map[0] if token.map else 0)

    def _end_block(self) -> None:
        if self.pending:
            text = (" | " if self.row else "\n").join(block.text for block in self.pending)
            self.outline.add(Block(text, self.pending[0].first_line, self.pending[-1].last_line))
            self.pending.clear()

    def _open_section(self, text: str) -> None:
        self._end_block()
        self.outline.open(self.heading, _HEADING_ID.sub("", text))

    def _text(self, children: Sequence[Token]) -> str:
        """Inline tokens as plain text; an image is its alternative text."""
        parts: list[str] = []
        for token in children:
            match token.type:
                case "text" | "text_special" if not parts or parts[-1] in (" ", "\n"):
                    parts.append(_BOX.sub("", token.content, count=1) if _BOX.match(token.content) else token.content)
                case "text" | "text_special" | "code_inline":
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
                    self.outline.link(str(token.attrs.get("href", "")))
        return "".join(parts)


def _place(token: Token) -> str:
    return f"line {token.map[0] + 1}" if token.map else ""
