"""A question to be answered in words, and the answer with its sources."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from onec_rag.model.search import Place


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """One statement of an answer; `sources` are numbers of `Answer.sources`, never empty."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A numbered piece of evidence; `id` opens it."""

    number: int
    id: str
    fqn: str
    breadcrumb: str
    place: Place


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them, over all calls of one answer."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose every key point cites; `answer` is None where no model has spoken.

    `postprocess_used` says whether a model wrote it; why not is in `warnings`. `timings` are milliseconds by step.
    """

    answer: str | None
    key_points: tuple[KeyPoint, ...]
    sources: tuple[AnswerSource, ...]
    warnings: tuple[str, ...]
    postprocess_used: bool
    usage: Usage = Usage()
    timings: Mapping[str, float] = field(default_factory=dict)
