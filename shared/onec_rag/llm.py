"""The OpenAI-compatible client, its errors in our words; the only importer of openai, and only when it is needed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from onec_rag.errors import EndpointError, PermanentError, RefusedError, RetryableError

if TYPE_CHECKING:
    from openai import OpenAI


_BUSY, _REFUSED = (408, 409, 429), (400, 413, 422)
"""Statuses of what may pass by itself, and of what is wrong with this one request."""
JSON_WAYS = ("json_schema", "json_object", "text")
"""How an endpoint is asked for JSON, the strictest first; it is asked the next way when it refuses one."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a chat model said; `finish_reason` is `stop` for a whole answer; tokens as the endpoint counts them."""

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int


class Endpoint:
    """An endpoint that speaks the OpenAI protocol. Nothing is retried here: queues and callers decide."""

    def __init__(self, base_url: str, api_key: str, timeout: float) -> None:
        self.base_url = base_url
        self._api_key = api_key
        self.timeout = timeout
        self._json_way = 0

    @cached_property
    def _client(self) -> "OpenAI":
        from openai import OpenAI  # half a second, spent only where an endpoint is called

        return OpenAI(base_url=self.base_url, api_key=self._api_key, timeout=self.timeout, max_retries=0)

    def embed(self, texts: Sequence[str], model: str) -> list[list[float]]:
        """One vector for each text, in their order.

        Raises:
            EndpointError: no answer in time, 429 or 5xx.
            RefusedError: these texts are refused (400, 413, 422); others may be taken.
            PermanentError: every request is refused, or the answer is not what was asked for.
        """
        with _translated("embedding endpoint"):
            answer = self._client.embeddings.create(model=model, input=list(texts), encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = [[float(number) for number in row.embedding] for row in rows]
        if [row.index for row in rows] != list(range(len(texts))):
            raise PermanentError(f"embedding endpoint: {len(rows)} vectors came for {len(texts)} texts")
        return vectors

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        model: str,
        schema: Mapping[str, Any],
        max_tokens: int,
        temperature: float,
    ) -> Completion:
        """A chat completion that should be JSON of the schema; what the endpoint accepts is remembered.

        Raises:
            RetryableError: no answer in time, 429 or 5xx.
            PermanentError: the request was refused in every way, or the answer is not the protocol's.
        """
        while True:
            way = JSON_WAYS[self._json_way]
            try:
                return self._complete(messages, model, _response_format(way, schema), max_tokens, temperature)
            except (PermanentError, RetryableError) as error:
                # Some servers answer 500 to a format that they do not know.
                refused = isinstance(error, PermanentError) or "HTTP 500" in str(error)
                if not refused or self._json_way == len(JSON_WAYS) - 1:
                    raise
                self._json_way += 1

    def _complete(
        self,
        messages: Sequence[Mapping[str, str]],
        model: str,
        response_format: Mapping[str, Any],
        max_tokens: int,
        temperature: float,
    ) -> Completion:
        request: dict[str, Any] = {
            "model": model,
            "messages": list(messages),
            "max_tokens": max_tokens,
            "temperature": temperature,
            **response_format,
        }
        with _translated("chat endpoint"):
            answer = self._client.chat.completions.create(**request)
            choice, usage = answer.choices[0], answer.usage
            refusal = getattr(choice.message, "refusal", None)
            return Completion(
                choice.message.content or "",
                "refusal" if refusal else choice.finish_reason or "",
                usage.prompt_tokens if usage else 0,
                usage.completion_tokens if usage else 0,
            )


def _response_format(way: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if way == "json_schema":
        form = {"name": "answer", "schema": dict(schema), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": form}}
    return {"response_format": {"type": "json_object"}} if way == "json_object" else {}


@contextmanager
def _translated(what: str) -> Iterator[None]:
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        reason = f"{what}: HTTP {error.status_code}: {str(error.message)[:300]}"
        if error.status_code in _BUSY or error.status_code >= 500:
            raise EndpointError(reason, retry_after(error.response.headers), error.status_code) from error
        raise (RefusedError if error.status_code in _REFUSED else PermanentError)(reason) from error
    except openai.APIConnectionError as error:
        raise EndpointError(f"{what}: {error.message}") from error
    except (openai.OpenAIError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise PermanentError(f"{what}: the answer is not understood: {str(error)[:300]}") from error


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds that a server asks to wait: `Retry-After` (RFC 9110, seconds or a date), or the finer
    `retry-after-ms` of OpenAI and Azure. None where it asks for nothing that can be understood."""
    asked = headers.get("retry-after", "")
    try:
        seconds = float(headers["retry-after-ms"]) / 1000 if "retry-after-ms" in headers else float(asked)
    except ValueError:
        try:
            moment = parsedate_to_datetime(asked)
        except ValueError:
            return None
        # A date without a zone is read as one without tzinfo; RFC 9110 has none but GMT.
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - (now or datetime.now(UTC))).total_seconds()
    return max(seconds, 0.0) if isfinite(seconds) else None
