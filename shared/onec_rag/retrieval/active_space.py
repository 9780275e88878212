"""Which space of vectors is searched, remembered per process for some seconds.

The vectors of a space that was replaced stay for longer than that (`spaces.GRACE`), so a request whose question was
embedded just before a cut-over is answered from the space that it was embedded for.
"""

import time
from collections.abc import Callable, Sequence

from onec_rag.store.database import Database
from onec_rag.store.spaces import Space, read_space

SPACE_SECONDS = 5.0


class ActiveSpace:
    """The active space as it was seen lately. By the wall clock: a frozen function's own clock may stand still."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._seen: tuple[Space, float] | None = None

    def read(self, database: Database, allowed: Sequence[str]) -> Space | None:
        """The space; None before the first vector was asked for, which is not remembered."""
        now, seen = self._clock(), self._seen
        if seen is not None and 0 <= now - seen[1] < SPACE_SECONDS:
            return seen[0]
        with database.transaction(allowed) as connection:
            space = read_space(connection)
        self._seen = (space, now) if space is not None else None
        return space
