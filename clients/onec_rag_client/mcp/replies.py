"""What a tool answers, as text and as an object.

Both say the same: some agents hand their model the text, others (Claude Code, VS Code, Codex) the object alone.
"""

from typing import Any

from mcp.types import CallToolResult, TextContent

from onec_rag_client.language import text
from onec_rag_client.places import place_of
from onec_rag_client.results import Hit, Place

Reply = dict[str, Any]


def reply(content: str, value: Reply) -> CallToolResult:
    """A result of both."""
    return CallToolResult(content=[TextContent(type="text", text=content)], structured_content=value)


def place_value(place: Place) -> Reply:
    """A place in few words: `path:first-last`, and what a later call may be limited to."""
    return {"place": place_of(place), "source": place["source"], "release": place["release"]}


def hit_value(hit: Hit, content: str) -> Reply:
    """A hit with that text of it; `name` is the FQN, or the title of a page."""
    value = {"id": hit["id"], "kind": hit["kind"], "name": hit["fqn"] or hit["title"] or hit["symbol"]}
    value |= {**place_value(hit["place"]), "breadcrumb": one_line(hit["breadcrumb"]), "text": content}
    return value | ({"stale": text("search.stale")} if hit["stale"] else {})


def hit_text(value: Reply) -> str:
    """The same as lines: name, kind and id; place; breadcrumb; text."""
    head = "{name} · {kind} · id {id}\n{place} · {source}@{release}".format_map(value)
    return "\n".join(filter(None, (head, value["breadcrumb"], value.get("stale"), value["text"])))


def warning_lines(warnings: list[str]) -> list[str]:
    """Each warning as a line."""
    return [text("search.warning", warning=warning) for warning in warnings]


def one_line(value: str) -> str:
    """A breadcrumb without its line breaks."""
    return " ".join(value.split("\n"))
