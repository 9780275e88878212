"""`sources`: what is indexed."""

from mcp.types import CallToolResult

from onec_rag_client.language import text
from onec_rag_client.mcp.replies import Reply, reply
from onec_rag_client.mcp.service import service
from onec_rag_client.results import Source


def sources() -> CallToolResult:
    """The sources that the key may see, each in its current release; one that is loading has none yet."""
    with service() as api:
        found = api.sources()
    values = [_source_value(source) for source in found]
    warnings = [] if values else [text("sources.empty")]
    return reply("\n".join([*map(_source_text, values), *warnings]), {"sources": values, "warnings": warnings})


def _source_value(source: Source) -> Reply:
    number = source["release"]
    value: Reply = {name: source[name] for name in ("name", "kind", "title", "chunks", "coverage")}
    value["release"] = source["label"] or (str(number) if number else None)
    return value | ({"vector_problem": source["vector_problem"]} if source["vector_problem"] else {})


def _source_text(value: Reply) -> str:
    name = f"{value['name']}@{value['release']}" if value["release"] else value["name"]
    vectors = text("mcp.vectors", percent=int(value["coverage"] * 100))
    chunks = f"{text('row.chunks')}: {value['chunks']}"
    return " · ".join(filter(None, (name, value["kind"], value["title"], chunks, vectors, value.get("vector_problem"))))
