"""Loose objects below `sync/<source>/`: changes make a batch, a quiet batch is an upload of all that is there.

What is there is told by a listing, so the order of events, lost ones and deletions do not matter.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil
from uuid import uuid4

from onec_rag.aws.objects import ListedObject
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.keys import SOURCE_NAME, SYNC, source_of
from onec_rag.model.tasks import Upload
from onec_rag.store import arrivals, sync


def prefix_of(source_name: str) -> str:
    """Where the loose objects of a source are; also the key of the uploads that are made of them."""
    return f"{SYNC}{source_name}/"


def fingerprint(listed: Sequence[ListedObject]) -> str:
    """What pins a listing: it changes with every object that is added, changed or deleted."""
    lines = (f"{item.key}\0{item.etag}\0{item.size}\n" for item in listed)
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def note_change(indexing: Indexing, bucket: str, key: str) -> None:
    """Puts a changed or deleted object's source into a batch.

    Raises:
        PermanentError: the key names no source.
    """
    name = source_of(key.rstrip("/"), SYNC)
    with indexing.database.transaction() as connection:
        if sync.open_batch(connection, bucket, name):
            _ask_again(indexing, bucket, name, indexing.sync_quiet)


def close_batch(indexing: Indexing, bucket: str, source_name: str) -> Upload | None:
    """The upload of a batch that has been quiet for long enough, to be planned; else the batch is asked for again."""
    with indexing.database.transaction() as connection:
        batch = sync.read_batch(connection, bucket, source_name)
    if batch is None:
        return None
    if batch.quiet < indexing.sync_quiet:
        _ask_again(indexing, bucket, source_name, ceil(indexing.sync_quiet - batch.quiet))
        return None
    key = prefix_of(source_name)
    listed = indexing.objects.listing(bucket, key)
    version = fingerprint(listed)
    size = sum(item.size for item in listed)
    arrival = arrivals.Arrival(source_name, bucket, key, version, version, size, datetime.now(UTC), None, partial=False)
    upload = None
    with indexing.database.transaction() as connection:
        if listed or arrivals.is_key_known(connection, bucket, key):
            upload = arrivals.claim_upload(connection, str(uuid4()), arrival)
        if not sync.close_batch(connection, bucket, source_name, batch):  # something has changed meanwhile
            _ask_again(indexing, bucket, source_name, indexing.sync_quiet)
    return upload


def resume_batches(indexing: Indexing, bucket: str) -> None:
    """Asks for every open batch again, and opens one for each source whose objects are not what was planned last."""
    by_source: dict[str, list[ListedObject]] = {}
    for item in indexing.objects.listing(bucket, SYNC):
        name, slash, _ = item.key.removeprefix(SYNC).partition("/")
        if slash and SOURCE_NAME.fullmatch(name):
            by_source.setdefault(name, []).append(item)
    versions = {prefix_of(name): fingerprint(listed) for name, listed in by_source.items()}
    with indexing.database.transaction() as connection:
        changed = arrivals.unplanned_keys(connection, bucket, versions)
        for key in changed:
            sync.open_batch(connection, bucket, key.split("/")[1])
        for name in sync.open_batches(connection, bucket):
            _ask_again(indexing, bucket, name, indexing.sync_quiet)


def _ask_again(indexing: Indexing, bucket: str, source_name: str, seconds: int) -> None:
    indexing.plan_queue.send([{"sync": source_name, "bucket": bucket}], delay=seconds)
