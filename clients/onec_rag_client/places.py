"""Where a found thing stands, in one line that can be copied."""

from onec_rag_client.results import Place


def place_of(place: Place) -> str:
    """`path:first-last`, as editors take it; the path alone where no line is known."""
    lines = lines_of(place["first_line"], place["last_line"])
    return f"{place['path']}:{lines}" if lines else place["path"]


def lines_of(first: int | None, last: int | None) -> str:
    """`first-last`, or the one line; empty where none is known."""
    if first is None:
        return ""
    return str(first) if last in (None, first) else f"{first}-{last}"


def origin_of(place: Place) -> str:
    """`source@release`."""
    return f"{place['source']}@{place['release']}"
