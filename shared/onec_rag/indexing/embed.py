"""Vectors behind the text: which chunks still need one, and filling them in bounded batches."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from onec_rag.embedding import Embedder
from onec_rag.errors import ConfigurationError, PermanentError, RetryableError
from onec_rag.indexing.base import Indexing
from onec_rag.observability import logger
from onec_rag.store import vectors
from onec_rag.store.database import Connection

MESSAGE_CHUNKS = 64
"""Chunks in one message: some seconds of a small model on two cores, well within a function's time."""

FIRST_WAIT, LONGEST_WAIT = 4, 900
"""Seconds; the longest is what SQS can delay a message."""


def fill_message(source_id: int, shard: int) -> dict[str, Any]:
    """The one message that makes the embedder look for all chunks of a source that have no vector.

    A release becomes readable without waiting for the messages of its chunks to be sent.
    """
    return {"source": source_id, "shard": shard}


def require_space(indexing: Indexing) -> None:
    """Checks that the stored vectors are those of the settings' model.

    Raises:
        ConfigurationError: they are of another one; the message says what mends it.
    """
    if indexing.embedder is not None:
        with indexing.database.transaction() as connection:
            _space(connection, indexing)


def embed_message(indexing: Indexing, message: Mapping[str, Any]) -> None:
    """One message of the embed queue. An endpoint that is down gets it again later, each time after a longer wait;
    one that refuses is told on the source's status, and the chunks wait for `resume`."""
    source_id, shard = message["source"], message["shard"]
    try:
        if "chunks" in message:
            embed_chunks(indexing, source_id, shard, message["chunks"])
        else:
            _queue_missing(indexing, source_id, shard)
    except ConfigurationError as error:
        _note(indexing, source_id, str(error))
        logger.error("vectors refused", extra={"source": source_id, "reason": str(error)})
    except RetryableError as error:
        if error.retry_after is None and not str(error).startswith("embedding"):
            raise
        attempt = message.get("attempt", 0)
        wait = max(error.retry_after or 0, min(FIRST_WAIT * 2**attempt, LONGEST_WAIT) * random.uniform(0.5, 1))  # noqa: S311
        logger.warning("vectors postponed", extra={"seconds": round(wait), "reason": str(error)})
        indexing.embed_queue.send([{**message, "attempt": attempt + 1}], delay=min(int(wait) + 1, LONGEST_WAIT))
    except PermanentError as error:
        logger.error("vectors refused", extra={"source": source_id, "reason": str(error)})


def _queue_missing(indexing: Indexing, source_id: int, shard: int) -> None:
    """One message for each few of the source's chunks without a vector, exported API first."""
    with indexing.database.transaction() as connection:
        space = _space(connection, indexing)
        missing = vectors.chunks_without_vector(connection, source_id, shard, space)
    indexing.embed_queue.send(
        {**fill_message(source_id, shard), "chunks": missing[start : start + MESSAGE_CHUNKS]}
        for start in range(0, len(missing), MESSAGE_CHUNKS)
    )


def embed_chunks(indexing: Indexing, source_id: int, shard: int, chunk_ids: Sequence[int]) -> None:
    """Gives each of the chunks a vector: an equal text's where there is one, else the endpoint's.

    Every batch is committed by itself, so nothing is embedded twice after a crash but the batch in flight.

    Raises:
        RetryableError: the endpoint is down or overloaded; what was done before stays.
        PermanentError: it refuses, or answers with vectors of a wrong size; told on the source's status.
    """
    embedder = _embedder(indexing)
    with indexing.database.transaction() as connection:
        space = _space(connection, indexing)
        vectors.reuse_vectors(connection, shard, space, chunk_ids)
        texts = vectors.texts_to_embed(connection, shard, space, chunk_ids)
    for batch in embedder.batches([text.tokens for text in texts]):
        try:
            found = embedder.passages([text.text for text in texts[batch]])
        except (RetryableError, PermanentError) as error:
            _note(indexing, source_id, str(error))
            raise
        with indexing.database.transaction() as connection:
            vectors.insert_vectors(connection, source_id, shard, space, texts[batch], found)
            vectors.note_vector_problem(connection, source_id, None)
    with indexing.database.transaction() as connection:
        if not vectors.any_chunk_without_vector(connection, source_id, shard, space):
            vectors.build_vector_index(connection, shard, space)
            logger.info("all vectors there", extra={"source": source_id})


def _note(indexing: Indexing, source_id: int, problem: str) -> None:
    with indexing.database.transaction() as connection:
        vectors.note_vector_problem(connection, source_id, problem)


def _embedder(indexing: Indexing) -> Embedder:
    if indexing.embedder is None:
        raise ConfigurationError("no embedding endpoint is configured (ONEC_RAG_EMBEDDING_BASE_URL)")
    return indexing.embedder


def _space(connection: Connection, indexing: Indexing) -> int:
    embedder = _embedder(indexing)
    return vectors.active_space(connection, embedder.model, embedder.dimensions, embedder.passage_prefix)
