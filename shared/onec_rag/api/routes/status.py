"""`/v1/status`: the service at a glance, and one upload in full."""

from uuid import UUID

from fastapi import APIRouter

from onec_rag import __version__
from onec_rag.api.auth import Caller, Parts, Reader
from onec_rag.api.embedding_schemas import VectorsOut
from onec_rag.api.routes import embedding, uploads
from onec_rag.api.routes.sources import sources
from onec_rag.api.schemas import UploadOut
from onec_rag.api.services import Services
from onec_rag.api.status_schemas import ChunksOut, FilesOut, JanitorOut, ReasonOut, StatusOut, TasksOut, UploadStatusOut
from onec_rag.errors import NotFound
from onec_rag.model.tasks import UploadState
from onec_rag.store import janitor, search
from onec_rag.store.database import ALL_SOURCES

router = APIRouter(tags=["status"])


@router.get("/status")
def status(caller: Reader, parts: Parts) -> StatusOut:
    """Sources, the last uploads, the size of the database, the embedding model, the janitor's last run."""
    with parts.database.transaction(caller.sources) as connection:
        size = search.database_size(connection)
    return StatusOut(
        version=__version__,
        embedding=parts.embedding,
        database_bytes=size,
        sources=sources(caller, parts),
        uploads=uploads.list_uploads(caller, parts),
        janitor=_last_run(caller, parts),
    )


@router.get("/status/{upload_id}")
def upload_status(upload_id: UUID, caller: Reader, parts: Parts) -> UploadStatusOut:
    """How far an upload is: tasks, files, chunks, what could not be read and why, and the vectors of its source."""
    upload = uploads.read(upload_id, caller, parts)
    with parts.database.transaction(caller.sources) as connection:
        reasons = janitor.reasons_of_problems(connection, upload.id)
    run = _last_run(caller, parts)
    left = upload.tasks - upload.tasks_done
    counts = upload.counts
    return UploadStatusOut(
        upload=upload,
        tasks=TasksOut(
            done=upload.tasks_done,
            waiting=left if upload.state == UploadState.LOADING else 0,
            failed=left if upload.state == UploadState.FAILED else 0,
        ),
        files=FilesOut(
            read=counts.get("documents", 0) + counts.get("empty", 0),
            skipped=upload.files_skipped,
            failed=upload.problems,
        ),
        chunks=ChunksOut(**{kind: counts.get(f"chunks_{kind}", 0) for kind in ChunksOut.model_fields}),
        reasons=[ReasonOut(**row) for row in reasons],
        vectors=_vectors(upload, caller, parts),
        dead_letters=sum(run.dead_letters.values()) if run and run.dead_letters else None,
    )


def _vectors(upload: UploadOut, caller: Caller, parts: Services) -> VectorsOut | None:
    try:
        return embedding.source_vectors(upload.source, caller, parts)
    except NotFound:  # nothing of the source is readable yet
        return None


def _last_run(caller: Caller, parts: Services) -> JanitorOut | None:
    """What was done is of all sources, so it is told to those who see them all."""
    if caller.sources != ALL_SOURCES:
        return None
    with parts.database.transaction(caller.sources) as connection:
        run = janitor.read_run(connection)
    return JanitorOut(**run) if run else None
