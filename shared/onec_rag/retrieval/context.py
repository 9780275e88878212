"""A hit in its document: all parts of its symbol as one text, and what stands before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from onec_rag.model.chunk import ChunkKind
from onec_rag.model.search import HitContext, Neighbour, Scoped
from onec_rag.retrieval.hits import make_hit

Row = Mapping[str, Any]


def surround(shard: int, row: Row, around: Sequence[Row], scope: Mapping[int, Scoped], neighbours: int) -> HitContext:
    """The chunk of `row` with its symbol's other parts joined; `around` is its whole document in order of lines."""
    hit = make_hit(shard, row, scope)
    whole = [item for item in around if _same_symbol(item, row)]
    lines = [item["lines"] for item in whole if item["lines"]]
    if len(whole) > 1:
        place = hit.place
        if lines:
            place = replace(place, first_line=min(line[0] for line in lines), last_line=max(line[1] for line in lines))
        hit = replace(hit, text="\n".join(item["text"] for item in whole), place=place)
    own = {item["chunk_id"] for item in whole} | {row["chunk_id"]}
    position = next((number for number, item in enumerate(around) if item["chunk_id"] in own), 0)
    before = [item for item in around[:position] if item["chunk_id"] not in own]
    after = [item for item in around[position:] if item["chunk_id"] not in own]
    return HitContext(
        hit,
        tuple(_neighbour(shard, item) for item in _distinct(before)[-neighbours:] if neighbours),
        tuple(_neighbour(shard, item) for item in _distinct(after)[:neighbours]),
    )


def _same_symbol(item: Row, row: Row) -> bool:
    """Parts of one procedure, module or card; sections of a page that share a heading path are parts too."""
    if item["kind"] != row["kind"] or item["symbol"] != row["symbol"] or item["fqn"] != row["fqn"]:
        return False
    return row["kind"] not in (ChunkKind.HELP, ChunkKind.PAGE) or item["breadcrumb"] == row["breadcrumb"]


def _distinct(rows: Sequence[Row]) -> list[Row]:
    """One row a symbol."""
    found: dict[tuple[str, ...], Row] = {}
    for item in rows:
        found.setdefault((item["kind"], item["fqn"], item["symbol"]), item)
    return list(found.values())


def _neighbour(shard: int, item: Row) -> Neighbour:
    first, last = item["lines"] or (None, None)
    return Neighbour(f"{shard}-{item['chunk_id']}", item["fqn"], item["symbol"], item["breadcrumb"], first, last)
