"""Requests and responses of the API, as OpenAPI shows them."""

from datetime import UTC, date, datetime, time
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from onec_rag.model.chunk import ChunkKind
from onec_rag.model.search import Belonging, Mode

SourceName = Annotated[str, StringConstraints(pattern=r"^[^\W_][\w.-]{0,62}$")]
Line = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f]*$")]
"""Without control characters, of which PostgreSQL keeps no NUL."""

Section = Annotated[Line, StringConstraints(max_length=500)]


def _read_moment(value: object) -> datetime:
    """A date is its last moment; without a zone it is UTC. Seconds since 1970 are refused: 2026 would be some."""
    try:
        moment = datetime.combine(date.fromisoformat(str(value)), time.max)
    except ValueError:
        moment = datetime.fromisoformat(str(value))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


AsOf = Annotated[
    datetime,
    BeforeValidator(_read_moment),
    Field(
        description="the latest release that was ready by this date (UTC, to its end) or time; not with `release`",
        examples=["2026-03-01", "2026-03-01T12:00:00+03:00"],
    ),
]


class Schema(BaseModel):
    """Unknown fields are refused: a misspelt filter must not be ignored."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class SearchBody(Schema):
    """What is searched for, and where."""

    query: str = Field(max_length=20_000, examples=["где рассчитывается скидка по карте клиента"])
    mode: Mode = Mode.HYBRID
    limit: int = Field(default=10, ge=1, le=50)
    sources: list[SourceName] = Field(default=[], max_length=100, description="names; empty: every visible source")
    release: Line | None = Field(default=None, max_length=100, description="label or number; none: the current one")
    as_of: AsOf | None = None
    kinds: list[ChunkKind] = Field(default=[], description="kinds of chunk; empty: all")
    fqn_prefix: Line | None = Field(
        default=None, max_length=500, examples=["Справочник.Номенклатура"], description="in Russian or English words"
    )
    sections: list[Section] = Field(
        default=[], max_length=100, description="sections of documentation, books of the platform's help; empty: all"
    )
    belonging: Belonging | None = Field(default=None, description="of extensions alone: own or adopted things")


class PlaceOut(Schema):
    """Where a hit stands in the upload; lines from 1, both ends included."""

    source: str
    release: str
    path: str
    first_line: int | None
    last_line: int | None


class HitOut(Schema):
    """A found chunk, with the rank and score of each channel that found it."""

    id: str
    kind: ChunkKind
    fqn: str
    symbol: str
    title: str
    breadcrumb: str
    text: str
    place: PlaceOut
    score: float
    ranks: dict[str, int]
    scores: dict[str, float]
    facets: dict[str, Any]
    stale: bool = Field(description="the file could not be read in this release: this is its last readable state")


class SearchOut(Schema):
    """Hits, best first. `coverage` is the share of chunks with vectors, `timings` are milliseconds."""

    hits: list[HitOut]
    mode: Mode = Field(description="the mode that answered: full text where there was no vector")
    coverage: float
    warnings: list[str]
    timings: dict[str, float]


class NeighbourOut(Schema):
    """What stands next to a hit in its document."""

    id: str
    fqn: str
    symbol: str
    breadcrumb: str
    first_line: int | None
    last_line: int | None


class HitContextOut(Schema):
    """A hit with the whole text of its procedure or section, and what stands before and after it."""

    hit: HitOut
    before: list[NeighbourOut]
    after: list[NeighbourOut]


class AnswerBody(Schema):
    """A question to be answered in words."""

    question: str = Field(min_length=1, max_length=20_000, examples=["Как проверяется гарантийный срок изделия?"])
    language: Literal["ru", "en"] = "ru"
    limit: int = Field(default=10, ge=1, le=30, description="hits that the answer rests on, at the most")
    sources: list[SourceName] = Field(default=[], max_length=100)
    release: Line | None = Field(default=None, max_length=100)
    as_of: AsOf | None = None
    kinds: list[ChunkKind] = []


class KeyPointOut(Schema):
    """One statement and the numbers of the sources it rests on."""

    text: str
    sources: list[int]


class AnswerSourceOut(Schema):
    """A numbered source; `id` opens it at `/v1/hits/{id}`."""

    number: int
    id: str
    fqn: str
    breadcrumb: str
    place: PlaceOut


class UsageOut(Schema):
    """Tokens as the model's endpoint counted them."""

    prompt_tokens: int
    completion_tokens: int


class AnswerOut(Schema):
    """An answer; without a model `answer` is null, `postprocess_used` false, and the sources are the hits."""

    answer: str | None
    key_points: list[KeyPointOut]
    sources: list[AnswerSourceOut]
    warnings: list[str]
    postprocess_used: bool
    usage: UsageOut
    timings: dict[str, float]


class UploadBody(Schema):
    """An upload to be announced before its bytes are sent."""

    source: SourceName
    file_name: str = Field(min_length=1, max_length=255, examples=["cf.zip"])
    size: int = Field(ge=1, description="bytes")
    label: Line | None = Field(default=None, min_length=1, max_length=100, description="the release's label")
    method: Literal["multipart", "form"] = "multipart"
    confirm: bool = Field(default=False, description="load it even if it removes a large part of the source")


class Form(Schema):
    """A browser's form: post the fields and then the file to the link."""

    url: str
    fields: dict[str, str]


class UploadLinks(Schema):
    """Where to send the bytes: one PUT for each part and then `complete`, or one form."""

    id: str
    key: str
    multipart_id: str | None = None
    part_size: int | None = None
    parts: list[str] = []
    form: Form | None = None


class CompleteBody(Schema):
    """The ETags that the PUTs of the parts answered, in order."""

    multipart_id: str = Field(max_length=2_000)
    etags: list[Annotated[str, StringConstraints(max_length=200)]] = Field(min_length=1, max_length=10_000)


class UploadOut(Schema):
    """How far an upload is. `counts` are sums over the tasks that are done."""

    id: str
    source: str
    key: str
    size: int | None
    state: str
    reason: str | None
    label: str | None
    release: int | None
    files: int
    files_skipped: int
    tasks: int
    tasks_done: int
    problems: int
    counts: dict[str, int]
    created_at: datetime
    planned_at: datetime | None
    finished_at: datetime | None


class ManifestOut(Schema):
    """The files of the upload that a source's head release was made of: path in the upload → SHA-256 of the file's
    bytes, the first 32 hex digits."""

    upload: str
    release: int
    label: str
    files: dict[str, str]


class ProblemOut(Schema):
    """A file that could not be read, and why."""

    path: str
    place: str
    reason: str


class SourceOut(Schema):
    """A source in the release that is asked for; `coverage` is the share of chunks with vectors."""

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
    ready_at: datetime | None


class ReleaseOut(Schema):
    """A release of a source: `release` is its number, `current` what a search reads that names none, `head` what the
    next upload is compared with, `upload` what made it."""

    source: str
    release: int
    label: str
    state: Literal["loading", "ready", "failed"]
    current: bool
    head: bool
    chunks: int
    counts: dict[str, int]
    upload: UUID | None
    created_at: datetime
    ready_at: datetime | None


class DeletedSourceOut(Schema):
    """A source that is gone, and how many releases and objects of the bucket went with it."""

    source: str
    releases: int
    objects: int
