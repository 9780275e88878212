"""A page of documentation or help → chunks by heading, with overlap, code blocks and table rows whole."""

from collections.abc import Iterator

from onec_rag.chunking.base import Context, Piece, pack, shorten
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Block, Document, DocumentKind, Prose
from onec_rag.text.budget import estimate_tokens

CHARACTERS = 800
OVERLAP = 220


def prose_chunks(document: Document, prose: Prose, context: Context) -> Iterator[Chunk]:
    """Chunks of about 800 characters; the heading path is the breadcrumb, the previous blocks' end the overlap."""
    kind = ChunkKind.HELP if document.kind is DocumentKind.HELP else ChunkKind.PAGE
    about = context.called(document.fqn) if document.fqn else document.title
    for section in prose.sections:
        path = " / ".join(dict.fromkeys((document.title, *section.headings)))
        breadcrumb = context.bounded(path if about in path else f"{about}: {path}")
        room = context.room(breadcrumb)
        for blocks in _windows(section.blocks, room):
            yield Chunk(
                kind=kind,
                fqn=document.fqn,
                symbol=section.headings[-1] if section.headings else "",
                breadcrumb=breadcrumb,
                text="\n".join(block.text for block in blocks),
                first_line=blocks[0].first_line,
                last_line=blocks[-1].last_line,
                title=document.title,
                facets={"section": document.section} if document.section else {},
            )


def _windows(blocks: tuple[Block, ...], room: int) -> Iterator[list[Piece]]:
    """Runs of whole blocks up to 800 characters and the room; each begins with the last ones' end as overlap."""
    pieces = [
        small
        for block in blocks
        if block.text.strip()
        for small in shorten(Piece(block.text, block.first_line, block.last_line), room)
    ]
    window: list[Piece] = []
    fresh = 0
    for piece in pieces:
        if fresh and sum(len(item.text) for item in window) + len(piece.text) > CHARACTERS:
            yield from pack(window, room)
            window, fresh = _overlap(window, piece, room), 0
        window.append(piece)
        fresh += 1
    if fresh:
        yield from pack(window, room)


def _overlap(window: list[Piece], coming: Piece, room: int) -> list[Piece]:
    """The last blocks of a window that are short enough to be said again before what comes."""
    kept: list[Piece] = []
    for piece in reversed(window):
        both = [piece, *kept]
        if sum(len(item.text) for item in both) > OVERLAP:
            break
        if sum(estimate_tokens(item.text) + 1 for item in (*both, coming)) > room:
            break
        kept = both
    return kept
