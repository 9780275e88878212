"""Pages of plain text: paragraphs between blank lines, headings only where a line of signs underlines them."""

import re
from collections.abc import Iterator, Sequence

from onec_rag.formats.encoding import decode_text
from onec_rag.formats.pages import Outline, page_document
from onec_rag.model.document import Block, Document

_UNDERLINE = re.compile(r"(?:={3,}+|-{3,}+|~{3,}+|\*{3,}+)\s*+")
_LEVELS = {"=": 1, "*": 1, "-": 2, "~": 3}
_LONGEST_HEADING = 120


def is_text(path: str) -> bool:
    """Whether a path is named as plain text."""
    return path.lower().endswith(".txt")


def read_text(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one without text. Raises `PermanentError` for bytes that are no text.

    Lines stay lines, since a text may hold tables and code; the title is the heading that speaks for the page, else the
    file's name. A report of the Configurator about a configuration is read so too.
    """
    outline = Outline(path)
    for first, lines in _paragraphs(decode_text(data, path)):
        _add(outline, first, lines)
    return page_document(path, outline.prose(), outline.heading)


def _paragraphs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not blank, with the number of their first one."""
    run: list[str] = []
    number = 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip():
            run.append(line.rstrip())
        elif run:
            yield number - len(run), run
            run = []
    if run:
        yield number - len(run) + 1, run


def _add(outline: Outline, first: int, lines: Sequence[str]) -> None:
    """A paragraph, after the heading that it may begin with: `===`, the heading, `===`, or without the first."""
    above = int(len(lines) > 2 and _UNDERLINE.fullmatch(lines[0]) is not None)
    if len(lines) >= above + 2 and _is_heading(lines[above], lines[above + 1]):
        outline.open(_LEVELS[lines[above + 1][0]], lines[above].strip())
        first, lines = first + above + 2, lines[above + 2 :]
    if lines:
        outline.add(Block("\n".join(lines), first, first + len(lines) - 1))


def _is_heading(line: str, below: str) -> bool:
    """Whether a line is underlined from its first letter to its last, give or take three; a table's head is not one."""
    return (
        len(line) <= _LONGEST_HEADING
        and not _UNDERLINE.fullmatch(line)
        and _UNDERLINE.fullmatch(below) is not None
        and abs(len(line) - len(below)) <= 3
        and "|" not in line
    )
