"""`answer`: an answer in words with numbered sources."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from onec_rag_client.language import LANGUAGE, text
from onec_rag_client.mcp.arguments import Release, SourceNames
from onec_rag_client.mcp.replies import Reply, one_line, place_value, reply, warning_lines
from onec_rag_client.mcp.service import service
from onec_rag_client.results import AnswerSource


def answer(
    question: Annotated[str, Field(description=text("mcp.question"))],
    sources: SourceNames = None,
    release: Release = None,
    limit: Annotated[int, Field(ge=1, le=30, description=text("mcp.limit"))] = 10,
) -> CallToolResult:
    """The answer, or the sources alone where no model has spoken; `postprocess_used` tells which."""
    with service() as api:
        found = api.answer(question, sources=sources or (), release=release or None, limit=limit, language=LANGUAGE)
    evidence = [_source_value(item) for item in found["sources"]]
    points = [
        f"- {point['text']} {''.join(f'[{number}]' for number in point['sources'])}" for point in found["key_points"]
    ]
    rows = ["[{number}] {name} · {place} · {source}@{release} · id {id}".format_map(item) for item in evidence]
    parts = ([found["answer"] or text("ask.none")], points, rows, warning_lines(found["warnings"]))
    kept = {name: found[name] for name in ("answer", "key_points", "warnings", "postprocess_used")}
    return reply("\n\n".join("\n".join(part) for part in parts if part), {**kept, "sources": evidence})


def _source_value(item: AnswerSource) -> Reply:
    name = item["fqn"] or one_line(item["breadcrumb"])
    return {"number": item["number"], "id": item["id"], "name": name, **place_value(item["place"])}
