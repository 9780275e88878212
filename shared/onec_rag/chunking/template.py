"""A template → a short card of its parameters, areas and texts."""

from collections.abc import Iterator
from itertools import islice

from onec_rag.chunking.base import Context
from onec_rag.chunking.card import breadcrumb_of, card_chunks, rows_of
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document
from onec_rag.model.template import Template

MOST_PARTS = 4
"""Chunks of one template: the first texts tell what it is, the thousandth row of a classifier tells nothing more."""


def template_chunks(document: Document, template: Template, context: Context) -> Iterator[Chunk]:
    """Parameters and areas first, since the texts may be cut off."""
    breadcrumb = breadcrumb_of(document.fqn, context)
    rows = [
        *rows_of("Параметры", template.parameters, 12),
        *rows_of("Области", template.areas, 12),
        *template.texts,
    ]
    title = context.titles.get(document.fqn, "")
    yield from islice(card_chunks(ChunkKind.TEMPLATE, document.fqn, rows, breadcrumb, context, title), MOST_PARTS)
