"""Lone surrogates: how Python hands over bytes that it could not decode, and what no JSON or zip may hold.

Under a locale without UTF-8 the arguments and file names of a Russian user arrive as surrogate escapes (PEP 383).
"""

import re

_ESCAPED = re.compile("(?<![\ud800-\udbff])[\udc80-\udcff]+")


def repair(text: str) -> str:
    """The text with escaped bytes read as UTF-8, surrogate pairs joined, and U+FFFD for what is left."""
    if text.isascii():
        return text
    text = _ESCAPED.sub(lambda found: _decoded(found[0]), text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _decoded(escapes: str) -> str:
    return escapes.encode("ascii", "surrogateescape").decode("utf-8", "replace")
