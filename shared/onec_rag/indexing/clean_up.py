"""Puts the queues right again from the database, which is the truth."""

from onec_rag.indexing.activate import advance
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.embed import queue_missing_vectors
from onec_rag.model.tasks import UploadState
from onec_rag.store import uploads, vectors


def resume(indexing: Indexing) -> dict[str, int]:
    """Sends every message again that the database says is open; returns how many uploads and chunks wait.

    For queues that have forgotten everything (the local stack's after a restart). A message that is still there
    after all is done twice, and the second time finds nothing to do.
    """
    with indexing.database.transaction() as connection:
        uploads.requeue_tasks(connection)
        unfinished = uploads.unfinished_uploads(connection)
        sources = vectors.loaded_sources(connection)
    for upload in unfinished:
        if upload.state is UploadState.LOADING and upload.release_no is not None:
            advance(indexing, upload.id)
        else:
            indexing.plan_queue.send([{"upload": upload.id}])
    waiting = 0
    for source_id, shard in sources:
        with indexing.database.transaction() as connection:
            waiting += queue_missing_vectors(connection, indexing, source_id, shard)
    return {"uploads": len(unfinished), "chunks_without_vector": waiting}
