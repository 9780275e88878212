"""`/v1/search` and `/v1/hits`."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from onec_rag.api.auth import Parts, Reader
from onec_rag.api.schemas import AsOf, HitContextOut, Line, SearchBody, SearchOut
from onec_rag.model.metadata import russian_fqn
from onec_rag.model.search import Filters, SearchRequest

router = APIRouter(tags=["search"])


@router.post("/search")
def search(body: SearchBody, caller: Reader, parts: Parts) -> SearchOut:
    """Hybrid search (vectors + full text) over code, metadata, help and documentation."""
    request = SearchRequest(
        query=body.query,
        mode=body.mode,
        limit=body.limit,
        sources=tuple(dict.fromkeys(body.sources)),
        release=body.release,
        as_of=body.as_of,
        filters=Filters(
            kinds=tuple(body.kinds),
            fqn_prefix=russian_fqn(body.fqn_prefix) if body.fqn_prefix else None,
            sections=tuple(body.sections),
            belonging=body.belonging,
        ),
    )
    return SearchOut.model_validate(parts.search.run(request, caller.sources))


@router.get("/hits/{hit_id}")
def read_hit(
    hit_id: Annotated[str, Path(pattern=r"^\d{1,9}-\d{1,18}$")],
    caller: Reader,
    parts: Parts,
    release: Annotated[Line | None, Query(max_length=100, description="label or number; none: the current one")] = None,
    as_of: AsOf | None = None,
    neighbours: Annotated[int, Query(ge=0, le=20)] = 1,
) -> HitContextOut:
    """A hit's whole text (all parts of a long procedure) and what stands around it in its file."""
    shard, _, chunk_id = hit_id.partition("-")
    found = parts.search.context(int(shard), int(chunk_id), release, neighbours, caller.sources, as_of)
    return HitContextOut.model_validate(found)
