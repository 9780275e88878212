"""Uploads that stand still: their messages or events were lost, or their files never came."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from onec_rag.aws.objects import ListedObject
from onec_rag.errors import PermanentError
from onec_rag.indexing.activate import advance, fail_upload
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.keys import PREFIX, SYNC, source_of
from onec_rag.indexing.sync import fingerprint, note_change, prefix_of
from onec_rag.store import arrivals, janitor, sync
from onec_rag.store.janitor import MOST

TRIES = 3
"""So often an upload is set going again without any progress; then it fails."""
GRACE = timedelta(minutes=5)
"""No function runs longer: who had a message to send has sent it, or is dead."""


def requeue_stuck(indexing: Indexing, stuck: timedelta, *, planner_idle: bool, indexer_idle: bool) -> tuple[int, int]:
    """Uploads without any progress for so long whose messages are nowhere: (set going again, given up)."""
    with indexing.database.transaction() as connection:
        found = janitor.requeue_stuck_uploads(connection, stuck, planner_idle=planner_idle, indexer_idle=indexer_idle)
    given_up = 0
    for upload in found:
        if upload.requeues > TRIES:
            minutes = stuck.total_seconds() / 60
            reason = f"no progress for {minutes:g} minutes, though it was set going again {TRIES} times before"
            fail_upload(indexing, upload.id, reason)
            given_up += 1
        elif upload.planned:
            advance(indexing, upload.id)
        else:
            indexing.plan_queue.send([{"upload": upload.id}])
    return len(found) - given_up, given_up


def fail_announced(indexing: Indexing, bucket: str, age: timedelta, there: Collection[str]) -> int:
    """Fails uploads that were announced so long ago and whose key is not among those that are there."""
    with indexing.database.transaction() as connection:
        found = janitor.overdue_announcements(connection, bucket, age, there)
    for upload_id in found:
        fail_upload(indexing, upload_id, f"its file has not come within {age.total_seconds() / 3600:g} hours")
    return len(found)


def plan_lost(indexing: Indexing, bucket: str, stuck: timedelta, listed: Sequence[ListedObject]) -> int:
    """Has objects planned that lie there for so long that their event was lost.

    What a planner has seen is an upload, and set going again as such.
    """
    before = datetime.now(UTC) - stuck
    stored = {item.key: item.etag for item in listed if item.modified < before and _is_upload(item.key)}
    with indexing.database.transaction() as connection:
        seen = janitor.claimed_keys(connection, bucket)
        lost = [key for key in arrivals.unplanned_keys(connection, bucket, stored) if key not in seen][:MOST]
    indexing.plan_queue.send({"bucket": bucket, "key": key} for key in lost)
    return len(lost)


def close_batches(indexing: Indexing, bucket: str, stuck: timedelta) -> int:
    """Has batches of loose objects closed that are quiet for too long, and opens those of which no event has told."""
    with indexing.database.transaction() as connection:
        quiet = timedelta(seconds=indexing.sync_quiet) + GRACE
        overdue = janitor.overdue_batches(connection, bucket, quiet)
    indexing.plan_queue.send({"sync": name, "bucket": bucket} for name in overdue)
    folders: dict[str, list[ListedObject]] = {}
    for item in indexing.objects.listing(bucket, SYNC):
        if _is_upload(item.key, SYNC):
            folders.setdefault(prefix_of(source_of(item.key, SYNC)), []).append(item)
    before = datetime.now(UTC) - stuck
    versions = {
        key: fingerprint(items) for key, items in folders.items() if max(item.modified for item in items) < before
    }
    with indexing.database.transaction() as connection:
        known = janitor.claimed_keys(connection, bucket)
        known |= {prefix_of(name) for name in sync.open_batches(connection, bucket)}
        lost = [key for key in arrivals.unplanned_keys(connection, bucket, versions) if key not in known][:MOST]
    for key in lost:
        note_change(indexing, bucket, folders[key][0].key)
    return len(overdue) + len(lost)


def wake_parked(indexing: Indexing) -> int:
    """Has parked uploads planned whose predecessor has ended without waking them."""
    with indexing.database.transaction() as connection:
        waiting = janitor.unwoken_uploads(connection, GRACE)
    indexing.plan_queue.send({"upload": upload_id} for upload_id in waiting)
    return len(waiting)


def _is_upload(key: str, prefix: str = PREFIX) -> bool:
    """Whether a planner would take an object of that key."""
    try:
        source_of(key, prefix)
    except PermanentError:
        return False
    return True
