"""`get`: a hit's whole text and its neighbours."""

from typing import Annotated

from mcp.types import CallToolResult
from pydantic import Field

from onec_rag_client.language import text
from onec_rag_client.mcp.arguments import Release
from onec_rag_client.mcp.replies import Reply, hit_text, hit_value, one_line, reply
from onec_rag_client.mcp.service import service
from onec_rag_client.places import lines_of
from onec_rag_client.results import Neighbour


def get(
    id: Annotated[str, Field(description=text("mcp.id"))],
    neighbours: Annotated[int, Field(ge=0, le=20, description=text("mcp.neighbours"))] = 1,
    release: Release = None,
) -> CallToolResult:
    """All parts of a long procedure are one text."""
    with service() as api:
        found = api.hit(id, release=release or None, neighbours=neighbours)
    hit = hit_value(found["hit"], found["hit"]["text"])
    before, after = ([_neighbour_value(item) for item in found[side]] for side in ("before", "after"))
    blocks = [
        hit_text(hit),
        *_neighbour_block(text("mcp.before"), before),
        *_neighbour_block(text("mcp.after"), after),
    ]
    return reply("\n\n".join(blocks), {**hit, "before": before, "after": after})


def _neighbour_value(item: Neighbour) -> Reply:
    name = item["fqn"] or item["symbol"] or one_line(item["breadcrumb"])
    return {"id": item["id"], "name": name, "lines": lines_of(item["first_line"], item["last_line"])}


def _neighbour_block(title: str, items: list[Reply]) -> list[str]:
    rows = (" · ".join(filter(None, (item["name"], item["lines"], f"id {item['id']}"))) for item in items)
    return ["\n".join((title, *rows))] if items else []
