"""`/v1/problems`: the files that could not be read, page by page."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from onec_rag.api.auth import Parts, Reader
from onec_rag.api.routes import uploads
from onec_rag.api.schemas import ProblemOut, SourceName
from onec_rag.api.status_schemas import ProblemsOut
from onec_rag.errors import InvalidRequest, NotFound
from onec_rag.store import janitor

router = APIRouter(prefix="/problems", tags=["uploads"])


@router.get("")
def problems(
    caller: Reader,
    parts: Parts,
    upload: UUID | None = None,
    source: SourceName | None = None,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> ProblemsOut:
    """The files of an upload that could not be read, with place and reason; of a source those of the last upload that
    was read at all."""
    if (upload is None) == (source is None):
        raise InvalidRequest("name an upload or a source")
    with parts.database.transaction(caller.sources) as connection:
        found = str(upload) if source is None else janitor.last_read_upload(connection, source)
        rows = janitor.page_of_problems(connection, found, offset, limit) if found else []
    if found is None:
        raise NotFound(f"{source} has no upload")
    its = uploads.read(UUID(found), caller, parts)
    return ProblemsOut(upload=its, total=its.problems, offset=offset, problems=[ProblemOut(**row) for row in rows])
