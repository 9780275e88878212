"""What the API answers, as it answers it: the JSON objects, typed. The API's own schemas are the reference.

Over 300 lines: the whole API is mirrored in one place.
"""

from enum import StrEnum
from typing import Any, Literal, TypedDict


class Mode(StrEnum):
    """Which channels answer a search."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    VECTOR = "vector"


class Kind(StrEnum):
    """What a found chunk is."""

    PROCEDURE = "procedure"
    MODULE = "module"
    QUERY = "query"
    OBJECT = "object"
    FIELD = "field"
    FORM = "form"
    RIGHTS = "rights"
    REPORT = "report"
    TEMPLATE = "template"
    HELP = "help"
    PLATFORM = "platform"
    PAGE = "page"


class Belonging(StrEnum):
    """What a thing of an extension is."""

    OWN = "own"
    ADOPTED = "adopted"


FINAL_STATES = frozenset({"ready", "unchanged", "held", "superseded", "failed"})
"""States that an upload does not leave by itself; before them: `receiving`, `parked`, `loading`."""


class Place(TypedDict):
    """Where a hit stands in the upload; lines from 1, both ends included."""

    source: str
    release: str
    path: str
    first_line: int | None
    last_line: int | None


class Hit(TypedDict):
    """A found chunk, with the rank and score of each channel that found it."""

    id: str
    kind: str
    fqn: str
    symbol: str
    title: str
    breadcrumb: str
    text: str
    place: Place
    score: float
    ranks: dict[str, int]
    scores: dict[str, float]
    facets: dict[str, Any]
    stale: bool


class Neighbour(TypedDict):
    """What stands next to a hit in its document; lines as in `Place`."""

    id: str
    fqn: str
    symbol: str
    breadcrumb: str
    first_line: int | None
    last_line: int | None


class HitContext(TypedDict):
    """A hit with the whole text of its procedure or section, and its neighbours in the order of the document."""

    hit: Hit
    before: list[Neighbour]
    after: list[Neighbour]


class KeyPoint(TypedDict):
    """One statement of an answer, and the numbers of the sources that it rests on."""

    text: str
    sources: list[int]


class AnswerSource(TypedDict):
    """A numbered source of an answer."""

    number: int
    id: str
    fqn: str
    breadcrumb: str
    place: Place


class Usage(TypedDict):
    """Tokens as the model's endpoint counted them."""

    prompt_tokens: int
    completion_tokens: int


class Answer(TypedDict):
    """An answer; where no model wrote one, `answer` is None, `postprocess_used` false, and the sources are the hits."""

    answer: str | None
    key_points: list[KeyPoint]
    sources: list[AnswerSource]
    warnings: list[str]
    postprocess_used: bool
    usage: Usage
    timings: dict[str, float]


class SearchResult(TypedDict):
    """Hits, best first; `coverage` is the share of chunks with vectors, `timings` are milliseconds by step."""

    hits: list[Hit]
    mode: str
    coverage: float
    warnings: list[str]
    timings: dict[str, float]


class UploadForm(TypedDict):
    """A browser's form; this client never asks for one."""

    url: str
    fields: dict[str, str]


class UploadLinks(TypedDict):
    """Where to send the bytes: one PUT of `part_size` bytes for each of `parts`, the last one shorter."""

    id: str
    key: str
    multipart_id: str | None
    part_size: int | None
    parts: list[str]
    form: UploadForm | None


class Upload(TypedDict):
    """How far an upload is; times are ISO 8601."""

    id: str
    source: str
    key: str
    size: int | None
    state: Literal["receiving", "parked", "loading", "ready", "unchanged", "held", "superseded", "failed"]
    reason: str | None
    label: str | None
    release: int | None
    files: int
    files_skipped: int
    tasks: int
    tasks_done: int
    problems: int
    counts: dict[str, int]
    created_at: str
    planned_at: str | None
    finished_at: str | None


class Manifest(TypedDict):
    """The files of the upload that a source's head release was made of: path → SHA-256, the first 32 hex digits."""

    upload: str
    release: int
    label: str
    files: dict[str, str]


class Problem(TypedDict):
    """A file that could not be read, and why."""

    path: str
    place: str
    reason: str


class Source(TypedDict):
    """A source in the release asked for; `vector_problem` is why vectors are not filling in."""

    name: str
    kind: str
    title: str
    release: int | None
    label: str | None
    releases: int
    chunks: int
    vectors: int
    coverage: float
    vector_problem: str | None
    counts: dict[str, int]
    ready_at: str | None


class Release(TypedDict):
    """A release of a source: `release` is its number, `current` what a search reads that names none, `head` what the
    next upload is compared with, `upload` what made it; times are ISO 8601."""

    source: str
    release: int
    label: str
    state: Literal["loading", "ready", "failed"]
    current: bool
    head: bool
    chunks: int
    counts: dict[str, int]
    upload: str | None
    created_at: str
    ready_at: str | None


class DeletedSource(TypedDict):
    """A source that is gone, and how many releases and objects of the bucket went with it."""

    source: str
    releases: int
    objects: int


class Cost(TypedDict):
    """Texts that have to be embedded, an upper estimate of their tokens, and the price where it is known."""

    texts: int
    tokens: int
    price: float | None


class Vectors(TypedDict):
    """How far the vectors of a source's current release are. `held`: they wait for a confirmation; `planned` is what
    the newest release needed, `left` what still waits; `seconds` is an estimate."""

    source: str
    release: int
    chunks: int
    vectors: int
    waiting: int
    refused: int
    held: bool
    planned: Cost | None
    left: Cost
    per_minute: float
    seconds: float | None
    problem: str | None


class Model(TypedDict):
    """An embedding model and how far its vectors are, over all sources."""

    model: str
    dimensions: int
    base_url: str | None
    chunks: int
    vectors: int
    refused: int
    seconds: float | None
    problem: str | None


class Embedding(TypedDict):
    """The active model, the one that is filled beside it, whether old vectors are still being removed, and what it
    costs at the most to embed everything anew."""

    active: Model | None
    next: Model | None
    removing: bool
    whole: Cost


class JanitorRun(TypedDict):
    """A run of the janitor: how much it has done of each kind, and the dead letters of each queue; both are None where
    another one was at work. `ended_at` is None until its end."""

    id: str
    requested_at: str
    ended_at: str | None
    done: dict[str, int] | None
    dead_letters: dict[str, int] | None


class Status(TypedDict):
    """The service at a glance; `janitor` is its last run, for keys of all sources."""

    version: str
    embedding: str
    database_bytes: int
    sources: list[Source]
    uploads: list[Upload]
    janitor: JanitorRun | None


class Tasks(TypedDict):
    """Tasks of an upload."""

    done: int
    waiting: int
    failed: int


class Files(TypedDict):
    """Files of an upload: `read` so far, `skipped` since no format knows them, `failed` with a problem."""

    read: int
    skipped: int
    failed: int


class Chunks(TypedDict):
    """Chunks against the release before."""

    new: int
    kept: int
    closed: int


class Reason(TypedDict):
    """Why files could not be read, and how many."""

    reason: str
    files: int


class UploadStatus(TypedDict):
    """How far an upload is; `vectors` are those of its source, `dead_letters` those of all queues at the last count."""

    upload: Upload
    tasks: Tasks
    files: Files
    chunks: Chunks
    reasons: list[Reason]
    vectors: Vectors | None
    dead_letters: int | None


class Problems(TypedDict):
    """One page of the files of an upload that could not be read; `total` are all of them."""

    upload: Upload
    total: int
    offset: int
    problems: list[Problem]
