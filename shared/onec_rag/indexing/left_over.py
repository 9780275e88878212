"""What is left over: archives of uploads that have ended, chunks that nobody gives a vector, old releases."""

from collections.abc import Mapping
from datetime import timedelta
from time import monotonic
from typing import Any
from uuid import UUID

from onec_rag.errors import RetryableError
from onec_rag.indexing import retire
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.embed import MESSAGE_CHUNKS, fill_message
from onec_rag.indexing.keys import CONTENT, STAGED
from onec_rag.indexing.reembed import resume_removal
from onec_rag.observability import logger
from onec_rag.store import janitor, spaces, vectors
from onec_rag.store.janitor import MOST
from onec_rag.store.spaces import Space

SECONDS = 150.0
"""After so long no more releases are deleted in one run: a function has 300."""


def delete_archives(indexing: Indexing, bucket: str) -> int:
    """Deletes archives that were made of uploads which have ended, unless a head is made of them.

    Also those that a planner made and did not live to note.
    """
    idle: list[str] = []
    for prefix in (STAGED, CONTENT):
        made = {key: upload_id for key in indexing.objects.keys(bucket, prefix) if (upload_id := _upload_of(key))}
        with indexing.database.transaction() as connection:
            used = janitor.archives_in_use(connection, set(made.values()), kept=prefix == CONTENT)
        idle += [key for key, upload_id in made.items() if upload_id not in used]
    del idle[MOST:]
    for key in idle:
        indexing.objects.delete(bucket, key)
    with indexing.database.transaction() as connection:
        janitor.forget_archives(connection, idle)
    return len(idle)


def fill_vectors(indexing: Indexing) -> int:
    """Sends the messages of sources with chunks that have no vector, when none is under way; how many sources.

    Of a source whose texts the endpoint has refused a few are tried: when it takes them, the next run sends the rest.
    """
    if indexing.embedder is None:
        return 0
    resume_removal(indexing)
    with indexing.database.transaction() as connection:
        opened = [space for space in (spaces.read_space(connection), spaces.read_filling_space(connection)) if space]
        sources = janitor.sources_to_fill(connection)
    messages = [message for source in sources if (message := _message(indexing, opened, *source)) is not None]
    indexing.embed_queue.send(messages)
    return len(messages)


def _message(
    indexing: Indexing, opened: list[Space], source_id: int, shard: int, head: int, refused: bool
) -> Mapping[str, Any] | None:
    with indexing.database.transaction() as connection:
        empty = [
            space.id for space in opened if vectors.any_chunk_without_vector(connection, source_id, shard, space.id)
        ]
        if opened and not empty:
            return None
        if not refused or not empty:
            return fill_message(source_id, shard)
        chunks, _ = vectors.chunks_without_vector(connection, source_id, shard, empty[0], head)
    return {**fill_message(source_id, shard), "space": empty[0], "chunks": chunks[:MESSAGE_CHUNKS]}


def retire_releases(indexing: Indexing, keep: int | None, older_than: timedelta | None) -> int:
    """Deletes the releases that no rule keeps, and what nobody refers to any more; how many releases.

    What a load or a reader holds is left to the next run.
    """
    end = monotonic() + SECONDS
    with indexing.database.transaction() as connection:
        sources = vectors.loaded_sources(connection)
    retired = 0
    try:
        for source_id, _ in sources:
            if monotonic() < end:
                retired += len(retire.retire_releases(indexing, source_id, keep=keep, older_than=older_than))
        if monotonic() < end:
            retire.sweep(indexing)
    except RetryableError as error:
        logger.info("left to the next run", extra={"reason": str(error)})
    return retired


def _upload_of(key: str) -> str | None:
    """The id in the name of an archive; None where somebody else has put something there."""
    try:
        return str(UUID(key.rpartition("/")[2].removesuffix(".zip")))
    except ValueError:
        return None
