"""HTML as people and MSHTML write it → prose: blocks under their heading paths, whatever is unclosed or misplaced."""

import codecs
import re
from dataclasses import dataclass, field
from typing import cast

from lxml import etree

from onec_rag.model.document import Block, Prose, Section

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "table", "pre", "blockquote", "hr", "body"}
_CELLS = frozenset({"td", "th"})
_BORDERS = _BLOCKS | _CELLS | {"tr"}
_CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_HEAD = 2048  # bytes in which a page tells its charset


@dataclass(frozen=True, slots=True)
class Page:
    """A page of HTML; `title` is its `<title>`, `heading` the heading that speaks for all of it, both may be empty."""

    title: str
    heading: str
    prose: Prose


def decode_html(data: bytes) -> str:
    """UTF-8 where it is marked, else the charset that the page tells, else UTF-8, else Windows-1251; no error."""
    told = _CHARSET.search(data[:_HEAD])
    charsets = [told[1].decode("ascii", "ignore")] if told and not data.startswith(codecs.BOM_UTF8) else []
    for charset in (*charsets, "utf-8-sig"):
        try:
            return data.decode(charset)
        except (LookupError, UnicodeError):
            continue
    return data.decode("cp1251", errors="replace")


def read_html(data: bytes) -> Page | None:
    """The page's prose, `None` where it has no text.

    A table row is one block, its cells joined by ` | `. Lines are those where the source has the elements.
    """
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    text = decode_html(data).replace("\0", " ")
    root = etree.HTML(text.encode("utf-8", errors="replace"), parser) if text.strip() else None
    if root is None:
        return None
    title = " ".join((root.findtext(".//title") or "").split())
    etree.strip_elements(root, "head", "script", "style", "noscript", "template", with_tail=False)
    reader = _Reader()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            reader.enter(element)
        else:
            reader.leave(element)
    return reader.page(title)


@dataclass(slots=True)
class _Reader:
    """Collects text into blocks as elements open and close."""

    sections: list[tuple[tuple[str, ...], list[Block]]] = field(default_factory=lambda: [((), [])])
    path: list[tuple[int, str]] = field(default_factory=list)
    heading: str = ""
    links: dict[str, None] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    first_line: int = 1
    line: int = 1
    rows: int = 0  # open `tr` elements: nothing inside a row ends a block
    preformatted: int = 0

    def enter(self, element: etree._Element) -> None:
        tag = str(element.tag)
        if tag in _BORDERS:
            self._separate(" | " if tag in _CELLS else " ")
        self.line = cast("int | None", element.sourceline) or self.line
        self.rows += tag == "tr"
        self.preformatted += tag == "pre"
        if tag == "br":
            self._add(" " if self.rows else "\n")
        elif tag == "img":
            self._add(_one_line(element.get("alt", "")))
        elif tag == "a" and (target := element.get("href", "").strip()) and not target.startswith("#"):
            self.links[target] = None
        self._add_text(element.text)

    def leave(self, element: etree._Element) -> None:
        tag = str(element.tag)
        self.rows -= tag == "tr"
        if tag in _HEADINGS and not self.rows:
            self._open_section(int(tag[1]))
        elif tag in _BORDERS:
            self._separate(" ")
        self.preformatted -= tag == "pre"
        self._add_text(element.tail)

    def page(self, title: str) -> Page | None:
        self._end_block()
        sections = tuple(Section(path, tuple(blocks)) for path, blocks in self.sections if blocks)
        return Page(title, self.heading, Prose(sections, tuple(self.links))) if sections else None

    def _separate(self, mark: str) -> None:
        """A border of elements: of blocks outside rows, of words or cells inside one."""
        if not self.rows:
            self._end_block()
        elif self.pieces:
            self._add(mark)

    def _add_text(self, text: str | None) -> None:
        if text:
            self._add(text if self.preformatted else _one_line(text))

    def _add(self, text: str) -> None:
        if not self.pieces:
            if not text.strip():
                return
            self.first_line = self.line
        self.pieces.append(text)

    def _take(self) -> str:
        text = "".join(self.pieces)
        self.pieces.clear()
        if self.preformatted:
            return text.strip("\n")
        return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text)).strip(" \n|")

    def _end_block(self) -> None:
        if text := self._take():
            self.sections[-1][1].append(Block(text, self.first_line, max(self.line, self.first_line)))

    def _open_section(self, level: int) -> None:
        if not (text := _one_line(self._take()).strip()):
            return
        if not self.heading and (level == 1 or not any(blocks for _, blocks in self.sections)):
            self.heading = text
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, text))
        self.sections.append((tuple(name for _, name in self.path), []))


def _one_line(text: str) -> str:
    """White space as HTML sees it: any run of it, no-break spaces too, is one space."""
    return re.sub(r"\s+", " ", text)
