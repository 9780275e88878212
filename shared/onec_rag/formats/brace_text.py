"""Brace text, the notation of nested lists in files of 1C: `{1,"a ""quoted"" word",{2,{3}}}`."""

import re
from collections.abc import Iterator

from onec_rag.errors import PermanentError

Value = str | list["Value"]
"""A string without its quotes, a number or word as written, or a list."""

DEEPEST = 64
"""Lists in lists; real ones have less than twenty."""

_TOKEN = re.compile(r'[\s,]*+(?:([{}])|"((?:[^"]++|"")*+)"|([^\s,{}"]++))')


def read_values(text: str) -> Iterator[Value]:
    """The elements of the outermost list, each as soon as it is complete; what follows that list is not read.

    Raises `PermanentError` with place for a text that is no list, breaks off inside one, or is too deep.
    """
    lists: list[list[Value]] = []
    position = len("\ufeff") if text.startswith("\ufeff") else 0
    while token := _TOKEN.match(text, position):
        brace, string, word = token.groups()
        if brace == "{":
            if len(lists) == DEEPEST:
                raise PermanentError(f"lists are nested deeper than {DEEPEST}", place=f"character {token.end()}")
            lists.append([])
        elif not lists:
            break
        else:
            value: Value = lists.pop() if brace else word if string is None else string.replace('""', '"')
            if not lists:
                return
            if len(lists) == 1:
                yield value
            else:
                lists[-1].append(value)
        position = token.end()
    raise PermanentError("brace text is damaged or breaks off", place=f"character {position}")
