"""Texts → vectors of the size that the store expects: prefixes, token-bounded batches, checks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol

from onec_rag.errors import EndpointError, PermanentError, RefusedError
from onec_rag.llm import Endpoint

MOST_INPUTS = 2_048
"""Texts in one request, by the OpenAI protocol."""
LARGEST = 65_504.0
"""What a number of half precision holds, in which vectors are stored."""
PROBE = "1C"
"""A text that every working endpoint takes: tells a refused text from an endpoint that refuses everything."""


class Described(Protocol):
    """A space of stored vectors; `base_url` is None where the settings alone say where its endpoint is."""

    @property
    def model(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def prefix(self) -> str: ...
    @property
    def query_prefix(self) -> str: ...
    @property
    def base_url(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Spending:
    """How fast and how much an embedder may ask for; 0 is no bound, and of the price: not known.

    `price` is for a million tokens, `budget` is the tokens of one upload that need no confirmation.
    """

    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    price: float = 0.0
    budget: int = 0

    def seconds(self, tokens: int) -> float:
        """How much of the minute a request of so many tokens uses up."""
        by_request = 60 / self.requests_per_minute if self.requests_per_minute else 0.0
        return max(by_request, tokens * 60 / self.tokens_per_minute if self.tokens_per_minute else 0.0)

    def cost(self, tokens: int) -> float | None:
        """The price of so many tokens; None where it is not known."""
        return tokens * self.price / 1_000_000 if self.price else None


@dataclass(frozen=True, slots=True)
class Embedder:
    """A model behind an endpoint. `batch_tokens` bounds one request, by the texts' own estimates.

    `next_key` is the key of an endpoint that a reembedding names beside this one.
    """

    endpoint: Endpoint
    model: str
    dimensions: int
    query_prefix: str
    passage_prefix: str
    batch_tokens: int
    spending: Spending = Spending()
    next_key: str = field(default="none", repr=False)

    def for_space(self, space: Described) -> "Embedder | None":
        """The embedder whose vectors the space holds; None where neither the settings nor the space name one.

        The settings' key goes to the settings' own address alone.
        """
        if (space.model, space.dimensions, space.prefix) == (self.model, self.dimensions, self.passage_prefix):
            return self
        if space.base_url is None:
            return None
        ours = space.base_url == self.endpoint.base_url
        endpoint = self.endpoint if ours else _endpoint(space.base_url, self.next_key, self.endpoint.timeout)
        return replace(
            self, endpoint=endpoint, model=space.model, dimensions=space.dimensions, query_prefix=space.query_prefix,
            passage_prefix=space.prefix,
        )  # fmt: skip

    def query(self, text: str) -> list[float]:
        """The vector of a question.

        Raises:
            EndpointError: the endpoint is down or overloaded.
            PermanentError: it refuses, or its vector has the wrong size.
        """
        return self._checked(self.endpoint.embed([self.query_prefix + text], self.model))[0]

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of one batch of passages; errors as for `query`."""
        return self._checked(self.endpoint.embed([self.passage_prefix + text for text in texts], self.model))

    def passages_apart(self, texts: Sequence[str], *, suspicious: bool = False) -> list[list[float] | str]:
        """The vectors of one batch, and in place of a text that the endpoint refuses by itself the reason.

        `suspicious` takes a 5xx for a refusal: some servers answer a text that is too long so, however often. Raises
        as `query` where the endpoint refuses a harmless text too, so that the fault is not the texts'.
        """
        try:
            return list(self.passages(texts))
        except (RefusedError, EndpointError) as error:
            if not _refuses(error, suspicious):
                raise
            try:
                self.passages([PROBE])
            except RefusedError:
                raise error from None
            return self._halved(texts, str(error), suspicious)

    def batches(self, tokens: Sequence[int]) -> Iterator[slice]:
        """Slices of a list of texts, given their tokens, that fit one request each; none is empty."""
        start, used = 0, 0
        for index, cost in enumerate(tokens):
            if index > start and (used + cost > self.batch_tokens or index - start >= MOST_INPUTS):
                yield slice(start, index)
                start, used = index, 0
            used += cost
        if start < len(tokens):
            yield slice(start, len(tokens))

    def _halved(self, texts: Sequence[str], reason: str, suspicious: bool) -> list[list[float] | str]:
        """What becomes of texts that were refused together."""
        if len(texts) == 1:
            return [reason]
        found: list[list[float] | str] = []
        for half in (texts[: len(texts) // 2], texts[len(texts) // 2 :]):
            try:
                found += self.passages(half)
            except (RefusedError, EndpointError) as error:
                if not _refuses(error, suspicious):
                    raise
                found += self._halved(half, str(error), suspicious)
        return found

    def _checked(self, vectors: list[list[float]]) -> list[list[float]]:
        for vector in vectors:
            if len(vector) != self.dimensions:
                raise PermanentError(
                    f"embedding endpoint: {self.model} gave a vector of {len(vector)} dimensions, the settings say"
                    f" {self.dimensions} (ONEC_RAG_EMBEDDING_DIMENSIONS)"
                )
            if not all(map(math.isfinite, vector)) or max(map(abs, vector)) > LARGEST:
                raise RefusedError(f"embedding endpoint: {self.model} gave a vector that is not finite")
            if not any(vector):
                raise RefusedError(f"embedding endpoint: {self.model} gave a vector of only zeros")
        return vectors


def _refuses(error: Exception, suspicious: bool) -> bool:
    if isinstance(error, EndpointError):
        return suspicious and error.status is not None and error.status >= 500
    return True


@lru_cache(maxsize=8)
def _endpoint(base_url: str, key: str, timeout: float) -> Endpoint:
    """One client for each address: it keeps its connections."""
    return Endpoint(base_url, key, timeout)
