"""What every chunker is given: facts from other files, the model's window, and how to cut to it."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onec_rag.text.budget import estimate_tokens

VERSION = 2
"""Raised when the same document gives other chunks; a release made by another version is not called unchanged."""


LONGEST_DOC = 4_000
"""Characters of a doc comment that weigh more than the body, in every part; the whole comment is in the body anyway."""


@dataclass(frozen=True, slots=True)
class Context:
    """Facts of the release and the model's window.

    `titles` maps FQNs of objects to their synonyms; `relations` maps an FQN to (relation, FQN of the other side) as
    other files declare them: the subsystems that hold it, the documents that write it. `window` is in tokens of the
    embedding model, its own prefix not counted.
    """

    titles: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    window: int = 480

    def room(self, *fixed: str) -> int:
        """Tokens left for the body when the fixed texts stand in every part; a quarter of the window at the least."""
        return max(self.window - sum(estimate_tokens(text) + 1 for text in fixed), self.window // 4)

    def bounded(self, text: str, share: int = 2) -> str:
        """The beginning of a text that takes at most one part in `share` of the window: a heading may be a page."""
        while estimate_tokens(text) > self.window // share:
            text = text[: len(text) * 7 // 8]
        return text

    def called(self, fqn: str) -> str:
        """An object's FQN with its synonym, where it has one that says more."""
        title = self.titles.get(fqn, "")
        return f"{fqn} ({title})" if title and title != fqn.rpartition(".")[2] else fqn


@dataclass(frozen=True, slots=True)
class Piece:
    """A line or a block to be packed; `border` says that a part may well begin here."""

    text: str
    first_line: int
    last_line: int
    border: bool = True


def shorten(piece: Piece, room: int) -> list[Piece]:
    """A piece as itself, or in slices where it alone is above the room (a line of data may have a megabyte)."""
    if len(piece.text) <= room // 2 or estimate_tokens(piece.text) <= room:
        return [piece]
    slices, start, step = [], 0, room * 2
    while start < len(piece.text):
        text = piece.text[start : start + step]
        while len(text) > 1 and estimate_tokens(text) > room:
            text = text[: max(len(text) * 3 // 4, 1)]
        slices.append(Piece(text, piece.first_line, piece.last_line, border=False))
        start += len(text)
    return slices


def pack(pieces: Sequence[Piece], room: int) -> list[list[Piece]]:
    """Neighbouring pieces in parts of at most `room` tokens.

    A part ends at the last border before it would overflow. Above three quarters of the room it ends already at a
    border that the content elects (one line in four, by its checksum), so that an edit moves the part borders near it
    and no others: content-defined chunking after Muthitacharoen et al., "A Low-bandwidth Network File System", 2001.
    """
    queue = [small for piece in pieces for small in shorten(piece, room)]
    costs = [estimate_tokens(piece.text) + 1 for piece in queue]
    parts: list[list[Piece]] = []
    start, used, border = 0, 0, 0
    for index, piece in enumerate(queue):
        elected = piece.border and used > room * 3 // 4 and zlib.crc32(piece.text.encode()) % 4 == 0
        if index > start and (elected or used + costs[index] > room):
            cut = index if elected or border <= start or piece.border else border
            parts.append(queue[start:cut])
            start, used = cut, sum(costs[cut:index])
            if start < index and used + costs[index] > room:  # what stands behind the border is a full part of its own
                parts.append(queue[start:index])
                start, used = index, 0
        if piece.border:
            border = index
        used += costs[index]
    if start < len(queue):
        parts.append(queue[start:])
    return parts
