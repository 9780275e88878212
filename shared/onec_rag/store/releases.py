"""Sources and their releases: begin one, activate it, undo it; list them, go back to an old one."""

from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb

from onec_rag.errors import InvalidRequest, NotFound, PermanentError
from onec_rag.model.tasks import Release
from onec_rag.store.content import close_documents
from onec_rag.store.database import Connection
from onec_rag.store.queries import query, shard_query


def begin_release(
    connection: Connection,
    *,
    source_name: str,
    kind: str,
    title: str,
    label: str,
    upload_id: str,
    roots: Mapping[str, str],
    large: bool,
) -> Release:
    """A new release in state `loading`, and its source where there is none yet.

    A `large` first load gets a shard of its own, created apart, so that COPY meets no index.
    """
    source = _row(connection, "ensure_source", name=source_name, kind=kind, title=title)
    shard = source["shard"]
    if source["head_release"] is None:
        if shard:
            connection.execute(query("drop_unattached_shard"), {"shard": shard})
        if large:
            shard = _row(connection, "give_own_shard", id=source["id"])["shard"]
            connection.execute(query("create_shard"), {"shard": shard})
        else:
            connection.execute(query("share_shard"), {"id": source["id"]})
            shard = 0
    no = _row(
        connection, "insert_release",
        source_id=source["id"], label=label, upload_id=upload_id, roots=Jsonb(dict(roots)),
    )["no"]  # fmt: skip
    return Release(source["id"], no, shard, label, roots, first_load=source["head_release"] is None)


def read_release(connection: Connection, source_id: int, no: int) -> Release:
    return Release(**_row(connection, "read_release", source_id=source_id, no=no))


def activate_release(connection: Connection, release: Release, upload_id: str, counts: Mapping[str, int]) -> bool:
    """Closes what the upload no longer holds, sums the words, attaches the shard and makes the release current.

    False where the release changes nothing against the head under the same label: it is deleted instead.
    """
    place = {"source_id": release.source_id, "no": release.no}
    connection.execute("SET LOCAL work_mem = '64MB'")  # half a million words are summed
    rows = connection.execute(query("close_missing_documents"), {**place, "upload_id": upload_id}).fetchall()
    close_documents(connection, release, upload_id, [row["id"] for row in rows])
    if not release.first_load:
        head = _row(connection, "head_label", source_id=release.source_id)
        changed = _one(connection.execute(shard_query("count_changes", release.shard), place).fetchone())["changed"]
        if not changed and head["label"] == release.label:
            connection.execute(query("forget_words"), {"upload_id": upload_id})
            connection.execute(query("forget_release"), place)
            return False
    connection.execute(query("sum_words"), {**place, "upload_id": upload_id})
    connection.execute(query("forget_words"), {"upload_id": upload_id})
    connection.execute(query("attach_shard"), {"shard": release.shard})
    kinds = connection.execute(shard_query("chunk_kinds", release.shard), place).fetchall()
    totals = _one(connection.execute(shard_query("release_statistics", release.shard), place).fetchone())
    counts = {**counts, **{f"chunks.{row['kind']}": row["total"] for row in kinds}}
    connection.execute(query("make_release_ready"), {**place, **totals, "counts": Jsonb(counts)})
    connection.execute(query("make_release_current"), place)
    return True


def undo_release(connection: Connection, release: Release, upload_id: str) -> None:
    """Takes every trace of a failed release back: what it added goes, what it closed is open again."""
    place = {"source_id": release.source_id, "no": release.no}
    if release.first_load and release.shard:
        connection.execute(query("drop_unattached_shard"), {"shard": release.shard})
    else:
        for name in ("undo_chunks", "reopen_chunks", "undo_vectors"):
            connection.execute(shard_query(name, release.shard), place)
    for name in ("documents", "names", "memberships"):
        connection.execute(query(f"undo_{name}"), place)
        connection.execute(query(f"reopen_{name}"), place)
    connection.execute(query("forget_words"), {"upload_id": upload_id})
    connection.execute(query("fail_release"), place)


def read_releases(connection: Connection, source: str | None = None) -> list[dict[str, Any]]:
    """The releases of one source or of every visible one, newest first, in any state."""
    return connection.execute(query("read_releases"), {"source": source}).fetchall()


def find_release(connection: Connection, source: str, name: str) -> dict[str, Any]:
    """The one release that a number, or else a label, names. A failed release is named by its number alone.

    Raises:
        NotFound: there is none, or the caller may not see it.
        InvalidRequest: several have that label.
    """
    rows = read_releases(connection, source)
    found = [row for row in rows if str(row["release"]) == name] or [
        row for row in rows if row["label"] == name and row["state"] != "failed"
    ]
    if not found:
        raise NotFound(f"release {name} of {source} is not here")
    if len(found) > 1:
        numbers = ", ".join(str(row["release"]) for row in found)
        raise InvalidRequest(f"several releases of {source} are called {name}; name one by its number: {numbers}")
    return found[0]


def activate_old_release(connection: Connection, source_id: int, no: int) -> str | None:
    """Makes a ready release of a source that the caller may see the current one; the head stays what it is.

    None when it is done, else why not: `missing` or `unready`.
    """
    refusal: str | None = _row(connection, "activate_old_release", source_id=source_id, no=no)["refusal"]
    return refusal


def source_kind(connection: Connection, name: str) -> str | None:
    """What a source is; None where there is none of that name, or nothing of it was ever loaded."""
    row = connection.execute(query("source_kind"), {"name": name}).fetchone()
    return row["kind"] if row else None


def head_no(connection: Connection, source_id: int) -> int | None:
    """The number of a source's head release."""
    row = connection.execute(query("head_no"), {"source_id": source_id}).fetchone()
    return row["head_release"] if row else None


def _row(connection: Connection, statement: str, /, **values: Any) -> dict[str, Any]:
    return _one(connection.execute(query(statement), values).fetchone())


def _one(row: dict[str, Any] | None) -> dict[str, Any]:
    if row is None:
        raise PermanentError("the release is not in the database")
    return row
