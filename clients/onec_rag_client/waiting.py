"""Waiting for an upload: until full text finds it, until its vectors are there."""

import time
from collections.abc import Callable

from onec_rag_client.api import OnecRag
from onec_rag_client.errors import NotFound, VectorsMissing
from onec_rag_client.results import FINAL_STATES, Source, Upload

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 120.0
"""How long vectors may stand still under a problem that the service reports, before it counts as lasting."""

Pause = Callable[[float], None]


def wait_for_text(
    api: OnecRag, upload_id: str, on_change: Callable[[Upload], object], pause: Pause = time.sleep
) -> Upload:
    """The upload when it has come to its end, good or bad; on the way `on_change` is told how far it is."""
    while True:
        upload = api.upload(upload_id)
        on_change(upload)
        if upload["state"] in FINAL_STATES:
            return upload
        pause(POLL_SECONDS)


def wait_for_vectors(
    api: OnecRag,
    source_name: str,
    on_change: Callable[[Source], object],
    pause: Pause = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Source:
    """The source when each of its chunks has a vector.

    Raises:
        VectorsMissing: the service reports a problem and has made no vector for `PATIENCE_SECONDS`.
    """
    most, since = -1, clock()
    while True:
        source = find_source(api.sources(), source_name)
        on_change(source)
        if source["coverage"] >= 1:
            return source
        if source["vectors"] > most:
            most, since = source["vectors"], clock()
        if source["vector_problem"] and clock() - since >= PATIENCE_SECONDS:
            raise VectorsMissing(source["vector_problem"])
        pause(POLL_SECONDS)


def find_source(sources: list[Source], name: str) -> Source:
    """The source of that name.

    Raises:
        NotFound: the key sees none.
    """
    for source in sources:
        if source["name"] == name:
            return source
    raise NotFound(404, f"source {name} is not here")
