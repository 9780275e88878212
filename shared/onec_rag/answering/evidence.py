"""Hits → numbered, delimited sources within the model's window."""

from collections.abc import Sequence

from onec_rag.model.answer import AnswerSource
from onec_rag.model.search import Hit
from onec_rag.text.budget import estimate_tokens


def numbered(hits: Sequence[Hit]) -> tuple[AnswerSource, ...]:
    """The hits as sources, numbered from 1 in their order."""
    return tuple(AnswerSource(number, hit.id, hit.fqn, hit.breadcrumb, hit.place) for number, hit in enumerate(hits, 1))


def evidence(hits: Sequence[Hit], budget: int) -> list[str]:
    """A block for each of the first hits that fit into `budget` tokens; none where not even the first fits."""
    blocks: list[str] = []
    for number, hit in enumerate(hits, 1):
        block = _block(number, hit)
        budget -= estimate_tokens(block)
        if budget < 0:
            break
        blocks.append(block)
    return blocks


def _block(number: int, hit: Hit) -> str:
    """One source between marks that its own text can't imitate."""
    place = hit.place
    lines = f":{place.first_line}-{place.last_line}" if place.first_line else ""
    head = f'<source number="{number}" place="{place.source}@{place.release} {place.path}{lines}">'
    body = f"{hit.breadcrumb}\n{hit.text}".replace("<source", "< source").replace("</source", "</ source")
    return f"{head}\n{body}\n</source>"
