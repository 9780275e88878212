"""A report's schema → its card (variants, data sets with fields, resources, parameters), and a chunk for each query."""

from collections.abc import Iterator

from onec_rag.chunking.base import Context
from onec_rag.chunking.card import breadcrumb_of, called, card_chunks, rows_of
from onec_rag.chunking.metadata import fold
from onec_rag.chunking.query import query_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document
from onec_rag.model.report import ReportSchema, SchemaField


def report_chunks(document: Document, schema: ReportSchema, context: Context) -> Iterator[Chunk]:
    """The card in parts, then the queries of the data sets."""
    breadcrumb = breadcrumb_of(document.fqn, context)
    owner = document.fqn.rsplit(".", 2)[0]
    variants = (text for _, titles in schema.variants for text in titles.values())
    title = " ".join(dict.fromkeys(filter(None, (context.titles.get(owner, ""), *variants))))
    yield from card_chunks(ChunkKind.REPORT, document.fqn, dict.fromkeys(_rows(schema)), breadcrumb, context, title)
    for data_set in schema.data_sets:
        if data_set.query:
            head = f"{breadcrumb} · набор данных {data_set.name}"
            yield from query_chunks(document.fqn, data_set.query, head, context, title=title)


def _rows(schema: ReportSchema) -> Iterator[str]:
    yield from (f"Вариант {called(name, titles)}" for name, titles in schema.variants)
    for data_set in schema.data_sets:
        tables = ", ".join(data_set.query.tables) if data_set.query else ""
        yield f"Набор данных {data_set.name}" + (f": {tables}" if tables else "")
        yield from rows_of("Поля", (called(field.name, field.titles) for field in data_set.fields))
    yield from (_field("Вычисляемое поле", field) for field in schema.calculated)
    yield from (_field("Ресурс", field) for field in schema.totals)
    yield from (_field("Параметр", field) for field in schema.parameters)


def _field(word: str, field: SchemaField) -> str:
    row = f"{word} {called(field.name, field.titles)}"
    if field.types:
        row += ": " + fold(field.types)
    expression = " ".join(field.expression.split())
    return f"{row} = {expression}" if expression else row
