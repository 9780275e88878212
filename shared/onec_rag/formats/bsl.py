"""BSL, the language of 1C modules: a scanner of line beginnings, not a parser.

Procedures do not nest, and their headers and ends stand where neither a comment (`//`) nor the next line of a string
literal (`|`) can: at the beginning of a line. So one case-insensitive expression finds the same procedures as a full
lexer, and no body, however damaged or preprocessed, can derail it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from onec_rag.errors import ProtectedError
from onec_rag.formats.encoding import decode_text
from onec_rag.model.code import Module, Parameter, Procedure

CONTAINER_SIGN = b"\xff\xff\xff\x7f"
"""The first bytes of a v8 container, which a protected module is, whatever its name says."""

# Possessive quantifiers (`*+`) keep every expression linear on any input.
_END = r"(?:Конец(?:Процедуры|Функции)|End(?:Procedure|Function))(?!\w)"
_ANNOTATION = r'&\s*+\w++(?:[^\S\n]*+\((?:[^()"\n]|"[^"\n]*+")*+\))?[^\S\n]*+'
_MARK = re.compile(
    rf"""\n[^\S\n]*+(?:
        (?P<end>{_END})
      | (?:{_ANNOTATION})*+
        (?P<header>(?P<asynchronous>(?:Асинх|Async)\s++)?
            (?:Процедура|Procedure|(?P<function>Функция|Function))\s++(?P<name>[^\W\d]\w*+)\s*+\()
      | \#[^\S\n]*+(?:Область|Region)[^\S\n]++(?P<region>\w++)
      | \#[^\S\n]*+(?P<region_end>КонецОбласти|EndRegion)(?!\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ANNOTATIONS = re.compile(_ANNOTATION)
_ANNOTATION_LINE = re.compile(rf"\s*+(?:{_ANNOTATION})++(?://.*)?$")
_DIRECTIVE = re.compile(
    r"НаКлиенте(?:НаСервере(?:БезКонтекста)?)?|НаСервере(?:БезКонтекста)?"
    r"|AtClient(?:AtServer(?:NoContext)?)?|AtServer(?:NoContext)?",
    re.IGNORECASE,
)
_SIGNATURE_TOKEN = re.compile(r""""(?:[^"]|"")*+"?|'[^']*+'?|//[^\n]*+|[(),]|[^"'/(),]++|/""")
_PARAMETER = re.compile(r"(?:(Знач|Val)\s++)?(\w++)\s*+(?:=\s*+(.*))?$", re.IGNORECASE | re.DOTALL)
_EXPORT = re.compile(r"(?:\s|//[^\n]*+)*+(?:Экспорт|Export)(?!\w)", re.IGNORECASE)
_INLINE_END = re.compile(rf"(?<![\w.]){_END}", re.IGNORECASE)
_LITERAL_OR_COMMENT = re.compile(r'"[^"]*+"?|//.*')
_RULE = re.compile(r"/{4,}$")
_COPYRIGHT = re.compile(r"copyright|©|\(c\)|all rights reserved|все права защищены", re.IGNORECASE)
_OTHERWISE = re.compile(r"#\s*+(?:Иначе|Else)(?!\w)", re.IGNORECASE)
_END_IF = re.compile(r"#\s*+(?:КонецЕсли|EndIf)(?!\w)", re.IGNORECASE)
_RAISE = re.compile(r"(?:ВызватьИсключение|Raise)(?!\w)", re.IGNORECASE)
_DEEPEST = 16  # region names in a path: real modules nest two or three


def decode(data: bytes, path: str) -> str:
    """The text of a module; raises `PermanentError` where it is protected by a password or is no text."""
    if data.startswith(CONTAINER_SIGN):
        raise ProtectedError("module is password-protected", path)
    return decode_text(data, path)


def scan(text: str, kind: str) -> Module:
    """Any text as a module of that kind; what is no BSL gives no procedures, and nothing raises.

    Procedures are ordered and share no line; one without its КонецПроцедуры ends before the next one begins.
    """
    lines = _lines(text)
    headers, regions = _headers(lines)
    procedures = tuple(_procedures(lines, headers))
    return Module(kind, lines, procedures, regions, tuple(_body(lines, procedures)))


def _lines(text: str) -> tuple[str, ...]:
    """Lines as the platform counts them: the other separators of `str.splitlines` are characters here."""
    text = text.replace("\r\n", "\n").removesuffix("\n")
    lines = text.split("\n") if text else []
    return tuple(line.rstrip("\r") for line in lines) if "\r" in text else tuple(lines)


@dataclass(frozen=True, slots=True)
class _Header:
    """A header with what follows it; lines are indexes from 0, `last` is `None` where no end was found."""

    mark: re.Match[str]
    regions: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    export: bool
    line: int
    signature_last: int
    last: int | None


def _headers(lines: Sequence[str]) -> tuple[list[_Header], tuple[tuple[str, ...], ...]]:
    """The headers in their order, and the path of every region where it opens."""
    text = "\n" + "\n".join(lines)  # so that every line, the first one too, follows a line end
    marks = list(_MARK.finditer(text))
    headers: list[_Header] = []
    paths: list[tuple[str, ...]] = []
    path: list[str] = []
    position, line = 0, -1
    for number, mark in enumerate(marks):
        if mark["region"]:
            path.append(mark["region"])
            paths.append(tuple(path[:_DEEPEST]))
        elif mark["region_end"]:
            del path[-1:]
        elif mark["header"]:
            line += text.count("\n", position, mark.start("header"))
            position = mark.start("header")
            bound = marks[number + 1].start() if number + 1 < len(marks) else len(text)
            parameters, export, signature_end = _signature(text, mark.end(), bound)
            signature_last = line + text.count("\n", position, signature_end)
            following = (marks[index] for index in range(number + 1, len(marks)))
            stop = next((other for other in following if other["end"] or other["header"]), None)
            if stop and stop["end"]:
                last: int | None = line + text.count("\n", position, stop.start("end"))
            else:
                rest = text[signature_end : stop.start() if stop else len(text)]
                last = _inline_end(rest, signature_last)
            headers.append(_Header(mark, tuple(path[:_DEEPEST]), parameters, export, line, signature_last, last))
    return headers, tuple(paths)


def _signature(text: str, start: int, bound: int) -> tuple[tuple[Parameter, ...], bool, int]:
    """Parameters, Экспорт, and where it all ends; `start` is behind the opening bracket.

    Nothing is looked at from `bound` on; where no closing bracket stands before it, there are no parameters.
    """
    pieces = [""]
    depth = 0
    for token in _SIGNATURE_TOKEN.finditer(text, start, bound):
        word = token[0]
        if word == ")" and not depth:
            parameters = tuple(
                Parameter(found[2], bool(found[1]), found[3])
                for piece in pieces
                if (found := _PARAMETER.match(piece.strip()))
            )
            export = _EXPORT.match(text, token.end(), bound)
            return parameters, bool(export), export.end() if export else token.end()
        if word == "," and not depth:
            pieces.append("")
        elif not word.startswith("//"):
            pieces[-1] += word
            depth += (word == "(") - (word == ")")
    return (), False, start


def _inline_end(rest: str, line: int) -> int | None:
    """The line of an end that stands behind statements, as in `Процедура А() КонецПроцедуры`."""
    for number, text in enumerate(rest.split("\n"), line):
        code = text.lstrip()
        if not code.startswith(("//", "|")) and _INLINE_END.search(_LITERAL_OR_COMMENT.sub("", code)):
            return number
    return None


def _procedures(lines: Sequence[str], headers: Sequence[_Header]) -> Iterator[Procedure]:
    leads = []
    free = 0  # the first line behind the previous procedure
    for header in headers:
        leads.append(_lead(lines, free, header.line))
        free = (header.signature_last if header.last is None else header.last) + 1
    for number, (header, lead) in enumerate(zip(headers, leads, strict=True)):
        last = header.last
        if last is None:
            last = (leads[number + 1].first if number + 1 < len(leads) else len(lines)) - 1
        written = [*lead.annotations, *_annotations(lines[header.line])]
        directives = [name for name in written if _DIRECTIVE.fullmatch(name)]
        yield Procedure(
            name=header.mark["name"],
            is_function=bool(header.mark["function"]),
            export=header.export,
            asynchronous=bool(header.mark["asynchronous"]),
            parameters=header.parameters,
            directives=tuple(directives),
            annotations=tuple(name for name in written if name not in directives),
            regions=header.regions,
            doc=lead.doc,
            first_line=lead.first + 1,
            line=header.line + 1,
            signature_last_line=header.signature_last + 1,
            last_line=last + 1,
        )


@dataclass(frozen=True, slots=True)
class _Lead:
    """What stands above a header and belongs to it, from the line with index `first` on."""

    first: int
    annotations: tuple[str, ...]
    doc: str


def _lead(lines: Sequence[str], free: int, header: int) -> _Lead:
    """Annotations may have comments and blank lines between; the doc comment touches the first of them.

    Where nothing touches it, a comment between the annotations and the header describes the procedure.
    """
    first = line = header
    while line > free and (not (above := lines[line - 1].strip()) or above.startswith(("//", "&"))):
        line -= 1
        if above.startswith("&"):
            if not _ANNOTATION_LINE.match(above):
                break
            first = line
    annotations = tuple(name for text in lines[first:header] for name in _annotations(text))
    doc_first, doc = _doc(lines, free, first)
    if not doc and first < header:
        return _Lead(first, annotations, _doc(lines, first, header)[1])
    return _Lead(doc_first if doc else first, annotations, doc)


def _annotations(text: str) -> list[str]:
    """The annotations that a line begins with, without their `&`."""
    names, position = [], len(text) - len(text.lstrip())
    while found := _ANNOTATIONS.match(text, position):
        names.append(found[0].strip()[1:].lstrip())
        position = found.end()
    return names


def _doc(lines: Sequence[str], free: int, stop: int) -> tuple[int, str]:
    """The comment that ends above `stop`: where it begins, and its text without slashes, empty where it is no doc.

    The file's copyright header and rules of slashes are no doc.
    """
    first = stop
    while first > free and lines[first - 1].lstrip().startswith("//"):
        first -= 1
    comments = [line.strip() for line in lines[first:stop]]
    while comments and _RULE.match(comments[-1]):
        comments.pop()
    end = first + len(comments)
    borders = [number for number, comment in enumerate(comments, 1) if _RULE.match(comment)]
    own = comments[borders[-1] if borders else 0 :]
    if first == 0 and (end < stop or any(_COPYRIGHT.search(comment) for comment in own)):
        return stop, ""
    return end - len(own), "\n".join(comment.lstrip("/").removeprefix(" ") for comment in own).strip("\n")


def _body(lines: Sequence[str], procedures: Sequence[Procedure]) -> Iterator[tuple[int, int]]:
    """Line ranges of code between the procedures; `#Иначе` with a raise is the standard guard, which says nothing."""
    code: list[int] = []
    branch = 0  # where in `code` the last `#Иначе` stands
    start = 0
    for stop, following in [*((item.first_line - 1, item.last_line) for item in procedures), (len(lines), 0)]:
        for number in range(start, stop):
            line = lines[number].strip()
            if _OTHERWISE.match(line):
                branch = len(code)
            elif _END_IF.match(line):
                if branch < len(code) and _RAISE.match(lines[code[branch]].lstrip()):
                    del code[branch:]
                branch = len(code)
            elif line and not line.startswith(("//", "#")):
                code.append(number)
        start = following
    for _, run in groupby(enumerate(code), lambda pair: pair[1] - pair[0]):  # neighbours have one difference
        numbers = [number for _, number in run]
        yield numbers[0] + 1, numbers[-1] + 1
