"""Where the commands write: results to stdout, progress and messages to stderr; colours only on a terminal."""

import json
import re
import sys

from rich.console import Console
from rich.text import Text

from onec_rag_client.surrogates import repair

_WIDTH = None if sys.stdout.isatty() else 200
"""In a pipe nothing is folded at the 80 columns of a terminal that is not there."""

OUT = Console(width=_WIDTH, markup=False, highlight=False, emoji=False)
ERR = Console(stderr=True, markup=False, highlight=False, emoji=False)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_json(value: object) -> None:
    """Prints what a program reads."""
    sys.stdout.write(repair(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")


def print_line(*parts: str | tuple[str, str]) -> None:
    """One line of text and (text, style) that is never folded, so that a place can be copied whole."""
    OUT.print(Text.assemble(*parts), soft_wrap=True)


def plain(value: str) -> str:
    """Text of somebody else's file, without what would steer a terminal."""
    return _CONTROL.sub("", repair(value))


def number(value: float) -> str:
    """A whole number with its thousands apart."""
    return f"{value:,.0f}".replace(",", "\N{NO-BREAK SPACE}")


def percent(share: float) -> str:
    """A share of 0 to 1; 100 % only when nothing is missing."""
    return f"{int(share * 1000) / 10:g}\N{NO-BREAK SPACE}%"


def moment(time: str | None) -> str:
    """An ISO 8601 time as far as its minutes."""
    return (time or "").replace("T", " ")[:16]
