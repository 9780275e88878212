"""The OpenAI-compatible client, its errors in our words; the only importer of openai, and only when it is needed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from onec_rag.errors import PermanentError, RetryableError

if TYPE_CHECKING:
    from openai import OpenAI


class Endpoint:
    """An endpoint that speaks the OpenAI protocol. Nothing is retried here: queues and callers decide."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self.base_url = base_url
        self._api_key = api_key
        self._timeout = timeout

    @cached_property
    def _client(self) -> "OpenAI":
        from openai import OpenAI  # half a second, spent only where an endpoint is called

        return OpenAI(base_url=self.base_url, api_key=self._api_key, timeout=self._timeout, max_retries=0)

    def embed(self, texts: Sequence[str], model: str) -> list[list[float]]:
        """One vector for each text, in their order.

        Raises:
            RetryableError: no answer in time, 429 or 5xx.
            PermanentError: the request was refused, or the answer is not what was asked for.
        """
        with _translated("embedding endpoint"):
            answer = self._client.embeddings.create(model=model, input=list(texts), encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = [row.embedding for row in rows]
        if [row.index for row in rows] != list(range(len(texts))):
            raise PermanentError(f"embedding endpoint: {len(rows)} vectors came for {len(texts)} texts")
        return vectors


@contextmanager
def _translated(what: str) -> Iterator[None]:
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        reason = f"{what}: HTTP {error.status_code}: {str(error.message)[:300]}"
        if error.status_code == 429 or error.status_code >= 500:
            raise RetryableError(reason, _retry_after(error.response.headers.get("retry-after"))) from error
        raise PermanentError(reason) from error
    except openai.APIConnectionError as error:
        raise RetryableError(f"{what}: {error.message}") from error
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise PermanentError(f"{what}: the answer is not understood: {str(error)[:300]}") from error


def _retry_after(header: str | None) -> float | None:
    try:
        return float(header) if header else None
    except ValueError:
        return None
