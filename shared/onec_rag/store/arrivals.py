"""Objects as they come into the bucket → uploads; which of them is the latest of its key and of its source."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from onec_rag.model.tasks import Upload
from onec_rag.store.database import Connection
from onec_rag.store.queries import query
from onec_rag.store.uploads import upload_of

SUPERSEDED = "an upload of this source that came later is loaded"


@dataclass(frozen=True, slots=True)
class Arrival:
    """An object as it came into the bucket. `version` pins it, `etag` is what a listing shows of it.

    `partial`: it adds to its source instead of being the whole of it.
    """

    source_name: str
    bucket: str
    key: str
    version: str
    etag: str
    size: int
    arrived_at: datetime
    label: str | None
    partial: bool


def claim_upload(connection: Connection, new_id: str, arrival: Arrival) -> Upload:
    """The upload of an object that has arrived: announced by the API before, known from an earlier event, or new.

    Claiming is idempotent by bucket, key and version; the state tells the caller what is left to do. Of the uploads
    of a key only the latest is compared: after it the bytes of an earlier one are new again.
    """
    facts = asdict(arrival)
    connection.execute(query("lock_key"), facts)
    for statement in ("take_known_upload", "take_received_upload"):
        if known := connection.execute(query(statement), facts).fetchone():
            return upload_of(known)
    fresh = {"id": new_id, "requested_by": None, "confirmed": False}
    return upload_of(connection.execute(query("insert_upload"), facts | fresh).fetchall()[0])


def is_key_known(connection: Connection, bucket: str, key: str) -> bool:
    """Whether there was ever an upload of this key."""
    (row,) = connection.execute(query("is_key_known"), {"bucket": bucket, "key": key}).fetchall()
    return bool(row["known"])


def unplanned_keys(connection: Connection, bucket: str, etags: Mapping[str, str]) -> list[str]:
    """Those of the bucket's keys whose object, as its ETag tells it, was never planned."""
    asked = {"bucket": bucket, "keys": list(etags), "etags": list(etags.values())}
    return [row["key"] for row in connection.execute(query("unplanned_keys"), asked).fetchall()]


def is_superseded(connection: Connection, upload_id: str) -> bool:
    """Whether the source holds all of an upload that arrived later: what this one holds is older."""
    return connection.execute(query("later_upload"), {"id": upload_id}).fetchone() is not None


def supersede_held(connection: Connection, source_name: str) -> None:
    """Ends uploads of the source that wait to be confirmed while a later one has come to its end."""
    connection.execute(query("supersede_held"), {"source_name": source_name, "reason": SUPERSEDED})
