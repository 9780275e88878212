"""Another model beside the active one: which spaces are filled, the cut-over, and the removal of what was replaced."""

from collections.abc import Mapping
from typing import Any

from onec_rag.embedding import Embedder
from onec_rag.errors import ConfigurationError
from onec_rag.indexing.base import Indexing
from onec_rag.observability import logger
from onec_rag.store import spaces
from onec_rag.store.spaces import Space

REMOVAL_DELAY = int(spaces.GRACE.total_seconds()) + 1
"""Seconds from the cut-over to the removal of the old vectors."""
REMOVE_MESSAGE: Mapping[str, Any] = {"remove": "retired spaces"}
"""The message that makes the embedder remove replaced and abandoned spaces, step by step."""


def open_spaces(indexing: Indexing) -> list[tuple[Space, Embedder]]:
    """The active space and the one that is being filled, if there is one, with the embedder of each.

    Raises:
        ConfigurationError: no endpoint is configured, or the stored vectors are of another model than the settings'.
    """
    embedder = indexing.embedder
    if embedder is None:
        raise ConfigurationError("no embedding endpoint is configured (ONEC_RAG_EMBEDDING_BASE_URL)")
    with indexing.database.transaction() as connection:
        active = spaces.settle_space(connection, embedder.model, embedder.dimensions, embedder.passage_prefix)
        filling = spaces.read_filling_space(connection)
    found = [(space, embedder.for_space(space)) for space in (active, filling) if space]
    return [(space, its_own) for space, its_own in found if its_own]


def try_cut_over(indexing: Indexing, space: Space) -> None:
    """Makes the space that is being filled the active one when it covers what is current; the old one goes later."""
    with indexing.database.transaction() as connection:
        done = spaces.cut_over(connection, space.id)
    if done:
        logger.info("another model is active", extra={"model": space.model, "dimensions": space.dimensions})
        indexing.embed_queue.send([REMOVE_MESSAGE], delay=REMOVAL_DELAY)


def remove_step(indexing: Indexing) -> None:
    """One bounded step of removing old vectors, and the message for the next one."""
    with indexing.database.transaction() as connection:
        more = spaces.remove_retired_space(connection)
    if more:
        indexing.embed_queue.send([REMOVE_MESSAGE])


def resume_removal(indexing: Indexing) -> None:
    """Begins the removal again where its message was lost."""
    with indexing.database.transaction() as connection:
        due = spaces.any_retired_space(connection)
    if due:
        indexing.embed_queue.send([REMOVE_MESSAGE])
