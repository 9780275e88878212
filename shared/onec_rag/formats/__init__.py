"""Bytes of one file → a `Document`, one module or folder per format; no storage, no network, no chunking."""
