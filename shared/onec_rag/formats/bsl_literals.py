"""String literals of BSL that hold a query."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from onec_rag.formats.query import is_query, tables_of
from onec_rag.model.code import Procedure, Query

# Possessive quantifiers (`*+`) keep every expression linear on any input; no candidate looks behind the next quote.
_CANDIDATE = re.compile(r'"(?:[\s|;]++|(?://|\#)[^\n"]*+\n)*+(?:ВЫБРАТЬ|SELECT|УНИЧТОЖИТЬ|DROP)(?!\w)', re.IGNORECASE)
_COMMENT = r"//[^\n]*+"
_LINE = r'[^"\n]*+(?:""[^"\n]*+)*+'
_NEXT_LINE = rf"\n(?:[^\S\n]*+(?:{_COMMENT}|\#[^\n]*+)?\n)*+[^\S\n]*+\|"  # comments and `#Вставка` may stand between
_LITERAL = re.compile(rf'"(?P<value>{_LINE}(?:{_NEXT_LINE}{_LINE})*+)"?')
_LITERAL_OR_COMMENT = re.compile(rf"{_LITERAL.pattern}|{_COMMENT}")
_BETWEEN = re.compile(rf'(?:\s++|{_COMMENT})*+(?=")')
_REST_OF_LINE = re.compile(rf'[^\S\n]*+\|{_LINE}"?')
_DELETED = re.compile(r"#\s*+(?:Удаление|Delete)(?!\w)", re.IGNORECASE)
_DELETED_END = re.compile(r"#\s*+(?:КонецУдаления|EndDelete)(?!\w)", re.IGNORECASE)


def queries_of(text: str, procedures: Sequence[Procedure]) -> tuple[Query, ...]:
    """The literals that begin as a query does, in order; every line of `text` follows a line end, the first one too.

    Literals with nothing but comments between them are one. `symbol` is the procedure whose lines hold the literal.
    """
    queries = []
    beginnings = [procedure.first_line for procedure in procedures]
    position, first = 0, 0
    for start, end, value in _query_literals(text):
        first += text.count("\n", position, start)
        position = start
        owner = procedures[index] if (index := bisect_right(beginnings, first) - 1) >= 0 else None
        symbol = owner.name if owner and first <= owner.last_line else ""
        queries.append(Query(value, tables_of(value), symbol, first, first + text.count("\n", start, end)))
    return tuple(queries)


def _query_literals(text: str) -> Iterator[tuple[int, int, str]]:
    """Where literals begin and end, and what they say; a quote in a comment or inside another literal begins none."""
    position = 0  # nothing is left to look at before it
    for candidate in _CANDIDATE.finditer(text):
        quote = candidate.start()
        if position <= quote:
            position = _skip(text, position, quote)
        if position == quote:
            position, value = _literals(text, quote)
            if is_query(value):
                yield quote, position, value


def _skip(text: str, position: int, quote: int) -> int:
    """`quote` where it opens a literal, else the end of the comment or of the literal's line that it stands in."""
    line = text.rfind("\n", position, quote) + 1
    if line:
        rest = _REST_OF_LINE.match(text, line)
        position = rest.end() if rest else line
    while position < quote and (token := _LITERAL_OR_COMMENT.search(text, position)):
        position = token.end() if token.start() < quote else quote
    return position


def _literals(text: str, position: int) -> tuple[int, str]:
    """The end of a literal and of those that follow it with nothing but comments between; what they say together."""
    values = []
    while literal := _LITERAL.match(text, position):
        values.append(_value(literal["value"]))
        position = literal.end()
        if not (between := _BETWEEN.match(text, position)):
            break
        position = between.end()
    return position, "\n".join(values)


def _value(written: str) -> str:
    """A literal as the program has it; what an extension deletes (`#Удаление`) is none of it."""
    first, *others = written.split("\n")
    kept, deleted = [first], False
    for line in map(str.lstrip, others):
        if line.startswith("|"):
            if not deleted:
                kept.append(line[1:])
        elif line.startswith("#"):
            deleted = not _DELETED_END.match(line) and (deleted or _DELETED.match(line) is not None)
    return "\n".join(kept).replace('""', '"')
