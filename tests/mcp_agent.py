"""An agent: the MCP SDK's own client, with `onec-rag-mcp` as its process."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, TextContent

SERVER = (sys.executable, "-m", "onec_rag_client.mcp")


@dataclass(frozen=True, slots=True)
class Agent:
    """A connected client."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.portal.call(self.client.call_tool, tool, arguments)

    def tools(self) -> dict[str, dict[str, Any]]:
        """The manifest by name, as it stands on the wire."""
        listed = self.portal.call(self.client.list_tools)
        return {tool.name: tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools}


@contextmanager
def connected(
    environment: dict[str, str], folder: Path, command: Sequence[str] = SERVER, mode: str = "auto"
) -> Iterator[Agent]:
    """An agent whose server runs in that folder; `mode` is `auto`, or `legacy` for the handshake before 2026."""
    program = StdioServerParameters(command=command[0], args=list(command[1:]), env=environment, cwd=folder)
    with start_blocking_portal() as portal:
        session = portal.wrap_async_context_manager(Client(program, mode=mode))
        client = session.__enter__()
        try:
            yield Agent(portal, client)
        finally:
            session.__exit__(None, None, None)  # a failed assertion stays what it is, outside the SDK's task groups


def said(result: CallToolResult) -> str:
    """The text of a result."""
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text
