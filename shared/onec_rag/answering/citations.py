"""A model's text → checked key points: each one cites sources that exist."""

import json
from collections.abc import Mapping
from typing import Any

from onec_rag.model.answer import KeyPoint

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["answer", "key_points"],
    "properties": {
        "answer": {"type": "string"},
        "key_points": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["text", "sources"],
                "properties": {
                    "text": {"type": "string"},
                    "sources": {"type": "array", "items": {"type": "integer"}},
                },
            },
        },
    },
}


def parse(text: str) -> tuple[str, list[tuple[str, list[Any]]]] | None:
    """(answer, points with what they cite) of a model's text; None where it is not the JSON that was asked for.

    Words or a code fence around one whole JSON object are tolerated; a cut or repaired object is not.
    """
    start = text.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start) if start >= 0 else (None, 0)
    except ValueError:
        return None
    if not isinstance(found, dict) or not isinstance(found.get("answer"), str) or not found["answer"].strip():
        return None
    points = found.get("key_points", [])
    if not isinstance(points, list):
        return None
    rows = [
        (point["text"], point["sources"])
        for point in points
        if isinstance(point, dict) and isinstance(point.get("text"), str) and isinstance(point.get("sources"), list)
    ]
    return found["answer"].strip(), rows


def cited(points: list[tuple[str, list[Any]]], sources: int) -> tuple[KeyPoint, ...]:
    """The points that cite at least one of the sources 1 to `sources`; numbers of no source are left out."""
    kept = []
    for text, numbers in points:
        real = tuple(dict.fromkeys(n for n in numbers if type(n) is int and 1 <= n <= sources))
        if real and text.strip():
            kept.append(KeyPoint(text.strip(), real))
    return tuple(kept)
