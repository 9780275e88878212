"""Uploads and the tasks they are cut into."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class UploadState(StrEnum):
    """Where an upload stands; `ready`, `unchanged`, `superseded` and `failed` are final, `held` waits for a person."""

    RECEIVING = "receiving"
    PARKED = "parked"
    LOADING = "loading"
    READY = "ready"
    UNCHANGED = "unchanged"
    HELD = "held"
    SUPERSEDED = "superseded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Upload:
    """One thing put into the bucket. `version` pins its bytes: the object's version id, else its ETag.

    `staged_key` and `staged_version` are those of the archive that was made of it, where its own bytes can't be read by
    ranges or are not all that its release holds. A `confirmed` one may remove as many documents as it does.
    """

    id: str
    source_name: str
    bucket: str
    key: str
    version: str
    state: UploadState
    label: str | None = None
    source_id: int | None = None
    release_no: int | None = None
    staged_key: str | None = None
    staged_version: str | None = None
    confirmed: bool = False

    @property
    def archive(self) -> tuple[str, str]:
        """Key and version of the archive whose byte ranges the tasks name."""
        if self.staged_key and self.staged_version:
            return self.staged_key, self.staged_version
        return self.key, self.version


@dataclass(frozen=True, slots=True)
class TaskMember:
    """A member of an archive as a task needs it; numbers are those of the central directory, in bytes."""

    document_id: int
    root: str
    kind: str
    path: str
    offset: int
    compressed_size: int
    size: int
    method: int
    crc: int
    encrypted: bool


@dataclass(frozen=True, slots=True)
class Task:
    """A contiguous byte range of an upload with the members to read in it; `end_byte` is not included."""

    no: int
    wave: int
    first_byte: int
    end_byte: int
    members: tuple[TaskMember, ...]


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """What a task did; summed over the tasks for the upload's status."""

    documents: int = 0
    empty: int = 0
    problems: int = 0
    chunks_new: int = 0
    chunks_kept: int = 0
    chunks_closed: int = 0
    found: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Release:
    """One state of a source; `roots` maps a root's key to its folder in the upload."""

    source_id: int
    no: int
    shard: int
    label: str
    roots: Mapping[str, str]
    first_load: bool
