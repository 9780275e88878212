"""Documents, chunks, names and memberships of a release: the difference against the head, written.

A row stays when it is there again, is closed when it is gone, and is inserted when it is new. Every function works on
the documents of one task; the release is the source's one load, so open rows below its number are the head's.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from onec_rag.model.rows import ChunkRow, DocumentRow, KnownName, MembershipRow, NameRow, synonyms_json
from onec_rag.model.tasks import Release
from onec_rag.store.database import Connection
from onec_rag.store.queries import query, shard_query

_CHUNK_COLUMNS = (
    "shard", "source_id", "row_key", "document_id", "kind", "fqn", "symbol", "breadcrumb", "text", "facets",
    "embed_hash", "tokens", "length", "terms", "added_in",
)  # fmt: skip


def read_names(connection: Connection, release: Release, fqns: Iterable[str]) -> list[KnownName]:
    """What this release will show under these FQNs, in every root that knows them."""
    rows = connection.execute(query("read_names"), _place(release) | {"fqns": sorted(set(fqns))}).fetchall()
    return [KnownName(**row) for row in rows]


def read_relations(connection: Connection, release: Release, fqns: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """What other things declare about these: FQN → (relation, FQN of the one that declares it)."""
    found: dict[str, list[tuple[str, str]]] = {}
    place = _place(release) | {"fqns": sorted(set(fqns))}
    for row in connection.execute(query("read_inverse_memberships"), place).fetchall():
        found.setdefault(row["other_fqn"], []).append((row["relation"], row["fqn"]))
    return found


def write_documents(
    connection: Connection,
    release: Release,
    upload_id: str,
    rows: Sequence[DocumentRow],
    unreadable: Sequence[int],
    gone: Sequence[int],
) -> tuple[int, int, int]:
    """Stores the documents of a task; returns how many chunks are (new, kept, closed).

    `unreadable` are ids whose file could not be read: what the head has of them stays and is marked stale. `gone`
    are ids whose file holds nothing any more: what the head has of them is closed.
    """
    ids = [row.id for row in rows]
    place = _place(release)
    known = {} if release.first_load else {
        row["id"]: row for row in connection.execute(query("open_documents"), place | {"ids": ids}).fetchall()
    }  # fmt: skip
    changed = [row for row in rows if _document_differs(row, known.get(row.id))]
    closing = [*gone, *(row.id for row in changed if row.id in known)]
    if closing:
        connection.execute(query("close_documents"), place | {"ids": closing})
    if unreadable:
        connection.execute(query("mark_documents_stale"), place | {"ids": list(unreadable)})
    _insert_documents(connection, release, changed)
    return _write_chunks(connection, release, upload_id, rows, [*ids, *gone])


def close_documents(connection: Connection, release: Release, upload_id: str, ids: Sequence[int]) -> None:
    """Closes the chunks of documents that the upload no longer holds."""
    if ids:
        _write_chunks(connection, release, upload_id, [], ids)


def close_missing_names(connection: Connection, release: Release, upload_id: str) -> None:
    """Closes what documents that the upload no longer holds have declared, before the other documents read it."""
    if not release.first_load:
        place = _place(release) | {"upload_id": upload_id}
        connection.execute(query("close_missing_names"), place)
        connection.execute(query("close_missing_memberships"), place)


def write_names(
    connection: Connection,
    release: Release,
    document_ids: Sequence[int],
    names: Sequence[NameRow],
    memberships: Sequence[MembershipRow],
) -> None:
    """Stores the dictionary entries and relations that the given documents declare."""
    place = _place(release)
    asked = place | {"ids": list(document_ids)}
    head_names = [
        NameRow(**{**row, "synonyms": synonyms_json(row["synonyms"])})
        for row in connection.execute(query("open_names"), asked).fetchall()
    ]
    head_links = [MembershipRow(**row) for row in connection.execute(query("open_memberships"), asked).fetchall()]
    old_names, new_names = set(head_names) - set(names), set(names) - set(head_names)
    old_links, new_links = set(head_links) - set(memberships), set(memberships) - set(head_links)
    if old_names:
        documents, fqns = zip(*((row.document_id, row.fqn) for row in old_names), strict=True)
        connection.execute(query("close_names"), place | {"document_ids": list(documents), "fqns": list(fqns)})
    if old_links:
        documents, fqns, relations, others = zip(*map(astuple, old_links), strict=True)
        connection.execute(
            query("close_memberships"),
            place | {"document_ids": list(documents), "fqns": list(fqns), "relations": list(relations),
                     "others": list(others)},
        )  # fmt: skip
    _insert(
        connection,
        "name",
        ("source_id", "document_id", "root", "fqn", "kind", "title", "synonyms", "adopted", "added_in"),
        ((release.source_id, *astuple(row), release.no) for row in sorted(new_names, key=astuple)),
    )  # fmt: skip
    _insert(
        connection,
        "membership", ("source_id", "document_id", "fqn", "relation", "other_fqn", "added_in"),
        ((release.source_id, *astuple(row), release.no) for row in sorted(new_links, key=astuple)),
    )  # fmt: skip


def _write_chunks(
    connection: Connection, release: Release, upload_id: str, rows: Sequence[DocumentRow], ids: Sequence[int]
) -> tuple[int, int, int]:
    head: dict[Any, int] = {}
    if not release.first_load:
        open_rows = connection.execute(
            shard_query("open_chunks", release.shard), _place(release) | {"ids": list(ids)}
        ).fetchall()
        head = {row["row_key"]: row["id"] for row in open_rows}
    fresh = [(row, chunk) for row in rows for chunk in row.chunks if chunk.row_key not in head]
    here = {chunk.row_key for row in rows for chunk in row.chunks}
    closed = [chunk_id for key, chunk_id in head.items() if key not in here]
    if closed:
        connection.execute(
            shard_query("close_chunks", release.shard), _place(release) | {"ids": closed, "upload_id": upload_id}
        )
    _copy(
        connection, f"chunk_{release.shard}", _CHUNK_COLUMNS,
        (_chunk_values(release, row, chunk) for row, chunk in fresh),
    )  # fmt: skip
    words = Counter(word for _, chunk in fresh for word in chunk.terms)
    _copy(
        connection, "word_of_task", ("upload_id", "word", "documents"),
        ((upload_id, word, count) for word, count in words.items()),
    )  # fmt: skip
    return len(fresh), len(here) - len(fresh), len(closed)


def _chunk_values(release: Release, row: DocumentRow, stored: ChunkRow) -> tuple[Any, ...]:
    chunk = stored.chunk
    return (
        release.shard, release.source_id, stored.row_key, row.id, chunk.kind, chunk.fqn, chunk.symbol,
        chunk.breadcrumb, chunk.text, Jsonb(dict(chunk.facets)), stored.embed_hash, stored.tokens, stored.length,
        _hstore(stored.terms), release.no,
    )  # fmt: skip


def _insert_documents(connection: Connection, release: Release, rows: Sequence[DocumentRow]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            query("insert_outline"),
            [{"hash": row.outline_hash, "places": Jsonb(dict(row.places))} for row in rows if row.places],
        )
    _insert(
        connection,
        "document",
        (
            "source_id", "id", "root", "path", "kind", "fqn", "title", "section", "adopted", "file_hash",
            "outline_hash", "added_in",
        ),
        (
            (release.source_id, row.id, row.root, row.path, row.kind, row.fqn, row.title, row.section, row.adopted,
             row.file_hash, row.outline_hash, release.no)
            for row in rows
        ),
    )  # fmt: skip


def _document_differs(row: DocumentRow, head: Mapping[str, Any] | None) -> bool:
    if head is None or head["stale_since"] is not None:
        return True
    compared = ("root", "path", "kind", "fqn", "title", "section", "adopted", "file_hash", "outline_hash")
    return any(getattr(row, name) != head[name] for name in compared)


def _copy(connection: Connection, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _insert(connection: Connection, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Into a table with row-level security, which COPY does not serve."""
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(sql.Placeholder() * len(columns)),
    )
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(rows))


def _hstore(terms: Mapping[str, str]) -> str:
    """The text form of an hstore; terms hold letters, digits and a few signs, never a quote or a backslash."""
    return ",".join(f'"{term}"=>"{frequencies}"' for term, frequencies in terms.items())


def _place(release: Release) -> dict[str, Any]:
    return {"source_id": release.source_id, "no": release.no}
