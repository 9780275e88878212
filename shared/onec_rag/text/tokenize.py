"""Text → terms: one tokenizer for indexing and for search.

A term is an exact word (`реквизитов`, `зарплатаикадры`), a dotted pair (`общегоназначения.значение`), a thing kept
whole (`3.1.12.238`, a GUID, `&наклиенте`, `#если`), or a stem, marked by a leading `~` (`~реквизит`) so that an exact
word and its stem can be weighted apart. Stems are those of snowball (Russian for Cyrillic, English for Latin words).
"""

import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

VERSION = 1
"""Raised when the terms of a text change: chunks are then stored again (not embedded again)."""

STEM_MARK = "~"
LONGEST_TERM = 120
"""Characters; the longest identifier of real configurations has 103."""

_TOKEN = re.compile(
    r"""
      [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}      # a GUID
    | \d+(?:\.\d+){2,}                                 # a version
    | [&\#]\ ?[^\W\d_]\w*                              # a directive
    | [^\W\d]\w*(?:\.[^\W\d]\w*)*                      # a name, dotted or not
    | \d+
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HUMP = re.compile(r"[A-ZА-ЯЁ]+(?![a-zа-яё])|[A-ZА-ЯЁ]?[a-zа-яё]+|\d+|[^\W\d_]+")
# Snowball takes their end for that of a verb, so that the singular would miss the plural (реквиз, реквизиты).
_NOUNS = frozenset(
    ("реквизит", "кредит", "дебит", "лимит", "депозит", "аудит", "визит", "транзит", "дефицит", "профицит", "алфавит")
)
_RUSSIAN = snowballstemmer.stemmer("russian")
_ENGLISH = snowballstemmer.stemmer("english")


def normalize(text: str) -> str:
    """NFC, lower case, ё as е: what two spellings of one word have in common."""
    return unicodedata.normalize("NFC", text).lower().replace("ё", "е")


def terms_of(text: str) -> Iterator[str]:
    """The terms of a text in order of appearance, repeated as often as they occur."""
    for match in _TOKEN.finditer(unicodedata.normalize("NFC", text)):
        yield from token_terms(match.group())


@lru_cache(maxsize=200_000)
def token_terms(token: str) -> tuple[str, ...]:
    """The terms of one token of the text.

    A dotted name gives its parts and each pair of neighbours; a compound (CamelCase, snake_case, digits) itself
    and its parts; each part its stem. A text that is already NFC is expected.
    """
    if token[0] in "&#":
        name = token[1:].lstrip()
        return (token[0] + normalize(name), *word_terms(name))
    if "." in token and not token[0].isdigit():
        parts = token.split(".")
        terms = [term for part in parts for term in word_terms(part)]
        words = [normalize(part)[:LONGEST_TERM] for part in parts]
        terms.extend(f"{left}.{right}" for left, right in itertools.pairwise(words))
        return tuple(terms)
    if "-" in token or token[0].isdigit():
        return (normalize(token)[:LONGEST_TERM],)
    return word_terms(token)


@lru_cache(maxsize=200_000)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one identifier: itself, the parts of a compound, and the stems of the parts."""
    whole = normalize(word)[:LONGEST_TERM]
    parts = [normalize(part) for part in _HUMP.findall(word)]
    if len(parts) < 2:
        return (whole, stem(parts[0] if parts else whole))
    terms = [whole]
    for part in parts:
        if part.isdigit():
            terms.append(part)
        elif len(part) > 1:
            terms += (part, stem(part))
    return tuple(terms)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The marked stem of a normalized word."""
    if word in _NOUNS:
        return STEM_MARK + word
    stemmer = _ENGLISH if word.isascii() else _RUSSIAN
    return STEM_MARK + str(stemmer.stemWord(word))[:LONGEST_TERM]
