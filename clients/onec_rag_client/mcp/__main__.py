"""`python -m onec_rag_client.mcp`: the MCP server where `onec-rag-mcp` is not on the path."""

from onec_rag_client.mcp.server import run

run()
