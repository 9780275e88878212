"""Where the service is, which key opens it, and the user's language: the only reader of the environment."""

import json
import locale
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from onec_rag_client.errors import SettingsInvalid

DEFAULT_URL = "http://127.0.0.1:8080"

Language = Literal["ru", "en"]


@dataclass(frozen=True, slots=True)
class Settings:
    """Address of the API, and the key that is sent with every call (empty: none)."""

    url: str
    key: str = field(repr=False)


def read_settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """`ONEC_RAG_URL` and `ONEC_RAG_API_KEY`, else what the local stack left in `client.json` of its data folder.

    The file's key is for the file's address: it is not sent to another one.

    Raises:
        SettingsInvalid: `client.json` can't be read.
    """
    url = environment.get("ONEC_RAG_URL", "").strip()
    key = environment.get("ONEC_RAG_API_KEY", "").strip()
    if url and key:
        return Settings(url, key)
    known = _read_client_file(Path(environment.get("ONEC_RAG_DATA") or ".onec-rag") / "client.json")
    if not key and url.rstrip("/") in ("", known.url.rstrip("/")):
        key = known.key
    return Settings(url or known.url, key)


def read_language(environment: Mapping[str, str] = os.environ) -> Language:
    """`ONEC_RAG_LANG`, else the locale: Russian or English."""
    for name in ("ONEC_RAG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return _language(environment[name])
    return _language(locale.getlocale()[0] or "")  # Windows sets none of them


def _language(name: str) -> Language:
    return "ru" if name.lower().startswith("ru") else "en"


def _read_client_file(path: Path) -> Settings:
    try:
        content = json.loads(path.read_text("utf-8-sig"))
        return Settings(str(content["url"]), str(content["key"]))
    except FileNotFoundError:
        return Settings(DEFAULT_URL, "")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SettingsInvalid(f"{path}: {type(error).__name__}: {error}") from error
