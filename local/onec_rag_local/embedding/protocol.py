"""The OpenAI embeddings protocol: a request's body → a checked request → a response, without HTTP.

Shapes: https://platform.openai.com/docs/api-reference/embeddings
"""

import base64
import json
from dataclasses import dataclass
from typing import Any

from onec_rag_local.embedding.model import EmbeddingModel
from onec_rag_local.embedding.weights import DIMENSIONS, Floats

MODEL = "multilingual-e5-small"
MAX_TEXTS = 2048
MAX_CHARACTERS = 100_000  # of one text; the model reads about 1,500

Json = dict[str, Any]


class ApiError(Exception):
    """An error in OpenAI's shape; `parameter` is the field of the request that is wrong, `code` a word for programs."""

    def __init__(self, message: str, parameter: str | None = None, status: int = 400, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        kind = "invalid_request_error" if status < 500 else "server_error"
        self.body: Json = {"error": {"message": message, "type": kind, "param": parameter, "code": code}}


@dataclass(frozen=True, slots=True)
class EmbeddingRequest:
    """What may be embedded: 1 to 2,048 non-empty texts. `packed` asks for base64 of little-endian float32."""

    texts: list[str]
    packed: bool


def parse_request(body: bytes) -> EmbeddingRequest:
    """Checks a request's body; raises ApiError with what is wrong."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise ApiError("the body is not valid JSON") from None
    if not isinstance(fields, dict):
        raise ApiError("the body must be a JSON object")
    model = fields.get("model")
    if not isinstance(model, str):
        raise ApiError("'model' must be a string", "model")
    if model != MODEL:
        raise ApiError(f"there is no model {model[:100]!r}, only {MODEL!r}", "model", 404, "model_not_found")
    encoding = fields.get("encoding_format")
    if encoding not in (None, "float", "base64"):
        raise ApiError("'encoding_format' must be 'float' or 'base64'", "encoding_format")
    dimensions = fields.get("dimensions")
    if dimensions is not None and (type(dimensions) is not int or dimensions != DIMENSIONS):
        raise ApiError(f"'dimensions' can only be {DIMENSIONS}", "dimensions")
    return EmbeddingRequest(_parse_input(fields.get("input")), encoding == "base64")


def _parse_input(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not values:
        raise ApiError("'input' must not be empty", "input")
    if len(values) > MAX_TEXTS:
        raise ApiError(f"'input' has {len(values):,} texts; at most {MAX_TEXTS:,}", "input")
    texts = []
    for index, text in enumerate(values):
        if not isinstance(text, str):
            raise ApiError("'input' must be a string or a list of strings; tokens are not supported", "input")
        if not text:
            raise ApiError(f"text {index} of 'input' is empty", "input")
        if len(text) > MAX_CHARACTERS:
            message = f"text {index} of 'input' has {len(text):,} characters; at most {MAX_CHARACTERS:,}"
            raise ApiError(message, "input", code="string_above_max_length")
        texts.append(text)
    return texts


def embed(model: EmbeddingModel, request: EmbeddingRequest) -> Json:
    """The response's body; beyond OpenAI's fields, `truncated` lists the indexes of texts over 512 tokens."""
    embeddings = model.embed(request.texts)
    return {
        "object": "list",
        "data": [
            {"object": "embedding", "index": index, "embedding": _encode(vector, request.packed)}
            for index, vector in enumerate(embeddings.vectors)
        ],
        "model": MODEL,
        "usage": {"prompt_tokens": embeddings.tokens, "total_tokens": embeddings.tokens},
        "truncated": embeddings.truncated,
    }


def _encode(vector: Floats, packed: bool) -> str | list[float]:
    if packed:
        return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
    numbers: list[float] = vector.tolist()
    return numbers
