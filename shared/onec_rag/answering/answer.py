"""One question → hits → one pass of a chat model → an answer whose every point cites; or, honestly, the hits alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from onec_rag.answering.citations import SCHEMA, cited, parse
from onec_rag.answering.evidence import evidence, numbered
from onec_rag.answering.phrases import say
from onec_rag.errors import PermanentError, RetryableError
from onec_rag.llm import Completion, Endpoint
from onec_rag.model.answer import Answer, Usage
from onec_rag.model.search import Hit, SearchRequest
from onec_rag.retrieval.pipeline import Search, Timings
from onec_rag.text.budget import estimate_tokens

FRAME_TOKENS = 64
"""What the protocol itself adds to the messages."""


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A chat model behind an endpoint; `context` and `answer` are in tokens."""

    endpoint: Endpoint
    model: str
    context: int
    answer: int
    temperature: float


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers of one process; `chat` is None where no endpoint is configured."""

    search: Search
    chat: ChatModel | None

    def run(self, request: SearchRequest, language: str, allowed: Sequence[str]) -> Answer:
        """Answers in `ru` or `en` for a caller that may see the `allowed` sources; errors are those of a search."""
        found = self.search.run(request, allowed)
        timings, warnings = Timings(), list(found.warnings)
        spoken: _Spoken | None = None
        if not found.hits:
            warnings.append(say(language, "nothing_found"))
        elif self.chat is None:
            warnings.append(say(language, "no_endpoint"))
        else:
            with timings.step("model"):
                spoken = _ask(self.chat, request.query, found.hits, language, warnings)
        points = cited(spoken.points, spoken.sources) if spoken else ()
        if spoken and len(points) < len(spoken.points):
            warnings.append(say(language, "points_dropped", count=len(spoken.points) - len(points)))
        return Answer(
            answer=spoken.text if spoken else None,
            key_points=points,
            sources=numbered(found.hits),
            warnings=tuple(warnings),
            postprocess_used=spoken is not None,
            usage=spoken.usage if spoken else Usage(),
            timings={**found.timings, **timings.milliseconds},
        )


@dataclass(frozen=True, slots=True)
class _Spoken:
    """What the model said, parsed; `sources` is how many it was given."""

    text: str
    points: list[tuple[str, list[object]]]
    sources: int
    usage: Usage


def _ask(chat: ChatModel, question: str, hits: Sequence[Hit], language: str, warnings: list[str]) -> _Spoken | None:
    """The model's answer, once more with half of the sources if it was cut; None (and a warning) if it has none."""
    prompt = _prompt(language)
    budget = chat.context - chat.answer - FRAME_TOKENS - estimate_tokens(prompt) - estimate_tokens(question)
    blocks = evidence(hits, budget)
    last = say(language, "no_room")
    for share in (blocks, blocks[: len(blocks) // 2]):
        if not share:
            break
        try:
            said = _complete(chat, prompt, question, share)
        except (RetryableError, PermanentError) as error:
            warnings.append(say(language, "model_failed", reason=str(error)))
            return None
        reason = _fault(said)
        parsed = parse(said.text) if reason is None else None
        if parsed is not None:
            if len(share) < len(hits):
                warnings.append(say(language, "fewer_sources", used=len(share), found=len(hits)))
            return _Spoken(*parsed, len(share), Usage(said.prompt_tokens, said.completion_tokens))
        last = say(language, reason or "not_understood")
        if reason == "refused":
            break
    warnings.append(say(language, "model_failed", reason=last))
    return None


def _complete(chat: ChatModel, prompt: str, question: str, blocks: Sequence[str]) -> Completion:
    """System: our rules and nothing else. User: the sources as data, and the question last."""
    asked = "\n\n".join((*blocks, f"<question>\n{question}\n</question>"))
    messages = [{"role": "system", "content": prompt}, {"role": "user", "content": asked}]
    return chat.endpoint.complete(messages, chat.model, SCHEMA, chat.answer, chat.temperature)


def _fault(said: Completion) -> str | None:
    """Why a completion must not be parsed, told before it is."""
    if said.finish_reason == "length":
        return "truncated"
    if said.finish_reason in ("refusal", "content_filter"):
        return "refused"
    return None


@cache
def _prompt(language: str) -> str:
    return files("onec_rag.answering").joinpath(f"prompts/answer.{language}.md").read_text(encoding="utf-8")
