"""The words of index and query, the same for both, and how many tokens a text costs; nothing here stores or ranks."""
