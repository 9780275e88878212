"""`search`: hits with their places and the beginnings of their texts."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from onec_rag_client import results
from onec_rag_client.language import text
from onec_rag_client.mcp.arguments import Belonging, Kinds, Mode, Release, SourceNames
from onec_rag_client.mcp.replies import hit_text, hit_value, reply, warning_lines
from onec_rag_client.mcp.service import service

SHOWN = 600
"""Characters of a hit's text; `get` gives the whole."""


def search(
    query: Annotated[str, Field(description=text("mcp.query"))],
    mode: Mode = results.Mode.HYBRID,
    sources: SourceNames = None,
    release: Release = None,
    kinds: Kinds = None,
    under: Annotated[str | None, Field(description=text("mcp.under"))] = None,
    sections: Annotated[list[str] | None, Field(description=text("mcp.sections"))] = None,
    belonging: Belonging = None,
    limit: Annotated[int, Field(ge=1, le=50, description=text("mcp.limit"))] = 10,
) -> CallToolResult:
    """Hits, best first; none is an answer, with advice."""
    with service() as api:
        found = api.search(
            query, mode=mode, limit=limit, sources=sources or (), release=release or None, kinds=kinds or (),
            fqn_prefix=under or None, sections=sections or (), belonging=belonging,
        )  # fmt: skip
    hits = [hit_value(hit, beginning(hit["text"])) for hit in found["hits"]]
    warnings = [*found["warnings"], *([] if hits else [text("mcp.nothing")])]
    blocks = [f"{number}. {hit_text(hit)}" for number, hit in enumerate(hits, 1)]
    return reply(
        "\n\n".join([*blocks, *warning_lines(warnings)]),
        {"hits": hits, "mode": found["mode"], "warnings": warnings},
    )


def beginning(content: str) -> str:
    """At most `SHOWN` characters, cut at the end of a line where there is one not far before."""
    if len(content) <= SHOWN:
        return content
    end = content.rfind("\n", SHOWN // 2, SHOWN)
    return content[: end if end > 0 else SHOWN - 1].rstrip() + "…"
