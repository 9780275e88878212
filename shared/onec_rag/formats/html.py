"""HTML as people and MSHTML write it → prose: blocks under their heading paths, whatever is unclosed or misplaced."""

import re
from dataclasses import dataclass, field
from typing import cast

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.encoding import decode_utf16
from onec_rag.formats.pages import Outline
from onec_rag.model.document import Block, Prose

MOST_TAGS = 1_000_000
"""Tags in a page: they cost memory, its text does not."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = (
    _HEADINGS
    | {"p", "div", "li", "ul", "ol", "dl", "dt", "dd", "table", "caption", "pre", "blockquote", "hr", "body", "center"}
    | {"section", "article", "main", "header", "footer", "aside", "nav", "address", "figure", "figcaption", "details"}
    | {"summary", "form", "fieldset", "legend"}
)
_CELLS = frozenset({"td", "th"})
_BORDERS = _BLOCKS | _CELLS | {"tr"}
_CHARSET = re.compile(rb"""(?:charset|<\?xml[^<>]*?\sencoding)\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_SPACE_IN_LINE = re.compile(r"[^\S\n]+")
_SPACE_AT_END = re.compile(r"\s*\n\s*")
_HEAD = 2048  # bytes in which a page tells its charset
_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")  # soft hyphens and the like would hide a word from search


@dataclass(frozen=True, slots=True)
class Page:
    """A page of HTML; `title` is its `<title>`, `heading` the heading that speaks for all of it, both may be empty."""

    title: str
    heading: str
    prose: Prose


def decode_html(data: bytes) -> str:
    """UTF-16 or UTF-8 where it is marked, else the charset that the page tells, else UTF-8, else Windows-1251."""
    text = decode_utf16(data)
    if text is not None:
        return text
    told = _CHARSET.search(data[:_HEAD])
    charsets = [told[1].decode("ascii", "ignore")] if told and not data.startswith(b"\xef\xbb\xbf") else []
    for charset in (*charsets, "utf-8-sig"):
        try:
            return data.decode(charset)
        except (LookupError, UnicodeError):
            continue
    return data.decode("cp1251", errors="replace")


def read_html(data: bytes, path: str = "") -> Page | None:
    """The page's prose, `None` where it has no text. Raises `PermanentError` for what is nested beyond reason.

    A table row is one block, its cells joined by ` | `. Lines are those where the source has the elements.
    """
    root = parse_html(decode_html(data), path)
    return None if root is None else page_of(root, path)


def parse_html(text: str, path: str) -> etree._Element | None:
    """The root of a page, `None` for white space. Raises `PermanentError` above a million tags or 2,000 levels."""
    if not text.strip():
        return None
    if text.count("<") > MOST_TAGS:
        raise PermanentError(f"more than the {MOST_TAGS} tags allowed in a page", path)
    # Without `huge_tree` libxml2 gives up at ten megabytes of text or 256 levels, and gives nothing then.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    root: etree._Element | None = etree.HTML(text.replace("\0", " ").encode("utf-8", errors="replace"), parser)
    for error in parser.error_log:
        if error.level == etree.ErrorLevels.FATAL:
            reason = error.message.strip().partition(",")[0]  # what follows is advice for programmers
            raise PermanentError(f"the HTML can't be read: {reason}", path, f"line {error.line}")
    return root


def page_of(root: etree._Element, path: str) -> Page | None:
    """The prose of a parsed page, which loses what is not shown; `None` where it has no text."""
    title = " ".join((root.findtext(".//title") or "").split())
    outline = Outline(path)
    add_to(outline, root)
    prose = outline.prose()
    return Page(title, outline.heading, prose) if prose.sections else None


def add_to(outline: Outline, root: etree._Element, lines_before: int = 0) -> None:
    """Add the prose of parsed HTML, which loses what is not shown; `lines_before` stand before it in its source."""
    etree.strip_elements(root, "head", "script", "style", "noscript", "template", with_tail=False)
    reader = _Reader(outline, lines_before)
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            reader.enter(element)
        else:
            reader.leave(element)
    reader.end_block()


@dataclass(slots=True)
class _Reader:
    """Collects text into blocks as elements open and close."""

    outline: Outline
    lines_before: int
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
        elif tag == "a" and (target := element.get("href", "")):
            self.outline.link(target)
        self._add_text(element.text)

    def leave(self, element: etree._Element) -> None:
        tag = str(element.tag)
        self.rows -= tag == "tr"
        if tag in _HEADINGS and not self.rows:
            self._open_section(int(tag[1]))
        elif tag in _BORDERS:
            self._separate(" ", closes_code=tag == "pre")
        self.preformatted -= tag == "pre"
        self._add_text(element.tail)

    def end_block(self) -> None:
        if text := self._take():
            first = self.first_line + self.lines_before
            self.outline.add(Block(text, first, max(self.line + self.lines_before, first)))

    def _separate(self, mark: str, *, closes_code: bool = False) -> None:
        """A border of elements: of blocks outside rows, of words or cells inside one, of lines inside code."""
        if self.preformatted and not closes_code and not self.rows:
            if self.pieces and not self.pieces[-1].endswith("\n"):
                self._add("\n")
        elif not self.rows:
            self.end_block()
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
        text = _INVISIBLE.sub("", "".join(self.pieces))
        self.pieces.clear()
        if self.preformatted:
            return text.replace("\xa0", " ").strip("\n")
        return _SPACE_AT_END.sub("\n", _SPACE_IN_LINE.sub(" ", text)).strip(" \n|")

    def _open_section(self, level: int) -> None:
        if text := _one_line(self._take()).strip():
            self.outline.open(level, text)


def _one_line(text: str) -> str:
    """White space as HTML sees it: any run of it, no-break spaces too, is one space."""
    return _SPACE.sub(" ", text)
