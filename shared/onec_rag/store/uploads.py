"""Uploads, their tasks and what could not be read."""

from collections.abc import Sequence
from dataclasses import asdict, astuple
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from onec_rag.errors import PermanentError
from onec_rag.model.tasks import Release, Task, TaskCounts, TaskMember, Upload, UploadState
from onec_rag.store.database import Connection, Row
from onec_rag.store.queries import query


def upload_of(row: Row) -> Upload:
    """An upload by the columns that its queries give."""
    return Upload(**{**row, "id": str(row["id"]), "state": UploadState(row["state"]), "version": row["version"] or ""})


def insert_upload(
    connection: Connection,
    *,
    upload_id: str,
    source_name: str,
    bucket: str,
    key: str,
    size: int | None = None,
    label: str | None = None,
    requested_by: str | None = None,
    confirmed: bool = False,
) -> Upload:
    """Announces an upload whose object is yet to come."""
    announced = {"id": upload_id, "source_name": source_name, "bucket": bucket, "key": key, "size": size,
                 "label": label, "requested_by": requested_by, "confirmed": confirmed}  # fmt: skip
    unknown = {"version": None, "etag": None, "arrived_at": None, "partial": False}
    return upload_of(_one(connection.execute(query("insert_upload"), announced | unknown).fetchone()))


def read_upload(connection: Connection, upload_id: str) -> Upload | None:
    row = connection.execute(query("read_upload"), {"id": upload_id}).fetchone()
    return upload_of(row) if row else None


def lock_upload(connection: Connection, upload_id: str, *, writers: bool = False) -> Upload:
    """The upload with its row locked until the transaction ends: counting and activating happen one at a time.

    With `writers` this waits for tasks that are being written, and no other begins: `finish_task` shares that lock.
    """
    statement = query("lock_upload_and_writers" if writers else "lock_upload")
    return upload_of(_one(connection.execute(statement, {"id": upload_id}).fetchone()))


def begin_loading(connection: Connection, upload_id: str, pipeline: int) -> bool:
    """Turns a received or parked upload into the source's one load; False where another is loading (it is parked)."""
    try:
        with connection.transaction():
            begun = connection.execute(query("begin_loading"), {"id": upload_id, "pipeline": pipeline}).fetchone()
            return begun is not None
    except psycopg.errors.UniqueViolation:
        connection.execute(query("park_upload"), {"id": upload_id})
        return False


def next_parked_upload(connection: Connection, source_name: str) -> str | None:
    row = connection.execute(query("next_parked_upload"), {"source_name": source_name}).fetchone()
    return str(row["id"]) if row else None


def release_of_same_content(connection: Connection, upload: Upload, pipeline: int) -> int | None:
    """The source's head release, where it was made of the same bytes by the same pipeline under the same label."""
    row = connection.execute(
        query("release_of_same_content"),
        {
            "source_name": upload.source_name, "version": upload.version, "pipeline": pipeline, "id": upload.id,
            "label": upload.label,
        },
    ).fetchone()  # fmt: skip
    return row["no"] if row else None


def attach_release(
    connection: Connection, upload_id: str, release: Release, *, read: int, skipped: int, partial: bool
) -> None:
    """Tells the upload which release it makes and how many members are read and passed over.

    A `partial` upload adds to what the source holds; any other is the whole of its release.
    """
    connection.execute(
        query("attach_release_to_upload"),
        {"id": upload_id, "source_id": release.source_id, "no": release.no, "label": release.label,
         "members_read": read, "members_skipped": skipped, "partial": partial},
    )  # fmt: skip


def set_staged(connection: Connection, upload_id: str, key: str, version: str) -> None:
    """Tells the upload which archive its tasks read."""
    connection.execute(query("set_staged"), {"id": upload_id, "key": key, "version": version})


def finish_upload(
    connection: Connection, upload_id: str, state: UploadState, release_no: int | None, reason: str | None = None
) -> None:
    connection.execute(
        query("finish_upload"), {"id": upload_id, "state": state, "reason": reason, "release_no": release_no}
    )
    connection.execute(query("forget_members"), {"upload_id": upload_id})


def count_unsent(connection: Connection, source_name: str, ids: Sequence[int]) -> tuple[int, int]:
    """How many documents the source's head has, and how many of them are not among these ids."""
    row = _one(connection.execute(query("count_unsent"), {"source_name": source_name, "ids": list(ids)}).fetchone())
    return row["total"], row["gone"]


def count_removed(connection: Connection, upload_id: str, release: Release) -> tuple[int, int]:
    """How many documents the source's head has, and how many of them the loaded release would not have."""
    place = {"upload_id": upload_id, "source_id": release.source_id, "no": release.no}
    row = _one(connection.execute(query("count_removed"), place).fetchone())
    return row["total"], row["gone"]


def hold_upload(connection: Connection, upload_id: str, reason: str) -> None:
    """Lets the upload wait to be confirmed; it is planned anew then."""
    connection.execute(query("hold_upload"), {"id": upload_id, "reason": reason})
    connection.execute(query("forget_tasks"), {"id": upload_id})
    connection.execute(query("forget_problems"), {"id": upload_id})


def confirm_upload(connection: Connection, upload_id: str) -> str | None:
    """Says that the upload may remove as much as it does; one that was held is to be planned then.

    None when it is done, also when it was before; else why not: `missing`, or the state that the upload has ended in.
    """
    refusal: str | None = _one(connection.execute(query("confirm_upload"), {"id": upload_id}).fetchone())["refusal"]
    return refusal


def insert_tasks(connection: Connection, upload_id: str, tasks: Sequence[Task]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            query("insert_task"),
            [
                {
                    "upload_id": upload_id, "no": task.no, "wave": task.wave, "first_byte": task.first_byte,
                    "end_byte": task.end_byte, "members": Jsonb(list(map(astuple, task.members))),
                }
                for task in tasks
            ],
        )  # fmt: skip


def read_task(connection: Connection, upload_id: str, no: int) -> Task | None:
    """The task, or None where nothing is left to do: it is done, or its upload is no longer loading."""
    row = connection.execute(query("read_task"), {"upload_id": upload_id, "no": no}).fetchone()
    if row is None or row["state"] == "done" or row["upload_state"] != UploadState.LOADING:
        return None
    members = tuple(TaskMember(*values) for values in row["members"])
    return Task(row["no"], row["wave"], row["first_byte"], row["end_byte"], members)


def finish_task(connection: Connection, upload_id: str, no: int) -> bool:
    """Marks the task done, before its rows are written in the same transaction.

    False where somebody was faster or the upload has ended: then nothing may be written.
    """
    return connection.execute(query("finish_task"), {"upload_id": upload_id, "no": no}).fetchone() is not None


def record_counts(connection: Connection, upload_id: str, no: int, counts: TaskCounts) -> None:
    """What a finished task did."""
    connection.execute(query("record_counts"), {"upload_id": upload_id, "no": no, "counts": Jsonb(asdict(counts))})


def tasks_to_queue(connection: Connection, upload_id: str) -> list[int] | None:
    """Numbers of the tasks of the open wave that are not queued yet; None where every task is done."""
    wave = _one(connection.execute(query("open_wave"), {"upload_id": upload_id}).fetchone())["wave"]
    if wave is None:
        return None
    rows = connection.execute(query("waiting_tasks"), {"upload_id": upload_id, "wave": wave}).fetchall()
    return [row["no"] for row in rows]


def read_task_counts(connection: Connection, upload_id: str) -> list[dict[str, Any]]:
    """What each finished task did, as `TaskCounts` fields."""
    rows = connection.execute(query("task_counts"), {"upload_id": upload_id}).fetchall()
    return [row["counts"] for row in rows]


def mark_tasks_queued(connection: Connection, upload_id: str, nos: Sequence[int]) -> None:
    connection.execute(query("mark_tasks_queued"), {"upload_id": upload_id, "nos": list(nos)})


def requeue_tasks(connection: Connection) -> None:
    """Takes back the mark `queued` of every open task: the queues have lost their messages."""
    connection.execute(query("requeue_tasks"))


def unfinished_uploads(connection: Connection) -> list[Upload]:
    """Uploads that are loading or parked, oldest first."""
    return [upload_of(row) for row in connection.execute(query("unfinished_uploads")).fetchall()]


def insert_problems(connection: Connection, upload_id: str, problems: Sequence[PermanentError]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            query("insert_problem"),
            [
                {"upload_id": upload_id, "path": item.path, "place": item.place, "reason": item.reason}
                for item in problems
            ],
        )


def read_uploads(
    connection: Connection, upload_id: str | None = None, source: str | None = None, most: int = 50
) -> list[dict[str, Any]]:
    """Uploads as the status shows them, newest first, with the sums of their tasks' counts."""
    return connection.execute(query("read_uploads"), {"id": upload_id, "source": source, "most": most}).fetchall()


def read_problems(connection: Connection, upload_id: str, most: int = 100) -> list[dict[str, Any]]:
    return connection.execute(query("read_problems"), {"id": upload_id, "most": most}).fetchall()


def _one(row: Row | None) -> Row:
    if row is None:
        raise PermanentError("the upload is not in the database")
    return row
