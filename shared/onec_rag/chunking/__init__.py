"""A `Document` → its chunks, cut to the embedding model's window; no bytes are read and nothing is stored here."""
