"""A question to the index, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    """Which channels answer: words, vectors, or both."""

    LEXICAL = "lexical"
    VECTOR = "vector"
    HYBRID = "hybrid"


class Belonging(StrEnum):
    """What a thing of an extension is: the extension's own, or adopted from the configuration it extends."""

    OWN = "own"
    ADOPTED = "adopted"


@dataclass(frozen=True, slots=True)
class Filters:
    """What a chunk must be to be found; what is empty filters nothing.

    `sections` are those of documentation and books, `belonging` leaves only chunks of extensions.
    """

    kinds: tuple[str, ...] = ()
    fqn_prefix: str | None = None
    sections: tuple[str, ...] = ()
    belonging: Belonging | None = None

    def __bool__(self) -> bool:
        return self != NO_FILTERS


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is asked. `release` is a label or a number, `as_of` a time with its zone; neither means the current release
    of each source."""

    query: str
    mode: Mode = Mode.HYBRID
    limit: int = 10
    sources: tuple[str, ...] = ()
    release: str | None = None
    as_of: datetime | None = None
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True)
class Scoped:
    """A source in the release that a request reads, taken once for the whole request."""

    source_id: int
    source: str
    release_no: int
    label: str
    roots: Mapping[str, str]
    chunks: int
    shard: int
    vector_problem: str | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """The collection's figures for BM25: number of chunks, their mean length in terms, chunks that hold each word."""

    chunks: int
    mean_length: float
    documents: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A chunk that a channel brought up (compared by identity).

    Ranks start at 1 and are None where the channel did not find it. `frequencies` maps words of the query to their
    counts by field (`body,doc,title,name`); `distance` is cosine.
    """

    shard: int
    chunk_id: int
    lexical_rank: int | None
    lexical_score: float | None
    vector_rank: int | None
    distance: float | None
    frequencies: Mapping[str, str]
    length: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hit stands: path from the upload's root; lines from 1, both ends included, None where unknown."""

    source: str
    release: str
    path: str
    first_line: int | None
    last_line: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A found chunk. `ranks` and `scores` are by channel (`lexical`, `vector`, `bm25`), for those that found it."""

    id: str
    kind: str
    fqn: str
    symbol: str
    title: str
    breadcrumb: str
    text: str
    place: Place
    score: float
    ranks: Mapping[str, int]
    scores: Mapping[str, float]
    facets: Mapping[str, Any]
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What stands next to a hit in its document; lines as in `Place`."""

    id: str
    fqn: str
    symbol: str
    breadcrumb: str
    first_line: int | None
    last_line: int | None


@dataclass(frozen=True, slots=True)
class HitContext:
    """A hit with the whole text of its symbol, and its neighbours, nearest last in `before` and first in `after`."""

    hit: Hit
    before: tuple[Neighbour, ...]
    after: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first, and how they came about. `coverage` is the share of chunks with vectors, 0 to 1;
    `timings` are milliseconds by step."""

    hits: tuple[Hit, ...]
    mode: Mode
    coverage: float
    warnings: tuple[str, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
