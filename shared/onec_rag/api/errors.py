"""The table from our errors to responses, as `application/problem+json` (RFC 9457)."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from onec_rag.errors import (
    ConfigurationError,
    Forbidden,
    InvalidRequest,
    NotFound,
    OnecRagError,
    PermanentError,
    RetryableError,
    Unauthorized,
)
from onec_rag.observability import logger

STATUS: dict[type[OnecRagError], HTTPStatus] = {
    InvalidRequest: HTTPStatus.BAD_REQUEST,
    Unauthorized: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    PermanentError: HTTPStatus.UNPROCESSABLE_ENTITY,
    RetryableError: HTTPStatus.SERVICE_UNAVAILABLE,
    ConfigurationError: HTTPStatus.INTERNAL_SERVER_ERROR,
}


def problem(status: HTTPStatus, detail: str, headers: dict[str, str] | None = None, **more: Any) -> JSONResponse:
    """A problem document; `detail` is for a person, `more` for a program."""
    body = {"type": "about:blank", "title": status.phrase, "status": status.value, "detail": detail, **more}
    return JSONResponse(body, status.value, headers, media_type="application/problem+json")


def install(app: FastAPI) -> None:
    """Makes every failure of the app a problem document."""

    @app.exception_handler(OnecRagError)
    def known(_: Request, error: OnecRagError) -> JSONResponse:
        known = (STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
        status = next(known, HTTPStatus.INTERNAL_SERVER_ERROR)
        headers: dict[str, str] = {}
        if isinstance(error, Unauthorized):
            headers["WWW-Authenticate"] = "Bearer"
        if isinstance(error, RetryableError):
            headers["Retry-After"] = str(max(int(error.retry_after or 0), 2))
        return problem(status, str(error), headers)

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        rows = [
            {"place": ".".join(str(part) for part in row["loc"]), "reason": str(row["msg"])} for row in error.errors()
        ]
        detail = "; ".join(f"{row['place']}: {row['reason']}" for row in rows)
        return problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail, errors=rows)

    @app.exception_handler(HTTPException)
    def routed(_: Request, error: HTTPException) -> JSONResponse:
        return problem(HTTPStatus(error.status_code), str(error.detail), dict(error.headers or {}))

    @app.exception_handler(Exception)
    def unknown(request: Request, error: Exception) -> JSONResponse:
        logger.exception("unexpected", exc_info=error, extra={"path": request.url.path})
        return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "something unexpected went wrong; the log tells more")
