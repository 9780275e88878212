"""Requests and responses about vectors: how far they are, what they cost, another model."""

from typing import Annotated

from pydantic import Field, StringConstraints

from onec_rag.api.schemas import Line, Schema

EndpointUrl = Annotated[str, StringConstraints(pattern=r"^https?://[^\s/@?#]+(/[^\s@?#]*)?$", max_length=500)]
"""Without a name and password: a key never comes by this way."""


class CostOut(Schema):
    """Texts that have to be embedded, an upper estimate of their tokens, and the price where it is known."""

    texts: int
    tokens: int
    price: float | None


class VectorsOut(Schema):
    """How far the vectors of a source's current release are in the active model.

    `waiting` chunks have none yet, `refused` are not taken by the endpoint, `held` wait for a confirmation. `planned`
    is what the newest release needed when it was activated, `left` what the waiting chunks still need at the most.
    `per_minute` are vectors of all sources in the last minutes; `seconds` is an estimate, null where there is none.
    """

    source: str
    release: int
    chunks: int
    vectors: int
    waiting: int
    refused: int
    held: bool
    planned: CostOut | None
    left: CostOut
    per_minute: float
    seconds: float | None
    problem: str | None


class ModelOut(Schema):
    """A model and how far its vectors are, over the current releases of all sources; `base_url` is null where the
    settings alone say where its endpoint is."""

    model: str
    dimensions: int
    base_url: str | None
    chunks: int
    vectors: int
    refused: int
    seconds: float | None
    problem: str | None


class EmbeddingOut(Schema):
    """The active model, the one that is filled beside it, whether vectors of a replaced one are still being removed,
    and what it would cost at the most to embed everything that is current anew."""

    active: ModelOut | None
    next: ModelOut | None
    removing: bool
    whole: CostOut


class ReembedBody(Schema):
    """Another model. Its key is not told here: it is `ONEC_RAG_EMBEDDING_NEXT_API_KEY` of the service, or that of the
    settings' own endpoint where the address is the same."""

    model: Line = Field(min_length=1, max_length=200, examples=["text-embedding-3-small"])
    dimensions: int = Field(ge=1, le=4000)
    base_url: EndpointUrl | None = Field(default=None, description="none: the settings' own")
    query_prefix: Line = Field(default="", max_length=200)
    passage_prefix: Line = Field(default="", max_length=200)
