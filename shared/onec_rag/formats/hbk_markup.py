"""The markup of a page of the platform's help → its parts, each a marked element with the text that follows it.

Source: real pages of the books `shcntx`, `shlang` and others. Parts are told by classes (`V8SH_chapter`), not by
nesting: paragraphs are left open, texts stand bare in the body, names are put in bare angle brackets.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from lxml import etree


class Mark(StrEnum):
    """What begins a part: the class of its element."""

    PAGE_TITLE = "V8SH_pagetitle"
    TITLE = "V8SH_title"
    HEADING = "V8SH_heading"
    CHAPTER = "V8SH_chapter"
    RUBRIC = "V8SH_rubric"
    SINCE = "__SINCE_SHOW_STYLE__"
    DEPRECATED = "__DEPRECATED_SHOW_STYLE__"


_MARKS = {mark.value: mark for mark in Mark}


@dataclass(frozen=True, slots=True)
class Part:
    """`label` is the marked element's own text, `text` what follows it; what precedes all marks has none.

    Lines are separated by one newline, where the page has an empty line by two. Items of lists begin with `- `, cells
    of a table row are joined by ` | `; code keeps its indents.
    """

    mark: Mark | None
    label: str
    text: str

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.split("\n") if line]


# Names in bare angle brackets (`<Имя справочника>`, `<Code>`) are told from tags, which are written in one case.
_TAGS = (
    "a|b|i|u|p|s|br|hr|em|tt|h1|h2|h3|h4|h5|h6|li|ul|ol|dl|dt|dd|tr|td|th|div|pre|img|sub|sup|big|col|kbd|nobr|span"
    "|font|code|body|html|table|tbody|thead|tfoot|small|strong|strike|center|caption|colgroup|blockquote"
)
_BARE = re.compile(rf"<(?!!--|/?+(?:{_TAGS}|{_TAGS.upper()})(?![\w-]))")
_HEAD_END = re.compile(r"</head\s*+>", re.IGNORECASE)
_BLOCKS = frozenset(
    {"p", "div", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "pre", "blockquote", "hr"}
    | {f"h{level}" for level in range(1, 7)}
)
_CODE = frozenset({"pre", "code", "tt"})
_BEHIND_COMMENT = re.compile(r"^(\s*+//.*+)\n\n", re.MULTILINE)
_SPACE = re.compile(r"\s+")
_CODE_SPACE = re.compile(r"[ \t\r\n]+")  # a no-break space indents
_SPACES = re.compile(" {2,}")
_EMPTY_LINES = re.compile("\n{3,}")
_OWNER = re.compile(r"/([^/]+)/(?:ctors|methods|properties|events)/")


_NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that a tree of elements can't hold."""


def parse_page(html: str) -> etree._Element | None:
    """The tree of a page's body, whatever its faults; `None` where there is none."""
    head = _HEAD_END.search(html)
    body = _NO_XML.sub(" ", _BARE.sub("&lt;", html[head.end() :] if head else html))
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    return etree.HTML(body.encode("utf-8", "replace"), parser) if body.strip() else None


def read_parts(root: etree._Element) -> tuple[list[Part], tuple[str, ...]]:
    """The parts of a page in order, and the targets of its `v8help://` links."""
    reader = _Reader()
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            reader.enter(element)
        else:
            reader.leave(element)
    parts = [Part(part.mark, " ".join(_clean(part.label).split()), _clean(part.text)) for part in reader.parts]
    return parts, tuple(reader.links)


def read_code(text: str) -> str:
    """Code without the empty line that the pages have behind every comment."""
    return _BEHIND_COMMENT.sub(r"\1\n", text)


def article_html(root: etree._Element) -> bytes:
    """An article without its titles, its tables of code as preformatted text."""
    for element in list(root.iter(*_BLOCKS)):
        if _mark_of(element) in (Mark.PAGE_TITLE, Mark.TITLE):
            _replace(element, None)
        elif element.tag == "table" and len(list(element.iter("td", "th"))) == 1 and any(map(_is_code, element.iter())):
            code = etree.Element("pre")
            code.text = read_code(read_parts(element)[0][0].text)
            _replace(element, code)
    return b"\xef\xbb\xbf" + etree.tostring(root, encoding="utf-8", method="html")


def _replace(element: etree._Element, other: etree._Element | None) -> None:
    parent = element.getparent()
    if parent is None:
        return
    other = etree.Element("span") if other is None else other
    other.tail = element.tail
    parent.replace(element, other)


def _mark_of(element: etree._Element) -> Mark | None:
    marks = (mark for name in element.get("class", "").split() if (mark := _MARKS.get(name)))
    return next(marks, Mark.PAGE_TITLE if element.tag == "h1" else None)


def _is_code(element: etree._Element) -> bool:
    return element.tag in _CODE or (element.tag == "font" and "Courier" in element.get("face", ""))


def _clean(pieces: Sequence[str]) -> str:
    lines = [line.strip(" ") for line in _SPACES.sub(" ", "".join(pieces)).split("\n")]
    text = "\n".join(line.replace("\xa0", " ").rstrip() for line in lines)
    return _EMPTY_LINES.sub("\n\n", text).strip("\n")


@dataclass(slots=True)
class _Open:
    """A part that is being read."""

    mark: Mark | None
    label: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    parts: list[_Open] = field(default_factory=lambda: [_Open(None)])
    links: dict[str, None] = field(default_factory=dict)
    marked: etree._Element | None = None  # the element whose text is the label of the last part
    code: int = 0  # open elements of code

    def enter(self, element: etree._Element) -> None:
        tag = str(element.tag)
        if self.marked is None and (mark := _mark_of(element)):
            self.parts.append(_Open(mark))
            self.marked = element
        self.code += _is_code(element)
        if tag in _BLOCKS or tag == "br":
            self._add("\n- " if tag == "li" else "\n")
        elif tag in ("td", "th") and element.getprevious() is not None:
            self._add(" | ")
        elif tag == "a" and (target := element.get("href", "").strip()).startswith("v8help://"):
            self.links[target] = None
        self._add_text(element.text)

    def leave(self, element: etree._Element) -> None:
        tag = str(element.tag)
        if tag == "a" and self.parts[-1].mark is Mark.DEPRECATED and (owner := _OWNER.search(element.get("href", ""))):
            self._add(f" ({owner[1]})")  # a replacement is called by its own name alone
        if tag in _BLOCKS:
            self._add("\n")
        self.code -= _is_code(element)
        if element is self.marked:
            self.marked = None
        self._add_text(element.tail)

    def _add_text(self, text: str | None) -> None:
        if text:
            self._add((_CODE_SPACE if self.code else _SPACE).sub(" ", text))

    def _add(self, text: str) -> None:
        part = self.parts[-1]
        (part.text if self.marked is None else part.label).append(text)
