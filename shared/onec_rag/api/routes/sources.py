"""`/v1/sources` and `/v1/status`."""

from typing import Any

from fastapi import APIRouter

from onec_rag import __version__
from onec_rag.api.auth import Caller, Parts, Reader
from onec_rag.api.routes.uploads import list_uploads
from onec_rag.api.schemas import SourceOut, StatusOut
from onec_rag.api.services import Services
from onec_rag.store import search as store
from onec_rag.store.vectors import read_active_space

router = APIRouter(tags=["sources"])


@router.get("/sources")
def sources(caller: Reader, parts: Parts) -> list[SourceOut]:
    """What is indexed: each source in its current release, and how much of it has vectors."""
    return _sources(caller, parts)


@router.get("/status")
def status(caller: Reader, parts: Parts) -> StatusOut:
    """Sources, the last uploads, the size of the database, the embedding model."""
    with parts.database.transaction(caller.sources) as connection:
        size = store.database_size(connection)
    return StatusOut(
        version=__version__,
        embedding=parts.embedding,
        database_bytes=size,
        sources=_sources(caller, parts),
        uploads=list_uploads(caller, parts),
    )


def _sources(caller: Caller, parts: Services) -> list[SourceOut]:
    with parts.database.transaction(caller.sources) as connection:
        rows = store.read_sources(connection)
        scope = store.resolve_scope(connection, (), None)
        space = read_active_space(connection)
        figures = parts.search.coverage.of(scope, space, lambda asked: store.vector_coverage(connection, asked, space))
    return [_shown(row, *figures.get(row["id"], (0, 0))) for row in rows]


def _shown(row: dict[str, Any], chunks: int, vectors: int) -> SourceOut:
    return SourceOut(
        name=row["name"],
        kind=row["kind"],
        title=row["title"],
        release=row["current_release"],
        label=row["label"],
        releases=row["releases"],
        chunks=chunks,
        vectors=vectors,
        coverage=vectors / chunks if chunks else 1.0,
        vector_problem=row["vector_problem"],
        counts=row["counts"] or {},
        ready_at=row["ready_at"],
    )
