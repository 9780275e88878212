"""`/v1/answers`."""

from fastapi import APIRouter

from onec_rag.api.auth import Parts, Reader
from onec_rag.api.schemas import AnswerBody, AnswerOut
from onec_rag.model.search import Filters, SearchRequest

router = APIRouter(tags=["answers"])


@router.post("/answers")
def answer(body: AnswerBody, caller: Reader, parts: Parts) -> AnswerOut:
    """A short answer whose every key point cites a source; without a chat endpoint the hits alone."""
    request = SearchRequest(
        query=body.question,
        limit=body.limit,
        sources=tuple(dict.fromkeys(body.sources)),
        release=body.release,
        as_of=body.as_of,
        filters=Filters(kinds=tuple(body.kinds)),
    )
    return AnswerOut.model_validate(parts.answering.run(request, body.language, caller.sources))
