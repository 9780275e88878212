"""Rerankers, one module each: candidates → scores; what brings candidates up does not belong here."""
