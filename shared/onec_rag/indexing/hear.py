"""What happens in the bucket → the upload that it brings, whatever the order in which it is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from onec_rag.formats.base import RootKind
from onec_rag.formats.table import format_of
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.keys import PREFIX, SYNC, source_of
from onec_rag.indexing.sync import note_change
from onec_rag.model.tasks import Upload
from onec_rag.store import arrivals

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """When an event says that its object arrived, and how it names the object's version."""

    at: datetime
    versions: frozenset[str]


def hear(indexing: Indexing, event: Event) -> Upload | None:
    """What an event of the bucket brings; deletions of uploads change no release, test events nothing at all."""
    kind = event.get("detail-type")
    if kind not in ("Object Created", "Object Deleted"):
        return None
    # The key is as it is: unlike S3's own notifications, EventBridge does not encode keys.
    bucket, key = event["detail"]["bucket"]["name"], event["detail"]["object"]["key"]
    if key.startswith(SYNC):
        note_change(indexing, bucket, key)
    elif key.startswith(PREFIX) and kind == "Object Created":
        return claim_object(indexing, bucket, key, _told(event))
    return None


def claim_object(indexing: Indexing, bucket: str, key: str, told: Told | None = None) -> Upload:
    """The upload of what has arrived in the bucket; the same event again finds the same one.

    It is the object as it is now: a late event of an earlier version finds the later one. `told` is what the event
    tells of its own version.

    Raises:
        PermanentError: the key names no source, or the object is gone.
    """
    source_name = source_of(key)
    facts = indexing.objects.facts(bucket, key)
    arrived_at = told.at if told and facts.version in told.versions else facts.modified
    arrival = arrivals.Arrival(
        source_name, bucket, key, facts.version, facts.etag, facts.size, arrived_at, facts.metadata.get("label"),
        is_page(key),
    )  # fmt: skip
    with indexing.database.transaction() as connection:
        return arrivals.claim_upload(connection, str(uuid4()), arrival)


def is_page(key: str) -> bool:
    """Whether an object is no archive but a page of its own, which adds to its source."""
    return format_of(RootKind.DOCUMENTATION, key.rpartition("/")[2]) is not None


def _told(event: Event) -> Told | None:
    time, stored = event.get("time"), event["detail"]["object"]
    try:
        at = datetime.fromisoformat(time) if isinstance(time, str) else None
    except ValueError:
        at = None
    if at is None:
        return None
    versions = frozenset(filter(None, (stored.get("version-id"), stored.get("etag"))))
    return Told(at if at.tzinfo else at.replace(tzinfo=UTC), versions)
