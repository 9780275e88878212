"""Documents → rows to compare and store: keys, terms and their frequencies, outlines, names."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from uuid import UUID

from onec_rag.indexing.base import PIPELINE
from onec_rag.model.chunk import Chunk
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import ADOPTED, BELONGING, MetadataObject, title_of, walk_fields
from onec_rag.model.rows import ChunkRow, DocumentRow, MembershipRow, NameRow, synonyms_json
from onec_rag.text.budget import estimate_tokens
from onec_rag.text.tokenize import terms_of

SHORT_KEY = 12
"""Hex digits of a row key in an outline: 48 bits tell the chunks of one document apart."""


def document_id(root: str, path: str) -> int:
    """A document's number: the same in every release, 63 bits of SHA-256 over root key and path."""
    digest = hashlib.sha256(f"{root}\0{path}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def document_row(
    row_id: int, root: str, data: bytes, document: Document, chunks: Iterable[Chunk], *, adopted: bool = False
) -> DocumentRow:
    """A document with its chunks as rows."""
    rows, seen = [], dict[UUID, int]()
    for chunk in map(storable, chunks):
        base = _row_key(row_id, chunk, 0)
        ordinal = seen[base] = seen.get(base, -1) + 1
        rows.append(_chunk_row(chunk, base if not ordinal else _row_key(row_id, chunk, ordinal)))
    places = {
        row.row_key.hex[:SHORT_KEY]: (row.chunk.first_line, row.chunk.last_line) for row in rows if row.chunk.first_line
    }
    return DocumentRow(
        id=row_id,
        root=root,
        path=document.path,
        kind=document.kind,
        fqn=document.fqn,
        title=document.title,
        section=document.section,
        adopted=adopted,
        file_hash=_hash(data),
        outline_hash=_hash(json.dumps(places, sort_keys=True).encode()),
        places=places,
        chunks=tuple(rows),
    )


def storable(chunk: Chunk) -> Chunk:
    """The chunk without what a database text can't hold: NUL and lone surrogates."""
    texts = (chunk.fqn, chunk.symbol, chunk.breadcrumb, chunk.text, chunk.title, chunk.doc)
    clean = tuple(text.replace("\0", " ").encode("utf-8", "replace").decode() for text in texts)
    if clean == texts:
        return chunk
    fqn, symbol, breadcrumb, text, title, doc = clean
    return Chunk(chunk.kind, fqn, symbol, breadcrumb, text, chunk.first_line, chunk.last_line, title, doc, chunk.facets)


def name_rows(row_id: int, root: str, document: Document, owner: MetadataObject) -> Iterator[NameRow]:
    """The object and its fields as entries of the dictionary; of a part of an object the fields alone."""
    seen = {owner.fqn}
    if document.kind is DocumentKind.OBJECT:
        synonyms = synonyms_json(owner.synonyms)
        yield NameRow(row_id, root, owner.fqn, owner.kind, owner.title, synonyms, owner.adopted)
    for fqn, item in walk_fields(owner):
        if fqn not in seen and item.kind != "Property":  # those of XDTO packages would be most of the dictionary
            seen.add(fqn)
            title, synonyms = title_of(item.synonyms, item.name), synonyms_json(item.synonyms)
            yield NameRow(row_id, root, fqn, item.kind, title, synonyms, item.properties.get(BELONGING) == ADOPTED)


def membership_rows(row_id: int, owner: MetadataObject) -> Iterator[MembershipRow]:
    """What the object declares about others."""
    for link in dict.fromkeys(owner.links):
        yield MembershipRow(row_id, owner.fqn, link.relation, link.target)


def _chunk_row(chunk: Chunk, row_key: UUID) -> ChunkRow:
    terms, length = _term_frequencies(chunk)
    text = chunk.embedded_text
    return ChunkRow(chunk, row_key, _hash(text.encode()), terms, length, estimate_tokens(text))


def _row_key(row_id: int, chunk: Chunk, ordinal: int) -> UUID:
    facets = json.dumps(dict(chunk.facets), sort_keys=True, ensure_ascii=False)
    parts = (
        str(row_id), str(PIPELINE), str(ordinal), chunk.kind, chunk.fqn, chunk.symbol, chunk.breadcrumb, chunk.text,
        chunk.title, chunk.doc, facets,
    )  # fmt: skip
    return _hash("\0".join(parts).encode())


def _term_frequencies(chunk: Chunk) -> tuple[dict[str, str], int]:
    """Each term's counts in body, doc comment, title and name, and the number of terms in all of them."""
    fields = (chunk.text, chunk.doc, f"{chunk.title} {chunk.breadcrumb}", f"{chunk.symbol} {chunk.fqn}")
    counts: dict[str, list[int]] = {}
    length = 0
    for number, text in enumerate(fields):
        for term in terms_of(text):
            length += 1
            row = counts.get(term)
            if row is None:
                row = counts[term] = [0, 0, 0, 0]
            row[number] += 1
    return {term: _compact(row) for term, row in counts.items()}, length


def _compact(row: list[int]) -> str:
    body, doc, title, name = row
    if not (doc or title or name):
        return str(body)
    return ",".join(map(str, row)).removesuffix(",0").removesuffix(",0")


def _hash(data: bytes) -> UUID:
    return UUID(bytes=hashlib.sha256(data).digest()[:16])
