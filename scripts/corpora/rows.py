"""The table that is printed for a corpus."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure and what it must be."""

    what: str
    found: int
    expected: int

    @property
    def off(self) -> bool:
        return self.found != self.expected


def print_rows(rows: Iterable[Row]) -> int:
    """Prints them under each other; returns how many are off."""
    off = 0
    for row in rows:
        print(f"  {row.what:<58}{row.found:>11,}{row.expected:>11,}  {'OFF' if row.off else 'ok'}")
        off += row.off
    return off
