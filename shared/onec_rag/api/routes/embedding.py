"""`/v1/embedding` and `/v1/sources/{name}/vectors`: how far vectors are, letting them begin, another model."""

from typing import Any

from fastapi import APIRouter

from onec_rag.api.auth import Admin, Caller, Parts, Reader
from onec_rag.api.embedding_schemas import CostOut, EmbeddingOut, ModelOut, ReembedBody, VectorsOut
from onec_rag.api.schemas import SourceName
from onec_rag.api.services import Services
from onec_rag.embedding import PROBE, Embedder
from onec_rag.errors import ConfigurationError, Forbidden, InvalidRequest, NotFound
from onec_rag.indexing.embed import fill_message
from onec_rag.indexing.reembed import REMOVE_MESSAGE
from onec_rag.store import spaces, spending, vectors
from onec_rag.store.database import ALL_SOURCES
from onec_rag.store.spaces import Space

router = APIRouter(tags=["embedding"])


@router.get("/sources/{name}/vectors")
def source_vectors(name: SourceName, caller: Reader, parts: Parts) -> VectorsOut:
    """How far the vectors of a source are, what they cost, and how long they will take."""
    with parts.database.transaction(caller.sources) as connection:
        rows = spending.vector_progress(connection, vectors.read_active_space(connection), name)
    if not rows:
        raise NotFound(f"{name} is not here, or has no release yet")
    return _vectors(parts, rows[0])


@router.post("/sources/{name}/vectors/release")
def release(name: SourceName, caller: Admin, parts: Parts) -> VectorsOut:
    """Lets vectors begin that are held since they cost more than the budget of an upload."""
    with parts.database.transaction(caller.sources) as connection:
        source_id, shard = _found(vectors.find_shard(connection, name), name)
        if not spending.release_vectors(connection, source_id):
            raise InvalidRequest(f"no vectors of {name} are held")
    _send(parts, [fill_message(source_id, shard)])
    return source_vectors(name, caller, parts)


@router.post("/sources/{name}/vectors/retry")
def retry(name: SourceName, caller: Admin, parts: Parts) -> VectorsOut:
    """Sends the texts of a source again that the endpoint refused, and whatever else has no vector."""
    with parts.database.transaction(caller.sources) as connection:
        source_id, shard = _found(vectors.find_shard(connection, name), name)
        spending.retry_refused_texts(connection, source_id)
    _send(parts, [fill_message(source_id, shard)])
    return source_vectors(name, caller, parts)


@router.get("/embedding")
def embedding(caller: Reader, parts: Parts) -> EmbeddingOut:
    """The active model, the one that is filled beside it, and what it costs to embed everything anew."""
    with parts.database.transaction(caller.sources) as connection:
        active, filling = spaces.read_space(connection), spaces.read_filling_space(connection)
        progress = [spending.vector_progress(connection, space.id if space else None) for space in (active, filling)]
        whole = spending.vector_progress(connection, None)
        removing = spaces.any_retired_space(connection)
    texts, tokens = sum(row["waiting"] for row in whole), sum(row["tokens"] for row in whole)
    return EmbeddingOut(
        active=_model(active, progress[0]) if active else None,
        next=_model(filling, progress[1]) if filling else None,
        removing=removing,
        whole=CostOut(texts=texts, tokens=tokens, price=_price(parts, tokens)),
    )


@router.post("/embedding/next", status_code=202)
def reembed(body: ReembedBody, caller: Admin, parts: Parts) -> EmbeddingOut:
    """Begins to fill the vectors of another model beside the active one, which is searched until everything current
    is covered; then the new one takes over. Asked for again it goes on. The endpoint is tried first."""
    _require_all(caller)
    ours = _embedder(parts)
    asked = Space(
        0, body.model, body.dimensions, body.passage_prefix, body.query_prefix, body.base_url or ours.endpoint.base_url,
        stands_for=None, active=False, filling=True, problem=None,
    )  # fmt: skip
    theirs = ours.for_space(asked)
    if theirs is not None:
        theirs.query(PROBE)
    with parts.database.transaction(caller.sources) as connection:
        sources = vectors.loaded_sources(connection)
        if not sources:
            raise InvalidRequest("nothing is indexed yet: name the model in the settings instead")
        begun = spaces.begin_filling(
            connection, model=asked.model, dimensions=asked.dimensions, prefix=asked.prefix,
            query_prefix=asked.query_prefix, base_url=asked.base_url or "",
            settings={"model": ours.model, "dimensions": ours.dimensions, "prefix": ours.passage_prefix},
        )  # fmt: skip
    if not begun:
        raise InvalidRequest("this is the active model, or another one is being filled; see GET /v1/embedding")
    _send(parts, [fill_message(source_id, shard) for source_id, shard in sources])
    return embedding(caller, parts)


@router.delete("/embedding/next")
def abandon(caller: Admin, parts: Parts) -> EmbeddingOut:
    """Gives the model up that is being filled; its vectors go."""
    _require_all(caller)
    with parts.database.transaction(caller.sources) as connection:
        if not spaces.abandon_filling(connection):
            raise InvalidRequest("no other model is being filled")
    _send(parts, [dict(REMOVE_MESSAGE)])
    return embedding(caller, parts)


def _require_all(caller: Caller) -> None:
    if caller.sources != ALL_SOURCES:
        raise Forbidden("another model concerns every source; this API key is for some of them")


def _embedder(parts: Services) -> Embedder:
    if parts.search.embedder is None:
        raise ConfigurationError("no embedding endpoint is configured (ONEC_RAG_EMBEDDING_BASE_URL)")
    return parts.search.embedder


def _send(parts: Services, messages: list[dict[str, Any]]) -> None:
    if parts.embed_queue is None:
        raise ConfigurationError("the API knows no embed queue (ONEC_RAG_EMBED_QUEUE_URL)")
    parts.embed_queue.send(messages)


def _found(found: tuple[int, int] | None, name: str) -> tuple[int, int]:
    if found is None:
        raise NotFound(f"{name} is not here")
    return found


def _price(parts: Services, tokens: int) -> float | None:
    return parts.search.embedder.spending.cost(tokens) if parts.search.embedder else None


def _vectors(parts: Services, row: dict[str, Any]) -> VectorsOut:
    planned = None
    if row["planned_texts"] is not None:
        planned = CostOut(texts=row["planned_texts"], tokens=row["planned_tokens"], price=row["planned_price"])
    return VectorsOut(
        source=row["source"],
        release=row["release_no"],
        chunks=row["chunks"],
        vectors=row["vectors"],
        waiting=row["waiting"],
        refused=row["refused"],
        held=row["held"],
        planned=planned,
        left=CostOut(texts=row["waiting"], tokens=row["tokens"], price=_price(parts, row["tokens"])),
        per_minute=row["per_minute"],
        seconds=row["seconds"],
        problem=row["problem"],
    )


def _model(space: Space, rows: list[dict[str, Any]]) -> ModelOut:
    per_minute = max((row["per_minute"] for row in rows), default=0.0)
    waiting = sum(row["waiting"] for row in rows if not row["held"])
    return ModelOut(
        model=space.model,
        dimensions=space.dimensions,
        base_url=space.base_url,
        chunks=sum(row["chunks"] for row in rows),
        vectors=sum(row["vectors"] for row in rows),
        refused=sum(row["refused"] for row in rows),
        seconds=0.0 if not waiting else waiting / per_minute * 60 if per_minute else None,
        problem=space.problem,
    )
