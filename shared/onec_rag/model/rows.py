"""What a task hands to the store: documents with their chunks, made ready for comparison with the head."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from onec_rag.model.chunk import Chunk


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk with what is computed from it.

    `row_key` names document and content, `embed_hash` the embedded text: both SHA-256, cut to 128 bits. `terms`
    maps each term to its frequencies by field, most frequent field first: `body,doc,title,name` with trailing
    zeros left out. `length` is the number of terms, `tokens` an upper estimate for the embedding model.
    """

    chunk: Chunk
    row_key: UUID
    embed_hash: UUID
    terms: Mapping[str, str]
    length: int
    tokens: int


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document of a task with its chunks; `places` maps the short row key of a chunk to its lines.

    `adopted` says that an extension has taken over what the document describes or belongs to.
    """

    id: int
    root: str
    path: str
    kind: str
    fqn: str
    title: str
    section: str
    adopted: bool
    file_hash: UUID
    outline_hash: UUID
    places: Mapping[str, tuple[int, int]]
    chunks: tuple[ChunkRow, ...]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of the dictionary; `synonyms` is JSON with sorted keys."""

    document_id: int
    root: str
    fqn: str
    kind: str
    title: str
    synonyms: str
    adopted: bool = False


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name as a reader of the release finds it: what a root calls the thing, and whether it was taken over."""

    root: str
    fqn: str
    title: str
    adopted: bool


@dataclass(frozen=True, slots=True)
class MembershipRow:
    """A declared relation of one thing to another."""

    document_id: int
    fqn: str
    relation: str
    other_fqn: str


def synonyms_json(synonyms: Mapping[str, str]) -> str:
    """The one spelling of synonyms, so that equal ones compare equal."""
    return json.dumps(dict(synonyms), ensure_ascii=False, sort_keys=True)
