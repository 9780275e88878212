"""The service behind the tools, and where its errors become what an agent can act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus
from math import ceil

from mcp.server.mcpserver.exceptions import ToolError

from onec_rag_client.api import OnecRag
from onec_rag_client.errors import (
    ApiError,
    ClientError,
    Forbidden,
    NotFound,
    SettingsInvalid,
    Unauthorized,
    Unavailable,
    Unreachable,
)
from onec_rag_client.language import text
from onec_rag_client.settings import Settings, read_settings

TIMEOUT_SECONDS = 55.0
PATIENCE_SECONDS = 20.0
"""Agents give a call up after 60 seconds: the reason must come before."""

EXPLAINED: dict[type[ClientError], str] = {
    Unauthorized: "mcp.error.unauthorized",
    Forbidden: "mcp.error.forbidden",
    NotFound: "mcp.error.not_found",
    Unavailable: "mcp.error.unavailable",
    Unreachable: "mcp.error.unreachable",
    SettingsInvalid: "error.settings",
}


@contextmanager
def service() -> Iterator[OnecRag]:
    """The service that the settings name now: a stack that was started after the agent is found too.

    Raises:
        ToolError: with the reason and what to do about it; any other exception would be hidden from the agent.
    """
    try:
        yield _connect(read_settings())
    except ClientError as error:
        raise ToolError(explain(error)) from error


def explain(error: ClientError) -> str:
    """What went wrong and what to do, in the user's language."""
    refused = isinstance(error, ApiError) and error.status in range(HTTPStatus.BAD_REQUEST, 500)
    key = EXPLAINED.get(type(error), "mcp.error.invalid" if refused else "mcp.error.failed")
    seconds = ceil(error.retry_after) if isinstance(error, Unavailable) else 0
    return text(key, detail=str(error).rstrip("."), seconds=seconds)


@lru_cache(maxsize=1)
def _connect(settings: Settings) -> OnecRag:
    """Kept while the settings stay the same, with its connections."""
    return OnecRag(settings.url, settings.key, TIMEOUT_SECONDS, patience=PATIENCE_SECONDS)
