"""BSL, the language of 1C modules: a scanner of line beginnings, not a parser.

Procedures do not nest, and their headers and ends stand where neither a comment (`//`) nor the next line of a string
literal (`|`) can: at the beginning of a line. So one case-insensitive expression finds the same procedures as a full
lexer, and no body, however damaged or preprocessed, can derail it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from onec_rag.errors import ProtectedError
from onec_rag.formats.bsl_between import ANNOTATION, annotations_of, body_of, copyright_last_line_of, lead_of
from onec_rag.formats.bsl_literals import queries_of
from onec_rag.formats.encoding import decode_text
from onec_rag.model.code import Module, Parameter, Procedure

CONTAINER_SIGN = b"\xff\xff\xff\x7f"
"""The first bytes of a v8 container, which a protected module is, whatever its name says."""

# Possessive quantifiers (`*+`) keep every expression linear on any input.
_END = r"(?:Конец(?:Процедуры|Функции)|End(?:Procedure|Function))(?!\w)"
_MARK = re.compile(
    rf"""\n[^\S\n]*+(?=[КEПPФFАA&\#])(?:  # most lines begin with something else
        (?P<end>{_END})
      | (?:{ANNOTATION})*+
        (?P<header>(?P<asynchronous>(?:Асинх|Async)\s++)?
            (?:Процедура|Procedure|(?P<function>Функция|Function))\s++(?P<name>[^\W\d]\w*+)\s*+\()
      | \#[^\S\n]*+(?:Область|Region)[^\S\n]++(?P<region>\w++)
      | \#[^\S\n]*+(?P<region_end>КонецОбласти|EndRegion)(?!\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DIRECTIVE = re.compile(
    r"НаКлиенте(?:НаСервере(?:БезКонтекста)?)?|НаСервере(?:БезКонтекста)?"
    r"|AtClient(?:AtServer(?:NoContext)?)?|AtServer(?:NoContext)?",
    re.IGNORECASE,
)
_PLAIN_PARAMETERS = re.compile(r"""([^"'/()]*+)\)""")
_SIGNATURE_TOKEN = re.compile(r""""(?:[^"]|"")*+"?|'[^']*+'?|//[^\n]*+|[(),]|[^"'/(),]++|/""")
_PARAMETER = re.compile(r"(?:(Знач|Val)\s++)?(\w++)\s*+(?:=\s*+(.*))?$", re.IGNORECASE | re.DOTALL)
_EXPORT = re.compile(r"(?:\s|//[^\n]*+)*+(?:Экспорт|Export)(?!\w)", re.IGNORECASE)
_INLINE_END = re.compile(rf"(?<![\w.]){_END}", re.IGNORECASE)
_LITERAL_OR_COMMENT = re.compile(r'"[^"]*+"?|//.*')
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
    text, lines = _lines(text)
    copyright_last_line = copyright_last_line_of(lines)
    headers, regions = _headers(text)
    procedures = tuple(_procedures(lines, headers, copyright_last_line))
    body = tuple(body_of(lines, procedures, copyright_last_line))
    return Module(kind, lines, procedures, regions, body, queries_of(text, procedures), copyright_last_line)


def _lines(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with a line end before every line, the first one too, and the lines as the platform counts them: the
    other separators of `str.splitlines` are characters here."""
    if "\n" not in text:
        text = text.replace("\r", "\n")
    plain = text.replace("\r", "")
    lines = plain.split("\n")
    if len(text) - len(plain) not in (0, len(lines) - 1):  # the ends of Windows are not the only ones
        plain = text.replace("\r\n", "\n")
        lines = [line.rstrip("\r") for line in plain.split("\n")]
    if plain.endswith("\n") or not plain:
        lines.pop()
    return "\n" + plain, tuple(lines)


class _Header(NamedTuple):
    """A header with what follows it; lines are indexes from 0, `last` is `None` where no end was found."""

    mark: re.Match[str]
    regions: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    export: bool
    line: int
    signature_last: int
    last: int | None


def _headers(text: str) -> tuple[list[_Header], tuple[tuple[str, ...], ...]]:
    """The headers in their order, and the path of every region where it opens."""
    marks = list(_MARK.finditer(text))
    ends = _ends(marks)
    headers: list[_Header] = []
    paths: list[tuple[str, ...]] = []
    path: list[str] = []
    regions: tuple[str, ...] = ()
    position, line = 0, -1
    for number, mark in enumerate(marks):
        if mark.lastgroup == "header":
            start, stop = mark.start("header"), ends[number]
            bound = marks[number + 1].start() if number + 1 < len(marks) else len(text)
            parameters, export, signature_end = _signature(text, mark.end(), bound)
            first = line + text.count("\n", position, start)
            signature_last = first + text.count("\n", start, signature_end)
            last: int | None
            if stop and stop["end"]:
                last = signature_last + text.count("\n", signature_end, stop.start("end"))
                position, line = stop.start("end"), last
            else:
                last = _inline_end(text[signature_end : stop.start() if stop else len(text)], signature_last)
                position, line = start, first
            headers.append(_Header(mark, regions, parameters, export, first, signature_last, last))
        elif mark.lastgroup == "region":
            path.append(mark["region"])
            regions = tuple(path[:_DEEPEST])
            paths.append(regions)
        elif mark.lastgroup == "region_end":
            del path[-1:]
            regions = tuple(path[:_DEEPEST])
    return headers, tuple(paths)


def _ends(marks: Sequence[re.Match[str]]) -> list[re.Match[str] | None]:
    """For every mark the next one that ends a procedure or, where its end is missing, begins another."""
    ends: list[re.Match[str] | None] = []
    following = None
    for mark in reversed(marks):
        ends.append(following)
        if mark.lastgroup in ("end", "header"):
            following = mark
    ends.reverse()
    return ends


def _signature(text: str, start: int, bound: int) -> tuple[tuple[Parameter, ...], bool, int]:
    """Parameters, Экспорт, and where it all ends; `start` is behind the opening bracket.

    Nothing is looked at from `bound` on; where no closing bracket stands before it, there are no parameters.
    """
    if plain := _PLAIN_PARAMETERS.match(text, start, bound):  # nearly every signature
        pieces, end = plain[1].split(",") if plain[1] else [], plain.end()
    else:
        pieces, end = _parameter_pieces(text, start, bound)
    export = _EXPORT.match(text, end, bound) if end > start else None
    parameters = tuple([found for piece in pieces if (found := _parameter(piece.strip()))]) if pieces else ()
    return parameters, export is not None, export.end() if export else end


def _parameter_pieces(text: str, start: int, bound: int) -> tuple[list[str], int]:
    """What stands between the commas of a parameter list, and the end of the list; the start where it has no end."""
    pieces: list[list[str]] = [[]]
    depth = 0
    for token in _SIGNATURE_TOKEN.finditer(text, start, bound):
        word = token[0]
        if word == ")" and not depth:
            return ["".join(words) for words in pieces], token.end()
        if word == "," and not depth:
            pieces.append([])
        elif not word.startswith("//"):
            pieces[-1].append(word)
            depth += (word == "(") - (word == ")")
    return [], start


def _parameter(text: str) -> Parameter | None:
    if text.isidentifier():
        return Parameter(text)
    found = _PARAMETER.match(text)
    return Parameter(found[2], bool(found[1]), found[3]) if found else None


def _inline_end(rest: str, line: int) -> int | None:
    """The line of an end that stands behind statements, as in `Процедура А() КонецПроцедуры`."""
    for number, text in enumerate(rest.split("\n"), line):
        code = text.lstrip()
        if not code.startswith(("//", "|")) and _INLINE_END.search(_LITERAL_OR_COMMENT.sub("", code)):
            return number
    return None


def _procedures(lines: Sequence[str], headers: Sequence[_Header], free: int) -> Iterator[Procedure]:
    """`free` is the index of the first line that may belong to a procedure."""
    leads = []
    for header in headers:
        leads.append(lead_of(lines, free, header.line))
        free = (header.signature_last if header.last is None else header.last) + 1
    for number, (header, lead) in enumerate(zip(headers, leads, strict=True)):
        last = header.last
        if last is None:
            last = (leads[number + 1].first if number + 1 < len(leads) else len(lines)) - 1
        written = [*lead.annotations, *(annotations_of(lines[header.line]) if "&" in lines[header.line] else ())]
        directives = tuple(filter(_DIRECTIVE.fullmatch, written))
        yield Procedure(
            name=header.mark["name"],
            is_function=header.mark["function"] is not None,
            export=header.export,
            asynchronous=header.mark["asynchronous"] is not None,
            parameters=header.parameters,
            directives=directives,
            annotations=tuple([name for name in written if name not in directives]),
            regions=header.regions,
            doc=lead.doc,
            first_line=lead.first + 1,
            line=header.line + 1,
            signature_last_line=header.signature_last + 1,
            last_line=last + 1,
        )
