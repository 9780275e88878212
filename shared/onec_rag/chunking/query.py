"""A query text → its chunks, the same whether it stands in a module, a form or a report."""

import re
from collections.abc import Iterator, Mapping

from onec_rag.chunking.base import Context, Piece, pack
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Query

_CLAUSE = re.compile(
    r"\s*+(?:(?:ВЫБРАТЬ|ПОМЕСТИТЬ|ИЗ|ГДЕ|СГРУППИРОВАТЬ|ИМЕЮЩИЕ|УПОРЯДОЧИТЬ|ИТОГИ|ОБЪЕДИНИТЬ|УНИЧТОЖИТЬ|ИНДЕКСИРОВАТЬ"
    r"|ЛЕВОЕ|ПРАВОЕ|ПОЛНОЕ|ВНУТРЕННЕЕ|СОЕДИНЕНИЕ|SELECT|INTO|FROM|WHERE|GROUP|HAVING|ORDER|TOTALS|UNION|DROP|INDEX"
    r"|LEFT|RIGHT|FULL|INNER|JOIN)\b|;|////)",
    re.IGNORECASE,
)


def query_chunks(
    fqn: str,
    query: Query,
    breadcrumb: str,
    context: Context,
    *,
    title: str = "",
    facets: Mapping[str, str | bool] | None = None,
) -> Iterator[Chunk]:
    """The query in parts that fit the window, cut at line ends: before a clause or behind a comma where it can be.

    `fqn` is whose query it is: a procedure, an object with a form or a schema. Each part begins with `breadcrumb` and
    the names of the tables that the query reads.
    """
    head = context.bounded(breadcrumb)
    if query.tables:
        head += "\n" + _tables(query.tables, context)
    lines = query.text.split("\n")
    exact = query.last_line - query.first_line + 1 == len(lines)  # else lines of the file are missing in the text
    pieces = []
    for number, line in enumerate(lines):
        border = bool(_CLAUSE.match(line)) or (number > 0 and lines[number - 1].rstrip().endswith(","))
        first, last = (query.first_line + number,) * 2 if exact else (query.first_line, query.last_line)
        if line.strip():
            pieces.append(Piece(line, first, last, border))
    for part in pack(pieces, context.room(head)):
        yield Chunk(
            kind=ChunkKind.QUERY,
            fqn=fqn,
            symbol=query.symbol,
            breadcrumb=head,
            text="\n".join(piece.text for piece in part),
            first_line=part[0].first_line,
            last_line=part[-1].last_line,
            title=title,
            facets=facets or {},
        )


def _tables(tables: tuple[str, ...], context: Context) -> str:
    """The names of the tables on one line, as many as a quarter of the window holds."""
    row = "Таблицы: " + ", ".join(tables)
    shown = context.bounded(row, 4)
    return row if shown == row else shown.rpartition(", ")[0] + "…"
