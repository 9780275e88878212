"""Responses about the service at a glance, how far an upload is, and what of it could not be read."""

from datetime import datetime
from uuid import UUID

from onec_rag.api.embedding_schemas import VectorsOut
from onec_rag.api.schemas import ProblemOut, Schema, SourceOut, UploadOut


class JanitorOut(Schema):
    """A run of the janitor: how much it has done of each kind, and the dead letters of each queue. Both are null while
    it is not at its end (then `ended_at` is null too), and where another one was at work."""

    id: UUID
    requested_at: datetime
    ended_at: datetime | None
    done: dict[str, int] | None
    dead_letters: dict[str, int] | None


class StatusOut(Schema):
    """The service at a glance; `janitor` is its last run, for keys of all sources."""

    version: str
    embedding: str
    database_bytes: int
    sources: list[SourceOut]
    uploads: list[UploadOut]
    janitor: JanitorOut | None


class TasksOut(Schema):
    """Tasks of an upload; those of one that has failed are `failed` where they were not done."""

    done: int
    waiting: int
    failed: int


class FilesOut(Schema):
    """Files of an upload: `read` so far, `skipped` since no format knows them, `failed` with a problem."""

    read: int
    skipped: int
    failed: int


class ChunksOut(Schema):
    """Chunks against the release before, in the tasks that are done."""

    new: int
    kept: int
    closed: int


class ReasonOut(Schema):
    """Why files could not be read, and how many."""

    reason: str
    files: int


class UploadStatusOut(Schema):
    """How far an upload is. `reasons` are the most frequent ones, `vectors` those of the source's current release,
    null before its first one; `dead_letters` of all queues were counted by the janitor's last run, for keys of all
    sources."""

    upload: UploadOut
    tasks: TasksOut
    files: FilesOut
    chunks: ChunksOut
    reasons: list[ReasonOut]
    vectors: VectorsOut | None
    dead_letters: int | None


class ProblemsOut(Schema):
    """One page of the files of an upload that could not be read; `total` are all of them."""

    upload: UploadOut
    total: int
    offset: int
    problems: list[ProblemOut]
