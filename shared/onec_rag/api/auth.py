"""Who is calling and what they may do."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from onec_rag.api.keys import checked_id
from onec_rag.api.services import Services
from onec_rag.errors import Forbidden, Unauthorized
from onec_rag.store.database import ALL_SOURCES
from onec_rag.store.search import read_api_key

KNOWN_SECONDS = 30.0
"""How long a key that was read from the database is trusted; revoking takes effect after it."""

_bearer = HTTPBearer(auto_error=False, description="An API key: `Authorization: Bearer onecrag_…`")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same key in a header of its own")


@dataclass(frozen=True, slots=True)
class Caller:
    """A key in force; `sources` are names, or `("*",)` for every one."""

    key_id: str
    title: str
    scopes: frozenset[str]
    sources: tuple[str, ...]

    def may_see(self, source: str) -> bool:
        return self.sources == ALL_SOURCES or source in self.sources


class KeyRing:
    """Callers by key id, remembered for half a minute."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known: dict[str, tuple[float, Caller | None]] = {}
        self._lock = threading.Lock()

    def caller(self, key: str) -> Caller:
        """Who the key belongs to.

        Raises:
            Unauthorized: it is not one of ours, was revoked, or has expired.
        """
        key_id = checked_id(self._services.key_secret, key)
        if key_id is None:
            raise Unauthorized("the API key is missing or wrong")
        now = time.monotonic()
        with self._lock:
            seen, caller = self._known.get(key_id, (0.0, None))
        if caller is None or now - seen > KNOWN_SECONDS:
            caller = self._read(key_id)
            with self._lock:
                self._known[key_id] = (now, caller)
        if caller is None:
            raise Unauthorized("the API key was revoked or has expired")
        return caller

    def _read(self, key_id: str) -> Caller | None:
        with self._services.database.transaction() as connection:
            row = read_api_key(connection, key_id)
        if row is None:
            return None
        sources = ALL_SOURCES if row["sources"] is None else tuple(row["sources"])
        return Caller(key_id, row["title"], frozenset(row["scopes"]), sources)


def require(scope: str) -> Callable[..., Caller]:
    """A dependency that gives the caller and refuses one whose key lacks the scope (`admin` holds every scope)."""

    def check(
        request: Request,
        bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
        header: Annotated[str | None, Security(_header)],
    ) -> Caller:
        ring: KeyRing = request.app.state.key_ring
        caller = ring.caller(bearer.credentials if bearer else header or "")
        if not caller.scopes & {scope, "admin"}:
            raise Forbidden(f"this API key has no scope {scope!r}")
        return caller

    return check


Reader = Annotated[Caller, Depends(require("read"))]
Uploader = Annotated[Caller, Depends(require("upload"))]
Admin = Annotated[Caller, Depends(require("admin"))]


def services_of(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Parts = Annotated[Services, Depends(services_of)]
