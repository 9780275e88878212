"""Pages of the platform's help as they lie in a staged archive, one file a page below its book's name → Documents.

The files are made by `hbk.expand`. A page with chapters (`Синтаксис:`, `Параметры:`) is read as a `PlatformPage`, an
article as prose. Words of both languages are known, whatever the book's; a word that is not is kept as it is.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from onec_rag.errors import PermanentError
from onec_rag.formats.hbk_markup import Mark, Part, article_html, parse_page, read_code, read_parts
from onec_rag.formats.html import read_html
from onec_rag.model.document import Block, Document, DocumentKind, Prose, Section
from onec_rag.model.platform import PlatformPage, PlatformParameter, Syntax

BOOK_FOLDER = re.compile(r"(?:.*/)?[^/]+\.hbk/.", re.DOTALL | re.IGNORECASE)
"""A path of such a page begins so."""

_CHAPTERS: Mapping[str, str] = MappingProxyType(
    {
        "вариант синтаксиса": "variant", "syntax variant": "variant",
        "синтаксис": "syntax", "syntax": "syntax",
        "параметры": "parameters", "parameters": "parameters",
        "описание варианта метода": "variant_description", "description of method variant": "variant_description",
        "возвращаемое значение": "returns", "returned value": "returns",
        "описание": "description", "description": "description",
        "доступность": "availability", "availability": "availability",
        "примечание": "notes", "note": "notes",
        "пример": "example", "example": "example",
        "см. также": "see_also", "see also": "see_also",
        "использование в версии": "versions", "available since": "versions",
        "методы": "members", "methods": "members",
        "свойства": "members", "properties": "members",
        "события": "members", "events": "members",
        "конструкторы": "members", "constructors": "members",
        "значения": "members", "values": "members",
    }
)  # fmt: skip
_OPTIONAL = re.compile(r"(.*?)\s*+\((обязательный|required|необязательный|optional)\)$", re.DOTALL)
_TYPES = re.compile(r"(?:Тип|Type)\s*+:\s*+")
_SENTENCE_END = re.compile(r"\.(?=\s|$)")
_COMMA = re.compile(r";\s*+|,\s*+(?![a-zа-яё])")
_SECOND_TITLE = re.compile(r"<?[A-Za-z]")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_SINCE = ("доступ", "available")
_DEPRECATED = ("не рекоменд", "устар", "not recommended", "deprecated", "obsolete")
_GROUP_PAGE = re.compile(r"(?:.*/)?catalog\d+\.html\.json", re.DOTALL)


def is_hbk_page(path: str) -> bool:
    """Whether the file is a page that `hbk.expand` has made."""
    return path.endswith(".json") and BOOK_FOLDER.match(path) is not None


def read_hbk_page(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one that says nothing.

    Its FQN is its Russian title where the book has one (`Массив.Добавить`), for articles empty; its section the book.
    Raises `PermanentError` for what `hbk.expand` has not made.
    """
    source = _source(path, data)
    root = parse_page(source.html)
    if root is None:
        return None
    parts, links = read_parts(root)
    reference = any(part.mark in (Mark.CHAPTER, Mark.HEADING) for part in parts)
    titles = _titles(parts, source, reference)
    title = _joined(titles)
    if not reference:
        page = read_html(article_html(root), path)
        if page is None:
            return None
        return Document(path, DocumentKind.PLATFORM, "", title, _article(page.prose, source), source.book)
    fqn = "" if _GROUP_PAGE.fullmatch(path) else titles.get("ru") or next(iter(titles.values()))
    content = _platform_page(parts, titles, links, source)
    return Document(path, DocumentKind.PLATFORM, fqn, title, content, source.book)


@dataclass(frozen=True, slots=True)
class _Source:
    """What `hbk.expand` tells of a page; `titles` are those of the table of contents, `name` is its file's."""

    book: str
    language: str
    titles: Mapping[str, str]
    headings: tuple[str, ...]
    html: str
    name: str


def _source(path: str, data: bytes) -> _Source:
    try:
        match json.loads(data):
            case {"book": str(book), "language": str(language), "titles": {**titles}, "headings": [*headings],
                  "html": str(html)}:  # fmt: skip
                named = {str(code): str(title) for code, title in titles.items() if title}
                above = tuple(_in_language(heading, language) for heading in headings)
                name = path.rpartition("/")[2].removesuffix(".json").removesuffix(".html")
                return _Source(book, language, named, above, html, name or path)
    except (ValueError, RecursionError):
        raise PermanentError("not a page of the platform's help: damaged JSON", path) from None
    raise PermanentError("not a page of the platform's help: parts are missing", path)


def _in_language(titles: object, language: str) -> str:
    if not isinstance(titles, dict):
        return str(titles)
    return str(titles.get(language) or next(iter(titles.values()), ""))


def _article(prose: Prose, source: _Source) -> Prose:
    """Under the headings of the table of contents; a page inside JSON has no lines to point to."""
    sections = [
        Section((*source.headings, *section.headings), tuple(Block(block.text, 0, 0) for block in section.blocks))
        for section in prose.sections
    ]
    return Prose(tuple(sections), prose.links)


def _titles(parts: Sequence[Part], source: _Source, reference: bool) -> dict[str, str]:
    """What the page calls itself, by language: an owner and its member, or the page's one title."""
    labels: dict[Mark, str] = {}
    for part in parts:
        if part.mark and part.label:
            labels.setdefault(part.mark, part.label)
    page, language = labels.get(Mark.PAGE_TITLE, ""), source.language
    if not reference:
        return {**source.titles, **_split_title(page, language)} or {language: source.name}
    owner = _split_title(labels.get(Mark.TITLE) or page, language)
    member = _split_title(labels.get(Mark.HEADING, ""), language)
    if not owner or not member:
        return owner or member or dict(source.titles) or {language: source.name}
    titles = {language: f"{owner[language]}.{member[language]}"}
    if language != "en" and ("en" in owner or "en" in member):
        in_english = member.get("en", member[language])
        titles["en"] = f"{owner['en']}.{in_english}" if "en" in owner else in_english
    return titles


def _split_title(text: str, language: str) -> dict[str, str]:
    """`Массив (Array)` → both titles; what is in brackets is a title only where it is in English."""
    if not text:
        return {}
    begin, depth = len(text), 0
    while begin and text.endswith(")") and language != "en":
        begin -= 1
        depth += (text[begin] == ")") - (text[begin] == "(")
        if not depth:
            break
    if 0 < begin < len(text) and not depth and _SECOND_TITLE.match(text, begin + 1):
        return {language: text[:begin].strip(), "en": text[begin + 1 : -1].strip()}
    return {language: text}


def _joined(titles: Mapping[str, str]) -> str:
    """`Массив.Добавить (Array.Add)`."""
    first, *rest = dict.fromkeys(titles.values())
    return f"{first} ({rest[0]})" if rest else first


@dataclass(slots=True)
class _Call:
    """A variant of syntax that is being read."""

    variant: str = ""
    text: str = ""
    description: str = ""
    parameters: list[PlatformParameter] = field(default_factory=list)


@dataclass(slots=True)
class _Chapters:
    """What the chapters of a page hold; `texts` by field of `PlatformPage`."""

    calls: list[_Call] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    example: str = ""
    members: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    others: list[tuple[str, list[str]]] = field(default_factory=list)
    current: str = ""

    def add_chapter(self, part: Part) -> None:
        name, _, variant = part.label.rstrip(" :").partition(":")
        self.current = _CHAPTERS.get(name.strip().lower(), "")
        match self.current:
            case "variant":
                self.calls.append(_Call(variant.strip()))
            case "syntax":
                self._call(new=True).text = "\n".join(part.lines)
            case "variant_description":
                self._call().description = "\n".join(part.lines)
            case "parameters":
                pass  # each is a part of its own
            case "example":
                self.example = read_code(part.text)
            case "members":
                self.members.append((name.strip(), tuple(part.lines)))
            case "":
                self.others.append((part.label.rstrip(" :"), part.lines))
            case known:
                self.texts.setdefault(known, []).extend(part.lines)

    def add_rubric(self, part: Part) -> None:
        """A parameter; in a chapter that is not known a part of its text."""
        flagged = _OPTIONAL.fullmatch(part.label)
        name, flag = flagged.groups() if flagged else (part.label, "")
        if self.current != "parameters" and self.others:
            self.others[-1][1].extend([part.label, *part.lines])
            return
        if name.startswith("<") and name.endswith(">") and not set("<>") & set(name[1:-1]):
            name = name[1:-1]
        types, lines = _typed(part.lines)
        required = flag not in ("необязательный", "optional")
        self._call().parameters.append(PlatformParameter(name, required, types, "\n".join(lines)))

    def _call(self, *, new: bool = False) -> _Call:
        if not self.calls or (new and self.calls[-1].text):
            self.calls.append(_Call())
        return self.calls[-1]


def _platform_page(
    parts: Sequence[Part], titles: Mapping[str, str], links: tuple[str, ...], source: _Source
) -> PlatformPage:
    chapters = _Chapters()
    marked: dict[Mark, list[str]] = {Mark.SINCE: [], Mark.DEPRECATED: []}
    for part in parts:
        if part.mark is Mark.CHAPTER:
            chapters.add_chapter(part)
        elif part.mark is Mark.RUBRIC:
            chapters.add_rubric(part)
        elif part.mark in marked:
            marked[part.mark].append(part.label)
    texts = chapters.texts
    versions = tuple(texts.get("versions") or marked[Mark.SINCE])
    availability, serialization = _availability(texts.get("availability", []))
    return_types, returns = _typed(texts.get("returns", []))
    description = texts.get("description", [])
    if not chapters.calls:
        return_types, description = _typed(description)
    deprecated = " ".join(marked[Mark.DEPRECATED]) or next(iter(_starting(versions, _DEPRECATED)), "")
    return PlatformPage(
        titles=titles,
        headings=source.headings,
        language=source.language,
        syntax=tuple(
            Syntax(call.text, call.variant, tuple(call.parameters), call.description) for call in chapters.calls
        ),
        returns="\n".join(returns),
        return_types=return_types,
        description="\n".join(description),
        availability=availability,
        notes="\n".join([*texts.get("notes", []), *serialization]),
        example=chapters.example,
        since=next((found[0] for line in _starting(versions, _SINCE) if (found := _VERSION.search(line))), ""),
        deprecated=deprecated.replace(": - ", ": "),
        versions=versions,
        see_also=tuple(texts.get("see_also", [])),
        members=tuple(chapters.members),
        others=tuple((name, "\n".join(lines)) for name, lines in chapters.others),
        links=links,
    )


def _starting(lines: Sequence[str], words: tuple[str, ...]) -> list[str]:
    return [line for line in lines if line.lower().startswith(words)]


def _typed(lines: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Types that the first line begins with (`Тип: Строка, Число.`), and the lines without them."""
    begin = _TYPES.match(lines[0]) if lines else None
    if not begin:
        return (), list(lines)
    end = _SENTENCE_END.search(lines[0], begin.end())
    types = lines[0][begin.end() : end.start() if end else None]
    rest = lines[0][end.end() :].strip() if end else ""
    return tuple(name.strip() for name in _COMMA.split(types) if name.strip()), [*filter(None, [rest]), *lines[1:]]


def _availability(lines: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Where it can be used, and what the chapter says else: of exchange with the server and serialization."""
    if not lines:
        return (), []
    end = _SENTENCE_END.search(lines[0])
    places = lines[0][: end.start() if end else None]
    rest = lines[0][end.end() :].strip() if end else ""
    return tuple(name.strip() for name in places.split(",") if name.strip()), [*filter(None, [rest]), *lines[1:]]
