"""One module a tool: its arguments, one call of the API, and the reply; errors are translated outside."""
