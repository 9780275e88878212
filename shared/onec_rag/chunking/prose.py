"""A page of documentation or help → chunks by heading, with overlap, code blocks and table rows whole."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from onec_rag.chunking.base import Context, Piece, shorten
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Block, Document, DocumentKind, Prose
from onec_rag.text.budget import estimate_tokens

CHARACTERS = 800
OVERLAP = 220
_CELL = " | "  # as readers join the cells of a table's row
_SENTENCE = re.compile(r"(?:[^.!?…]|[.!?…](?!\s))*+(?:[.!?…]\s++)?+")


def prose_chunks(document: Document, prose: Prose, context: Context) -> Iterator[Chunk]:
    """Chunks of about 800 characters; the heading path is the breadcrumb, the previous blocks' end the overlap.

    A chunk that begins inside a table begins with the table's first row instead.
    """
    kind = ChunkKind.HELP if document.kind is DocumentKind.HELP else ChunkKind.PAGE
    about = context.called(document.fqn) if document.fqn else document.title
    for section in prose.sections:
        path = " / ".join(dict.fromkeys((document.title, *section.headings)))
        breadcrumb = context.bounded(path if about in path else f"{about}: {path}")
        for pieces in _windows(section.blocks, context.room(breadcrumb)):
            yield Chunk(
                kind=kind,
                fqn=document.fqn,
                symbol=section.headings[-1] if section.headings else "",
                breadcrumb=breadcrumb,
                text="\n".join(piece.text for piece in pieces),
                first_line=pieces[0].first_line,
                last_line=pieces[-1].last_line,
                title=document.title,
                facets={"section": document.section} if document.section else {},
            )


@dataclass(slots=True)
class _Window:
    """Pieces that will be one chunk, and what they cost together."""

    pieces: list[Piece] = field(default_factory=list)
    characters: int = 0
    tokens: int = 0

    def add(self, piece: Piece) -> None:
        self.pieces.append(piece)
        self.characters += len(piece.text)
        self.tokens += estimate_tokens(piece.text) + 1

    def takes(self, piece: Piece, characters: int, room: int) -> bool:
        return self.characters + len(piece.text) <= characters and self.tokens + estimate_tokens(piece.text) + 1 <= room


def _windows(blocks: Sequence[Block], room: int) -> Iterator[list[Piece]]:
    """Runs of whole blocks up to 800 characters and the room; each begins with what makes it readable alone."""
    pieces = [piece for block in blocks if block.text.strip() for piece in _whole_or_cut(block, room)]
    window, fresh = _Window(), False
    for piece, head in zip(pieces, _heads(pieces), strict=True):
        if fresh and not window.takes(piece, CHARACTERS, room):
            yield window.pieces
            window = _beginning(window, piece, head, room)
        window.add(piece)
        fresh = True
    if fresh:
        yield window.pieces


def _beginning(window: _Window, coming: Piece, head: str, room: int) -> _Window:
    """What is said again before what comes: the first row of its table, else the last blocks, if they are short."""
    begun = _Window()
    left = room - estimate_tokens(coming.text) - 1
    if head:
        first_row = Piece(head, coming.first_line, coming.first_line)
        if begun.takes(first_row, OVERLAP, min(left, room // 2)):
            begun.add(first_row)
        return begun
    kept = 0
    for piece in reversed(window.pieces):
        if not begun.takes(piece, OVERLAP, min(left, room // 4)):
            break
        begun.add(piece)
        kept += 1
    begun.pieces = window.pieces[len(window.pieces) - kept :]
    return begun


def _heads(pieces: Sequence[Piece]) -> Iterator[str]:
    """For each piece the first row of the table that it is a later row of, or nothing."""
    head, columns = "", 0
    for piece in pieces:
        cells = piece.text.count(" |") if _CELL in piece.text and "\n" not in piece.text else 0
        if cells and head and cells <= columns + 1:  # the corner of a table may be empty
            yield head
        else:
            head, columns = piece.text if cells else "", cells
            yield ""


def _whole_or_cut(block: Block, room: int) -> list[Piece]:
    """A block as one piece; one above the room in several, cut between lines, else sentences, else anywhere."""
    if estimate_tokens(block.text) <= room:
        return [Piece(block.text, block.first_line, block.last_line)]
    parts: list[Piece] = []
    cost = 0
    for small in _lines_and_sentences(block, room):
        spent = estimate_tokens(small.text)
        if parts and cost + spent <= room:
            last = parts[-1]
            parts[-1] = Piece(last.text + small.text, last.first_line, small.last_line)
        else:
            parts.append(small)
            cost = 0
        cost += spent
    return [
        Piece(part.text.strip("\n").rstrip(), part.first_line, part.last_line) for part in parts if part.text.strip()
    ]


def _lines_and_sentences(block: Block, room: int) -> Iterator[Piece]:
    """The smallest parts of a block, each with the white space that follows it."""
    lines = block.text.split("\n")
    numbered = block.last_line - block.first_line + 1 == len(lines)  # a code block's range has its fences too
    for number, line in enumerate(lines):
        first = block.first_line + number if numbered else block.first_line
        last = first if numbered else block.last_line
        text = f"{line}\n"
        if estimate_tokens(text) <= room:
            yield Piece(text, first, last)
            continue
        for sentence in filter(None, _SENTENCE.findall(text)):
            yield from shorten(Piece(sentence, first, last), room)
