"""`/v1/search`."""

from fastapi import APIRouter

from onec_rag.api.auth import Parts, Reader
from onec_rag.api.schemas import SearchBody, SearchOut
from onec_rag.model.metadata import russian_fqn
from onec_rag.model.search import SearchRequest

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
        kinds=tuple(body.kinds),
        fqn_prefix=russian_fqn(body.fqn_prefix) if body.fqn_prefix else None,
    )
    return SearchOut.model_validate(parts.search.run(request, caller.sources))
