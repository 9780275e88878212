"""Lines of printed pages → paragraphs: running headers go, lines of a paragraph and parts of a word are joined."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_EDGE = 2  # lines at the top and at the bottom of a page that may be running headers
_REPEATED = 0.4  # of the pages; left and right pages have headers of their own
# Of the usual width: a shorter line ends its paragraph, or is one of code or of a table.
_LONG_LINE, _FULL_LINE = 0.7, 0.85
_ENDS = (".", "!", "?", ":", ";", "…")
_ITEM = re.compile(r"[•◦▪■●○*–—·-]\s|\d{1,3}+(?:\.\d{1,3}+)*+[.)]?+\s")
_COMPOUND = re.compile(r"(?<!\w)\w++(?:-\w++)++")
_PARTICLES = frozenset({"то", "либо", "нибудь", "таки", "ка"})
_DIGITS = re.compile(r"\d+")
_SIGNS = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
    | {"\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl", "\x96": "–", "\x97": "—"}  # of TeX
    | {"\0": " ", "\u200b": ""}
)
# Fonts of old typesetting programs hold Cyrillic at the places of Windows-1251, and say that these are Latin letters.
_CYRILLIC = str.maketrans(
    {chr(code): bytes([code]).decode("cp1251") for code in (0xA8, 0xB8, 0xB9, *range(0xC0, 256))} | {"¾": "«", "¿": "»"}
)
_LATIN_1 = re.compile("[À-ÿ]")


class Line(NamedTuple):
    """A line as it is printed, without white space around it; `page` is numbered from 1."""

    text: str
    page: int


class Paragraph(NamedTuple):
    """Joined lines, which may go over to the next page."""

    text: str
    first_page: int
    last_page: int


def printed_lines(pages: Iterable[str]) -> list[Line]:
    """The lines of all pages, without running headers and footers, page numbers and lines of a table of contents."""
    texts = _mend_cyrillic([clean_text(page) for page in pages])
    lines = [
        [Line(" ".join(line.split()), number) for line in text.splitlines() if line.strip()]
        for number, text in enumerate(texts, 1)
    ]
    repeated = _running_headers(lines)
    return [
        line
        for page in lines
        for number, line in enumerate(page)
        if not (_is_edge(number, page) and _pattern(line) in repeated) and not _is_of_contents(line.text)
    ]


def clean_text(text: str) -> str:
    """Text as it can be stored and found: no ligatures, no NUL, no halves of characters."""
    return unicodedata.normalize("NFC", text.translate(_SIGNS)).encode("utf-8", "replace").decode()


def usual_width(lines: Sequence[Line]) -> int:
    """The length of a line that is filled to its end."""
    lengths = sorted(len(line.text) for line in lines)
    return lengths[len(lengths) * 9 // 10] if lengths else 0


def compounds_in(lines: Iterable[Line]) -> frozenset[str]:
    """Words that are written with a hyphen inside a line."""
    return frozenset(word.casefold() for line in lines for word in _COMPOUND.findall(line.text))


def paragraphs(lines: Iterable[Line], width: int, compounds: frozenset[str]) -> Iterator[Paragraph]:
    """Paragraphs of lines that follow each other; where it is not sure that a line goes on, it does not."""
    parts: list[str] = []
    first = last = Line("", 0)
    for line in lines:
        if parts and not _goes_on(last.text, line.text, width):
            yield Paragraph("".join(parts), first.page, last.page)
            parts = []
        if not parts:
            first = line
        elif tail := _broken_word(last.text, line.text):
            keeps = f"{tail}{line.text.split(maxsplit=1)[0]}".casefold()
            if not _is_compound(keeps.strip('.,:;!?»)”"'), compounds):
                parts[-1] = parts[-1].removesuffix("-").removesuffix("\u00ad")
        else:
            parts.append(" ")
        parts.append(line.text)
        last = line
    if parts:
        yield Paragraph("".join(parts), first.page, last.page)


def _mend_cyrillic(texts: list[str]) -> list[str]:
    """The texts as they are read by people: in no language are three letters in ten those with accents."""
    letters = sum(1 for text in texts for letter in text if letter.isalpha())
    if sum(len(_LATIN_1.findall(text)) for text in texts) * 10 > letters * 3:
        return [text.translate(_CYRILLIC) for text in texts]
    return texts


def _running_headers(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    """What stands at the edge of many pages, whatever its numbers."""
    found = Counter(
        pattern
        for page in pages
        for pattern in {_pattern(line) for number, line in enumerate(page) if _is_edge(number, page)}
    )
    most = max(3, len(pages) * _REPEATED)
    return frozenset(pattern for pattern, count in found.items() if count >= most)


def _is_edge(number: int, page: Sequence[Line]) -> bool:
    return len(page) > 2 * _EDGE and not _EDGE <= number < len(page) - _EDGE


def _pattern(line: Line) -> str:
    return _DIGITS.sub("#", line.text)


def _is_of_contents(line: str) -> bool:
    """Whether a title is led to its page number by dots."""
    title = line.rstrip("0123456789 ")
    return title != line and title.endswith((".....", ". . . . ."))


def _goes_on(line: str, following: str, width: int) -> bool:
    if _broken_word(line, following):
        return True
    if line.endswith(_ENDS) or _ITEM.match(following):
        return False
    return len(line) >= width * (_LONG_LINE if following[:1].islower() else _FULL_LINE)


def _broken_word(line: str, following: str) -> str:
    """The beginning of a word that is broken at the end of a line, with its hyphen, or nothing."""
    word = line.rpartition(" ")[2]
    broken = len(word) > 1 and word[-1] in "-\u00ad" and word[-2].isalpha() and following[:1].islower()
    return word if broken else ""


def _is_compound(word: str, compounds: frozenset[str]) -> bool:
    return "-" in word and (word in compounds or word.rpartition("-")[2] in _PARTICLES)
