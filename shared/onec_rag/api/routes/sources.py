"""`/v1/sources`: what is indexed; a source goes for good."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query

from onec_rag.api.auth import Admin, Caller, Parts, Reader
from onec_rag.api.schemas import AsOf, DeletedSourceOut, Line, SourceName, SourceOut
from onec_rag.api.services import Services
from onec_rag.indexing import retire
from onec_rag.store import search as store
from onec_rag.store.vectors import read_active_space

router = APIRouter(tags=["sources"])


@router.get("/sources")
def sources(
    caller: Reader,
    parts: Parts,
    release: Annotated[Line | None, Query(max_length=100, description="label or number; none: the current one")] = None,
    as_of: AsOf | None = None,
) -> list[SourceOut]:
    """What is indexed: each source in one release, and how much of it has vectors. Where a release or a time is asked
    for, without the sources that have none."""
    return _sources(caller, parts, release, as_of)


@router.delete("/sources/{name}")
def delete(name: SourceName, caller: Admin, parts: Parts) -> DeletedSourceOut:
    """Deletes a source with its releases, its uploads and their files in the bucket; refuses one that is loading."""
    deleted = retire.delete_source(parts.database, parts.objects, parts.bucket, caller.sources, name)
    return DeletedSourceOut(**deleted)


def _sources(
    caller: Caller, parts: Services, release: str | None = None, as_of: datetime | None = None
) -> list[SourceOut]:
    with parts.database.transaction(caller.sources) as connection:
        scope = store.resolve_scope(connection, (), release, as_of)
        rows = store.read_sources(connection, scope, others=release is None and as_of is None)
        space = read_active_space(connection)
        figures = parts.search.coverage.of(scope, space, lambda asked: store.vector_coverage(connection, asked, space))
    return [_shown(row, *figures.get(row["id"], (0, 0))) for row in rows]


def _shown(row: dict[str, Any], chunks: int, vectors: int) -> SourceOut:
    return SourceOut(
        name=row["name"],
        kind=row["kind"],
        title=row["title"],
        release=row["no"],
        label=row["label"],
        releases=row["releases"],
        chunks=chunks,
        vectors=vectors,
        coverage=vectors / chunks if chunks else 1.0,
        vector_problem=row["vector_problem"],
        counts=row["counts"] or {},
        ready_at=row["ready_at"],
    )
