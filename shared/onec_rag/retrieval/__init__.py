"""A question → ranked hits with their places; it reads through the store and knows nothing of HTTP."""
