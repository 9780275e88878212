"""The program `onec-rag-mcp`: an MCP server over stdin and stdout."""

import argparse
import signal
from importlib.metadata import version

from mcp.server import MCPServer

from onec_rag_client.language import text
from onec_rag_client.mcp.declaration import declare
from onec_rag_client.mcp.tools.answer import answer
from onec_rag_client.mcp.tools.get import get
from onec_rag_client.mcp.tools.search import search
from onec_rag_client.mcp.tools.sources import sources
from onec_rag_client.streams import speak_utf8


def create_server() -> MCPServer[dict[str, object]]:
    """The server with its tools; what it logs goes to stderr, warnings and worse."""
    tools = [
        declare(search, text("mcp.search")),
        declare(get, text("mcp.get")),
        declare(answer, text("mcp.answer")),
        declare(sources, text("mcp.sources")),
    ]
    return MCPServer(
        "onec-rag",
        version=version("onec-rag"),
        instructions=text("mcp.instructions"),
        tools=tools,
        log_level="WARNING",
    )


def run() -> None:
    """The entry point of `onec-rag-mcp`; serves until stdin ends."""
    speak_utf8()
    parser = argparse.ArgumentParser("onec-rag-mcp", description=text("mcp.program"), epilog=text("app.settings"))
    parser.add_argument("--version", action="version", version=version("onec-rag"), help=text("app.version"))
    parser.parse_args()
    # Nothing is left to tidy up, and Python's own handler would wait for the thread that reads stdin.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    create_server().run("stdio")
