"""Puts the queues right again from the database and the bucket, which are the truth."""

from onec_rag.indexing.activate import advance
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.embed import fill_message, require_space
from onec_rag.indexing.keys import PREFIX
from onec_rag.indexing.sync import resume_batches
from onec_rag.model.tasks import UploadState
from onec_rag.store import arrivals, uploads, vectors


def resume(indexing: Indexing, bucket: str) -> dict[str, int]:
    """Sends every message again that is open: tasks and vectors by the database, objects that no event has told of.

    For queues that have forgotten everything (the local stack's after a restart). A message that is still there
    after all is done twice, and the second time finds nothing to do. Returns how many uploads wait and how many
    sources are looked through for missing vectors.

    Raises:
        ConfigurationError: the stored vectors are of another model than the settings'.
    """
    require_space(indexing)
    stored = {item.key: item.etag for item in indexing.objects.listing(bucket, PREFIX)}
    with indexing.database.transaction() as connection:
        uploads.requeue_tasks(connection)
        unfinished = uploads.unfinished_uploads(connection)
        sources = vectors.loaded_sources(connection)
        unplanned = arrivals.unplanned_keys(connection, bucket, stored)
    indexing.plan_queue.send({"bucket": bucket, "key": key} for key in unplanned)
    resume_batches(indexing, bucket)
    for upload in unfinished:
        if upload.state is UploadState.LOADING and upload.release_no is not None:
            advance(indexing, upload.id)
        else:
            indexing.plan_queue.send([{"upload": upload.id}])
    if indexing.embedder is not None:
        indexing.embed_queue.send(fill_message(source_id, shard) for source_id, shard in sources)
    return {"uploads": len(unfinished) + len(unplanned), "sources": len(sources)}
