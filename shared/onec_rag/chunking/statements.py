"""Lines of BSL → pieces that a long text is cut between."""

import re
from collections.abc import Iterator, Sequence

from onec_rag.chunking.base import Piece

_LITERAL_OR_COMMENT = re.compile(r'"[^"]*+"|//.*')
_STATEMENT_END = re.compile(
    r"(?:;|:|(?<!\w)(?:Тогда|Then|Цикл|Do|Иначе|Else|Попытка|Try|Исключение|Except))$", re.IGNORECASE
)


def statement_pieces(lines: Sequence[str], first_line: int, signature_last_line: int = 0) -> Iterator[Piece]:
    """Lines as pieces. A part may begin with a statement or with the comment above it, or with a paragraph of a
    comment; never inside a string literal or an expression, whatever an extension marks inside them (`#Вставка`)."""
    in_literal, ended, below_comment = False, True, False
    for number, line in enumerate(lines, first_line):
        text = line.strip()
        yield Piece(line, number, number, bool(text) and ended and not below_comment)
        below_comment = text.startswith("//") and text.strip("/") != ""
        if text and not text.startswith(("//", "#")):
            in_literal = in_literal and text.startswith("|")  # else it was never closed
            bare = _LITERAL_OR_COMMENT.sub("", '"' + text[1:] if in_literal else text).rstrip()
            in_literal = '"' in bare
            ended = not in_literal and _STATEMENT_END.search(bare) is not None
        if number == signature_last_line:
            ended = True
