"""When the embedding endpoint may be asked: booked ahead at the allowed rate, and left alone after failures."""

import math
import random

from onec_rag.errors import EndpointError
from onec_rag.indexing.base import Indexing
from onec_rag.store import spending

FIRST_WAIT, LONGEST_WAIT = 4, 900
"""Seconds; the longest is what SQS can delay a message."""

chance = random.Random()  # noqa: S311  not a secret
"""Of all waits; tests seed it."""


def backoff(failures: int, source: random.Random = chance) -> float:
    """Seconds to wait after so many failures in a row: exponential with full jitter, `uniform(0, min(cap, base · 2^n))`
    (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015)."""
    return source.uniform(0, min(FIRST_WAIT * 2 ** min(failures - 1, 16), LONGEST_WAIT))


def delay_of(seconds: float) -> int:
    """The delay of a message, in whole seconds, that comes no earlier unless SQS can't wait so long."""
    return min(max(math.ceil(seconds), 1), LONGEST_WAIT)


def ask_leave(indexing: Indexing, space: int, seconds: float, *, booked: bool) -> tuple[float, bool]:
    """Whether a request that uses up `seconds` of the allowed rate may be made now.

    (0, _): it may. Else how long to wait, and whether its turn then is booked. All embedders share one row in the
    database, so each gets a turn of its own; who comes back to a booked turn only looks whether it may still be taken.
    """
    with indexing.database.transaction() as connection:
        if booked:
            held = spending.seconds_held(connection, space)
            return (held + chance.uniform(0, FIRST_WAIT) if held else 0.0), True
        wait = spending.book_request(connection, space, seconds)
    return (chance.uniform(spending.HORIZON / 2, spending.HORIZON), False) if wait is None else (wait, True)


def note_failure(indexing: Indexing, space: int, error: EndpointError) -> float:
    """Counts a failure and keeps every embedder from the endpoint: for as long as it asks, else by `backoff`.

    The seconds to wait.
    """
    with indexing.database.transaction() as connection:
        failures = spending.count_failure(connection, space)
        wait = backoff(failures) if error.retry_after is None else error.retry_after
        spending.hold_requests(connection, space, wait)
    return wait
