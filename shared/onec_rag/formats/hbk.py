"""Books of the platform's help (.hbk) → their pages, each a small file of its own.

Source: real books as the public readers describe them. A book is a container with the elements `Book` (brace text: its
id, by which `v8help://` links call it), `PackBlock` (a zip member with the table of contents, brace text) and
`FileStorage` (a zip of pages, images and templates).
"""

import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, list_members, read_member
from onec_rag.formats.brace_text import Value, read_values
from onec_rag.formats.container import Container
from onec_rag.formats.html import decode_html
from onec_rag.formats.zip_directory import ReadRange

LIMITS = Limits(member_bytes=16 << 20)
"""Of the zip inside a book."""

WHERE = "The books (shcntx_ru.hbk and others) are in the bin folder of the platform"
"""A hint for people, who see the help in the Configurator and never its files."""

_CONTENTS_BYTES = 64 << 20
_PACKED = struct.Struct("<4s4xH8xI4xHH")  # signature, method, packed size, lengths of name and extra field
_DEPTH = 32  # of the table of contents, where a damaged one could go round
_NO_PAGES = re.compile(r".+\.(?:st|gif|png|jpe?g|bmp|ico|svg|css|js|xml|txt)|(?:.*/)?__categories__", re.IGNORECASE)
_GROUP = re.compile(r"objects|catalog\d+")  # folders whose names say nothing
_FOOTER = re.compile(r"<hr\b[^>]*+>([^<]*+(?:<[^>]*+>[^<]*+)*+)\Z", re.IGNORECASE)
_FOOTER_TEXT = 60  # characters without tags
_TAGS = re.compile(r"<[^>]*+>|&nbsp;|\s")

Titles = Mapping[str, str]


def expand(read: ReadRange, size: int, book: str, problems: list[PermanentError]) -> Iterator[tuple[str, bytes]]:
    """The pages of a book of `size` bytes whose file is called `<book>.hbk`, as (path, content), one in memory a time.

    Paths are `<book>.hbk/<path in the book>.json`, the same in every version of the platform. A content is JSON:
    `book`, `id` (the host of links to this book), `language`, `titles` and `headings` (the path in the table of
    contents, outermost first) by language, `html`: the page without its footer, whose link changes with every version.
    A page that occurs twice in the table of contents is at its first place; one that does not occur has its folders.

    Raises `PermanentError` for what is no book; what is wrong with single pages is added to `problems`.
    """
    name = f"{book}.hbk"
    container = Container(read, size, name)
    if "FileStorage" not in container.elements():
        raise PermanentError(f"not a book of the platform's help: it has no FileStorage. {WHERE}", name)
    language = language_of(book)
    about = {"book": book, "id": _book_id(container), "language": language}
    contents = _read_contents(container, language, problems)
    storage = container.open("FileStorage")
    try:
        members, faults = list_members(storage.read, storage.size, LIMITS)
    except PermanentError as error:
        raise PermanentError(error.reason, f"{name}/FileStorage", error.place) from None
    problems += [PermanentError(fault.reason, f"{name}/{fault.path}", fault.place) for fault in faults]
    for member in members:
        if _NO_PAGES.fullmatch(member.path):
            continue
        path = f"{name}/{member.path}"
        try:
            span = storage.read(member.offset, member.end - member.offset)
            html = decode_html(read_member(span, member.offset, member, LIMITS)).removeprefix("\ufeff")
        except PermanentError as error:
            problems.append(PermanentError(error.reason, path, error.place))
            continue
        if html.lstrip().startswith("<"):
            page = about | contents.place_of(member.path) | {"html": without_footer(html)}
            yield f"{path}.json", json.dumps(page, ensure_ascii=False).encode("utf-8", "replace")


def language_of(book: str) -> str:
    """`ru` of `shcntx_ru`, `en` of `shcntx_root`; `ru` where the name does not tell."""
    locale = book.lower().rpartition("_")[2] if "_" in book else ""
    return "en" if locale == "root" else locale if re.fullmatch("[a-z]{2}", locale) else "ru"


def without_footer(html: str) -> str:
    """A page without the rule and the lonely link at its end."""
    begin = max(html.rfind("<hr"), html.rfind("<HR"))
    footer = _FOOTER.match(html, begin) if begin >= 0 else None
    if footer and "href" in footer[1].lower() and len(_TAGS.sub("", footer[1])) <= _FOOTER_TEXT:
        return html[:begin]
    return html


@dataclass(frozen=True, slots=True)
class _Entry:
    parent: str
    titles: Titles
    path: str


@dataclass(slots=True)
class _Contents:
    """The table of contents: entries by id, and the first entry of every page."""

    entries: dict[str, _Entry] = field(default_factory=dict)
    pages: dict[str, _Entry] = field(default_factory=dict)

    def add(self, number: str, entry: _Entry) -> None:
        self.entries.setdefault(number, entry)
        if entry.path:
            self.pages.setdefault(entry.path, entry)

    def place_of(self, path: str) -> dict[str, object]:
        """A page's titles and headings; where the table does not name it, its folders below the page that is named."""
        if entry := self.pages.get(path):
            return {"titles": entry.titles, "headings": self._above(entry)}
        steps = path.split("/")[:-1]
        for depth in range(len(steps), 0, -1):
            if entry := self.pages.get("/".join(steps[:depth]) + ".html"):
                return {"titles": {}, "headings": [*self._above(entry), entry.titles, *_named(steps[depth:])]}
        return {"titles": {}, "headings": _named(steps)}

    def _above(self, entry: _Entry) -> list[Titles]:
        headings: list[Titles] = []
        above = self.entries.get(entry.parent)
        while above and len(headings) < _DEPTH:
            headings.insert(0, above.titles)
            above = self.entries.get(above.parent)
        return [titles for titles in headings if titles]


def _named(folders: list[str]) -> list[Titles]:
    return [{"": folder} for folder in folders if not _GROUP.fullmatch(folder)]


def _book_id(container: Container) -> str:
    """The second value of `{7,"SyntaxHelperContext",…}`; empty where there is none."""
    try:
        values = list(read_values(container.read("Book").decode("utf-8", "replace")))
    except PermanentError:
        return ""
    return values[1] if len(values) > 1 and isinstance(values[1], str) else ""


def _read_contents(container: Container, language: str, problems: list[PermanentError]) -> _Contents:
    """What can be read of the table; pages come without it too, so its damage is a problem like that of a page."""
    contents = _Contents()
    if "PackBlock" not in container.elements():
        return contents
    try:
        for value in read_values(_unpack(container.read("PackBlock"))):
            if isinstance(value, list) and (entry := _entry(value, language)):
                contents.add(*entry)
    except PermanentError as error:
        path = f"{container.path}/PackBlock"
        problems.append(PermanentError(f"the table of contents is damaged: {error.reason}", path, error.place))
    return contents


def _unpack(data: bytes) -> str:
    """The text of the one member of a zip, of which the central directory may be missing."""
    if len(data) < _PACKED.size or not data.startswith(b"PK\3\4"):
        raise PermanentError("PackBlock is no zip")
    _, method, size, name_length, extra_length = _PACKED.unpack_from(data)
    packed = data[_PACKED.size + name_length + extra_length :]
    if method == 0:
        return packed[:size].decode("utf-8", "replace")
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        text = inflating.decompress(packed, _CONTENTS_BYTES)
    except zlib.error as error:
        raise PermanentError(f"PackBlock can't be inflated ({error})") from None
    if inflating.unconsumed_tail:
        raise PermanentError(f"the table has more than the {_CONTENTS_BYTES} bytes allowed")
    return text.decode("utf-8", "replace")


def _entry(value: list[Value], language: str) -> tuple[str, _Entry] | None:
    """`{id,parent,count,child…,{n,n,{n,n,{"ru","…"},{"en","…"}},"/path.html"}}`; `None` for a row of another shape."""
    match value:
        case [str(number), str(parent), *_, [_, _, [*names], str(path), *_]]:
            titles = {
                language if code == "#" else code: title.strip()
                for name in names
                if isinstance(name, list) and len(name) == 2
                for code, title in [name]
                if isinstance(code, str) and isinstance(title, str) and title.strip()
            }
            return number, _Entry(parent, titles, path.partition("#")[0].strip("/"))
    return None
