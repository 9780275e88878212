"""The local embedding endpoint, multilingual-e5-small over the OpenAI protocol; what knows 1C does not belong."""
