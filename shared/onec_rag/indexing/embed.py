"""Vectors behind the text: which chunks still need one, and filling them in bounded batches."""

from collections.abc import Mapping, Sequence
from typing import Any

from onec_rag.embedding import Embedder
from onec_rag.errors import ConfigurationError, EndpointError, PermanentError
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.budget import may_begin
from onec_rag.indexing.rate import FIRST_WAIT, ask_leave, chance, delay_of, note_failure
from onec_rag.indexing.reembed import open_spaces, remove_step, resume_removal, try_cut_over
from onec_rag.observability import logger
from onec_rag.store import releases, spaces, spending, vectors
from onec_rag.store.database import Connection
from onec_rag.store.spaces import Space
from onec_rag.store.vectors import TextToEmbed

MESSAGE_CHUNKS = 64
"""Chunks in one message: some seconds of a small model on two cores, well within a function's time."""
SUSPICIOUS = 6
"""After so many failures of one message its texts are looked at, if the endpoint takes others."""

Message = Mapping[str, Any]


def fill_message(source_id: int, shard: int) -> dict[str, Any]:
    """The one message that makes the embedder look for all chunks of a source that have no vector.

    A release becomes readable without waiting for the messages of its chunks to be sent.
    """
    return {"source": source_id, "shard": shard}


def require_space(indexing: Indexing) -> None:
    """Checks that the stored vectors are those of the settings' model, or of one that took its place.

    Raises:
        ConfigurationError: they are of another one; the message says what mends it.
    """
    if indexing.embedder is not None:
        open_spaces(indexing)


def embed_message(indexing: Indexing, message: Message) -> None:
    """One message of the embed queue. An endpoint that is down gets it again later, after a growing wait; one that
    refuses everything is told on the source's status, and the chunks wait for `resume`."""
    if "remove" in message:
        remove_step(indexing)
        return
    try:
        if "chunks" in message:
            _embed(indexing, message)
        else:
            _fill(indexing, message["source"], message["shard"])
            resume_removal(indexing)
    except ConfigurationError as error:
        _note(indexing, None, message["source"], str(error))
        logger.error("vectors refused", extra={"source": message["source"], "reason": str(error)})


def _fill(indexing: Indexing, source_id: int, shard: int) -> None:
    """One message for each few of the source's chunks without a vector, the most wanted first.

    While the vectors of its head are held nothing of the source is embedded, in no space.
    """
    opened = open_spaces(indexing)
    for space, embedder in opened:
        with indexing.database.transaction() as connection:
            head = vectors.hold_head(connection, source_id)
            if head is None:
                return
            if not may_begin(connection, source_id, shard, opened[0][0].id, head, embedder.spending):
                return
            missing = vectors.chunks_without_vector(connection, source_id, shard, space.id, head)
        for chunk_ids, closed in zip(missing, (False, True), strict=True):
            indexing.embed_queue.send(
                {"source": source_id, "shard": shard, "space": space.id, "closed": closed,
                 "chunks": chunk_ids[start : start + MESSAGE_CHUNKS]}
                for start in range(0, len(chunk_ids), MESSAGE_CHUNKS)
            )  # fmt: skip
        if not any(missing) and space.filling:
            try_cut_over(indexing, space)


def _embed(indexing: Indexing, message: Message) -> None:
    """The vectors of a message's chunks; it is sent again with a delay for what can't be had now."""
    opened = open_spaces(indexing)
    found = [pair for pair in opened if pair[0].id == message.get("space", opened[0][0].id)]
    if not found:
        return  # a reembedding that was abandoned, or the model that it replaced
    space, embedder = found[0]
    attempt = message.get("attempt", 0)
    try:
        wait, booked = embed_chunks(indexing, space, embedder, message)
    except EndpointError as error:
        _note(indexing, space, message["source"], str(error))
        wait, booked, attempt = max(note_failure(indexing, space.id, error), 1.0), False, attempt + 1
        logger.warning("vectors postponed", extra={"seconds": round(wait), "reason": str(error)})
    except PermanentError as error:
        _note(indexing, space, message["source"], str(error))
        logger.error("vectors refused", extra={"source": message["source"], "reason": str(error)})
        return
    if wait:
        again = {**message, "space": space.id, "attempt": attempt, "booked": booked}
        indexing.embed_queue.send([again], delay=delay_of(wait))


def embed_chunks(indexing: Indexing, space: Space, embedder: Embedder, message: Message) -> tuple[float, bool]:
    """Gives each chunk of a message a vector: an equal text's where there is one, else the endpoint's.

    Every batch is committed by itself, so nothing is embedded twice after a crash but the batch in flight. (0, _)
    when all is done, else the seconds to wait for the rest and whether a turn is booked for it.

    Raises:
        EndpointError: the endpoint is down or overloaded; what was done before stays.
        PermanentError: it refuses every text, or answers with vectors of a wrong size.
    """
    source_id, shard, chunk_ids = message["source"], message["shard"], message["chunks"]
    closed, booked = message.get("closed", False), message.get("booked", False)
    with indexing.database.transaction() as connection:
        if releases.head_no(connection, source_id) is None:
            return 0.0, False  # the source was deleted
        vectors.reuse_vectors(connection, shard, space.id, chunk_ids)
        texts = vectors.texts_to_embed(connection, shard, space.id, chunk_ids, closed=closed)
    busy = False
    for batch in embedder.batches([text.tokens for text in texts]):
        seconds = embedder.spending.seconds(sum(text.tokens for text in texts[batch]))
        wait, turn = ask_leave(indexing, space.id, seconds, booked=booked)
        if wait:
            return wait, turn
        booked = False
        suspicious = message.get("attempt", 0) >= SUSPICIOUS
        busy |= not _embed_batch(indexing, space, embedder, message, texts[batch], suspicious=suspicious)
    with indexing.database.transaction() as connection:
        vectors.reuse_vectors(connection, shard, space.id, chunk_ids)
        complete = not vectors.any_chunk_without_vector(connection, source_id, shard, space.id)
        if complete:
            vectors.build_vector_index(connection, shard, space.id)
            _note_in(connection, space, source_id, vectors.refusals(connection, source_id, space.id))
            logger.info("all vectors there", extra={"source": source_id, "space": space.id})
    if complete and space.filling:
        try_cut_over(indexing, space)
    return (chance.uniform(1, FIRST_WAIT), False) if busy else (0.0, False)


def _embed_batch(
    indexing: Indexing,
    space: Space,
    embedder: Embedder,
    message: Message,
    batch: Sequence[TextToEmbed],
    *,
    suspicious: bool,
) -> bool:
    """One request and its vectors in one transaction; False where another embedder has some of the texts in work.

    The transaction holds the claim on the texts while the endpoint works, so that nobody else sends them too, and a
    worker that dies gives them free at once.
    """
    source_id, shard = message["source"], message["shard"]
    with indexing.database.transaction() as connection:
        ours = vectors.claim_texts(connection, space.id, batch)
        ids = [text.chunk_id for text in batch if text.embed_hash in ours]
        vectors.reuse_vectors(connection, shard, space.id, ids)
        texts = vectors.texts_to_embed(connection, shard, space.id, ids, closed=message.get("closed", False))
        if texts:
            found = embedder.passages_apart([text.text for text in texts], suspicious=suspicious)
            given = [(text, item) for text, item in zip(texts, found, strict=True) if not isinstance(item, str)]
            vectors.insert_vectors(
                connection, source_id, shard, space.id, [text for text, _ in given], [vector for _, vector in given]
            )
            for text, reason in zip(texts, found, strict=True):
                if isinstance(reason, str):
                    vectors.refuse_text(connection, shard, space.id, text, reason)
            spending.count_embedded(connection, space.id, len(texts), sum(text.tokens for text in texts))
            _note_in(connection, space, source_id, vectors.refusals(connection, source_id, space.id))
    return len(ours) == len({text.embed_hash for text in batch})


def _note(indexing: Indexing, space: Space | None, source_id: int, problem: str) -> None:
    with indexing.database.transaction() as connection:
        _note_in(connection, space, source_id, problem)


def _note_in(connection: Connection, space: Space | None, source_id: int, problem: str | None) -> None:
    """What the status says: of the active space at the source, of one that is being filled at that space."""
    if space is not None and space.filling:
        spaces.note_space_problem(connection, space.id, problem)
    else:
        vectors.note_vector_problem(connection, source_id, problem)
