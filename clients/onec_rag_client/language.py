"""What the user reads, in Russian or English."""

from collections.abc import Mapping
from typing import Any

from onec_rag_client.settings import Language, read_language
from onec_rag_client.texts_en import TEXTS_EN
from onec_rag_client.texts_ru import TEXTS_RU

TEXTS: Mapping[Language, Mapping[str, str]] = {"ru": TEXTS_RU, "en": TEXTS_EN}
LANGUAGE: Language = read_language()
"""Taken once: help texts are put together when the commands are imported."""


def text(key: str, **values: Any) -> str:
    """The text of that key in the user's language, with its placeholders filled in."""
    return TEXTS[LANGUAGE][key].format_map(values)
