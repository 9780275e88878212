"""Texts → vectors of the size that the store expects: prefixes, token-bounded batches, checks."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onec_rag.errors import PermanentError
from onec_rag.llm import Endpoint

MOST_INPUTS = 256
LARGEST = 65_504.0
"""What a number of half precision holds, in which vectors are stored."""


@dataclass(frozen=True, slots=True)
class Embedder:
    """A model behind an endpoint. `batch_tokens` bounds one request, by the texts' own estimates."""

    endpoint: Endpoint
    model: str
    dimensions: int
    query_prefix: str
    passage_prefix: str
    batch_tokens: int

    def query(self, text: str) -> list[float]:
        """The vector of a question.

        Raises:
            RetryableError: the endpoint is down or overloaded.
            PermanentError: it refuses, or its vector has the wrong size.
        """
        return self._checked(self.endpoint.embed([self.query_prefix + text], self.model))[0]

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of one batch of passages; errors as for `query`."""
        return self._checked(self.endpoint.embed([self.passage_prefix + text for text in texts], self.model))

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

    def _checked(self, vectors: list[list[float]]) -> list[list[float]]:
        for vector in vectors:
            if len(vector) != self.dimensions:
                raise PermanentError(
                    f"embedding endpoint: {self.model} gave a vector of {len(vector)} dimensions, the settings say"
                    f" {self.dimensions} (ONEC_RAG_EMBEDDING_DIMENSIONS)"
                )
            if not all(map(math.isfinite, vector)) or max(map(abs, vector)) > LARGEST:
                raise PermanentError(f"embedding endpoint: {self.model} gave a vector that is not finite")
            if not any(vector):
                raise PermanentError(f"embedding endpoint: {self.model} gave a vector of only zeros")
        return vectors
