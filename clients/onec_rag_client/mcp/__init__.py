"""The MCP proxy: an agent's tool calls become calls of the API; what the command line needs too is outside."""
