"""The command line: one module a command, to ask the API and show its answer; what MCP needs too is outside."""

from onec_rag_client.cli.app import run

__all__ = ["run"]
