"""What a reader of a release sees, row by row, without the numbers that differ from load to load."""

import re
from typing import Any

from integration.service import Service

_QUERIES = {
    "documents": """
        SELECT root, path, kind, fqn, title, section, file_hash, coalesce(stale_since <= %(no)s, false) AS stale
        FROM document AS d WHERE source_id = %(source)s AND visible(d)""",
    "chunks": """
        SELECT d.path, c.row_key, c.kind, c.fqn, c.symbol, c.breadcrumb, c.text, c.facets::text, c.embed_hash, c.tokens,
            c.length, c.terms::text, o.places -> left(replace(c.row_key::text, '-', ''), 12) AS lines
        FROM chunk AS c
        JOIN document AS d ON d.source_id = c.source_id AND d.id = c.document_id AND visible(d)
        LEFT JOIN outline AS o ON o.hash = d.outline_hash
        WHERE c.source_id = %(source)s AND visible(c)""",
    "names": "SELECT fqn, kind, title, synonyms::text FROM name AS n WHERE source_id = %(source)s AND visible(n)",
    "memberships": "SELECT fqn, relation, other_fqn FROM membership AS m WHERE source_id = %(source)s AND visible(m)",
    "words": """
        SELECT word, sum(documents)::int AS documents FROM word
        WHERE source_id = %(source)s AND release_no <= %(no)s GROUP BY word HAVING sum(documents) <> 0""",
    "totals": "SELECT chunks, length FROM release WHERE source_id = %(source)s AND no = %(no)s",
}
_VISIBLE = r"\1.added_in <= %(no)s AND (\1.removed_in IS NULL OR \1.removed_in > %(no)s)"

Seen = dict[str, list[tuple[Any, ...]]]


def visible(service: Service, source: str, release: int | None = None) -> Seen:
    """The rows of each kind that release (none: the current one) shows, sorted."""
    ((source_id, current),) = (
        row.values() for row in service.rows("SELECT id, current_release FROM source WHERE name = %s", source)
    )
    place = {"source": source_id, "no": release or current}
    seen: Seen = {}
    for kind, statement in _QUERIES.items():
        spelled_out = re.sub(r"visible\((\w)\)", _VISIBLE, statement)
        rows = service.superuser.execute(spelled_out.encode(), place).fetchall()
        seen[kind] = sorted(tuple(map(str, row.values())) for row in rows)
    return seen


def versions(service: Service, table: str, source: str) -> dict[tuple[int, ...], str]:
    """The transaction that last wrote each row of a table, by the row's key."""
    key = "id, added_in" if table in ("chunk", "document") else "document_id, hashtext(fqn), added_in"
    statement = f"SELECT {key}, xmin::text FROM {table} WHERE source_id = (SELECT id FROM source WHERE name = %s)"  # noqa: S608
    rows = service.rows(statement, source)
    return {tuple(value for name, value in row.items() if name != "xmin"): row["xmin"] for row in rows}


def row_counts(service: Service) -> dict[str, int]:
    """How many rows each table has."""
    tables = [row["name"] for row in service.rows(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
    )]  # fmt: skip
    return {table: service.value(f"SELECT count(*) FROM {table}") for table in tables}  # noqa: S608
