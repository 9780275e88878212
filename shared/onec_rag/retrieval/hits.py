"""Rows of the store → hits with their places; parts of one procedure become one hit."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from onec_rag.model.chunk import ChunkKind
from onec_rag.model.search import Hit, Place, Scoped

Channels = Mapping[str, Mapping[int, tuple[int, float]]]
NOT_RANKED: Channels = MappingProxyType({})


def make_hit(
    shard: int, row: Mapping[str, Any], scope: Mapping[int, Scoped], score: float = 0.0, channels: Channels = NOT_RANKED
) -> Hit:
    """A hit as the caller sees it; its path begins at the upload's root, its lines are those of the release read."""
    source = scope[row["source_id"]]
    lines = row["lines"] or (None, None)
    chunk_id = row["chunk_id"]
    found = {name: by_id[chunk_id] for name, by_id in channels.items() if chunk_id in by_id}
    return Hit(
        id=f"{shard}-{chunk_id}",
        kind=row["kind"],
        fqn=row["fqn"],
        symbol=row["symbol"],
        title=row["title"],
        breadcrumb=row["breadcrumb"],
        text=row["text"],
        place=Place(source.source, source.label, source.roots.get(row["root"], "") + row["path"], *lines),
        score=round(score, 6),
        ranks={name: rank for name, (rank, _) in found.items()},
        scores={name: round(value, 4) for name, (_, value) in found.items()},
        facets=row["facets"],
        stale=row["stale_since"] is not None and row["stale_since"] <= row["release_no"],
    )


def collapse(hits: Iterable[Hit]) -> list[Hit]:
    """The best part of each procedure, module or card; sections of pages stay apart."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for hit in hits:
        prose = hit.kind in (ChunkKind.HELP, ChunkKind.PAGE)
        key = (hit.place.source, hit.place.path, hit.kind, hit.id if prose else hit.fqn)
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept
