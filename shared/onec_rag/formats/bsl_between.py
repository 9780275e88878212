"""What stands between the procedures of a BSL module: their annotations and doc comments, and code of the module."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from onec_rag.model.code import Procedure

ANNOTATION = r'&\s*+\w++(?:[^\S\n]*+\((?:[^()"\n]|"[^"\n]*+")*+\))?[^\S\n]*+'
"""An annotation or compilation directive with its arguments and the white space behind it."""

_ANNOTATIONS = re.compile(ANNOTATION)
_ANNOTATION_LINE = re.compile(rf"\s*+(?:{ANNOTATION})++(?://.*)?$")
_RULE = re.compile(r"/{4,}$")
_COPYRIGHT = re.compile(r"copyright|©|\(c\)|all rights reserved|все права защищены", re.IGNORECASE)
_CODE = re.compile(r"^(?!//|#)\S", re.MULTILINE)
_GUARD = re.compile(  # "not to be called on the client": the standard end of a server module, which says nothing
    r"""^\#\s*+(?:Иначе|Else)(?!\w).*\n
        (?://.*\n)*+(?:ВызватьИсключение|Raise)(?!\w)
        (?:.*\n(?!\#))*+.*\n\#\s*+(?:КонецЕсли|EndIf)(?!\w)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


class Lead(NamedTuple):
    """What stands above a header and belongs to it, from the line with index `first` on."""

    first: int
    annotations: Sequence[str]
    doc: str


def lead_of(lines: Sequence[str], free: int, header: int) -> Lead:
    """Annotations may have comments and blank lines between; the doc comment touches the first of them.

    Where nothing touches it, a comment between the annotations and the header describes the procedure.
    """
    first = line = header
    gap = "".join(lines[free:header])
    annotations: Sequence[str] = ()
    if "&" in gap:
        while line > free and (not (above := lines[line - 1].strip()) or above.startswith(("//", "&"))):
            line -= 1
            if above.startswith("&"):
                if not (above[1:].isidentifier() or _ANNOTATION_LINE.match(above)):
                    break
                first = line
        annotations = [name for text in lines[first:header] for name in annotations_of(text)]
    if "//" not in gap:
        return Lead(first, annotations, "")
    doc_first, doc = _doc(lines, free, first)
    if not doc and first < header:
        return Lead(first, annotations, _doc(lines, first, header)[1])
    return Lead(doc_first if doc else first, annotations, doc)


def annotations_of(text: str) -> list[str]:
    """The annotations that a line begins with, without their `&`."""
    text = text.strip()
    if text[1:].isidentifier():  # nearly every one stands alone
        return [text[1:]] if text.startswith("&") else []
    names: list[str] = []
    position = 0
    while found := _ANNOTATIONS.match(text, position):
        names.append(found[0].strip()[1:].lstrip())
        position = found.end()
    return names


def _doc(lines: Sequence[str], free: int, stop: int) -> tuple[int, str]:
    """The comment that ends above `stop`: where it begins, and its text without slashes, empty where it is no doc.

    Rules of slashes are no doc, nor is a framed comment that opens the file: it describes the module.
    """
    first = stop
    while first > free and lines[first - 1].lstrip().startswith("//"):
        first -= 1
    if first == stop:
        return stop, ""
    comments = [line.strip() for line in lines[first:stop]]
    while comments and _RULE.match(comments[-1]):
        comments.pop()
    end = first + len(comments)
    if first == 0 and end < stop:
        return stop, ""
    borders = [number for number, comment in enumerate(comments, 1) if comment[:4] == "////" and _RULE.match(comment)]
    own = comments[borders[-1] if borders else 0 :]
    return end - len(own), "\n".join([comment.lstrip("/").removeprefix(" ") for comment in own]).strip("\n")


def copyright_last_line_of(lines: Sequence[str]) -> int:
    """The last line of the copyright header, numbered from 1; 0 where the module does not begin with one.

    A header is a comment above everything else, up to the first rule of slashes behind its words about rights.
    """
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    claimed = False
    for number in range(first, len(lines)):
        comment = lines[number].strip()
        if not comment.startswith("//"):
            return number if claimed else 0
        if claimed and _RULE.match(comment):
            return number + 1
        claimed = claimed or _COPYRIGHT.search(comment) is not None
    return len(lines) if claimed else 0


def body_of(lines: Sequence[str], procedures: Sequence[Procedure], start: int) -> Iterator[tuple[int, int]]:
    """Line ranges of what stands between procedures where it has code in it; `start` is behind the header."""
    for stop, following in [*((item.first_line - 1, item.last_line) for item in procedures), (len(lines), 0)]:
        gap = [(number, text) for number in range(start, stop) if (text := lines[number].strip())]
        start = following
        if gap and _has_code("\n".join([text for _, text in gap])):
            for _, run in groupby(enumerate(gap), lambda pair: pair[1][0] - pair[0]):  # neighbours have one difference
                numbers = [number for _, (number, _) in run]
                yield numbers[0] + 1, numbers[-1] + 1


def _has_code(text: str) -> bool:
    """Whether there is a statement or a declaration among comments and instructions to the preprocessor."""
    return bool(_CODE.search(text) and _CODE.search(_GUARD.sub("", text)))
