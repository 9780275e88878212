"""Hits → an answer in words whose every point cites a source; finding the hits belongs to retrieval."""
