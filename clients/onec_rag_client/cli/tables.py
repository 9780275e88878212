"""Tables of what the API answers."""

from collections.abc import Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from onec_rag_client.cli.output import moment, number, percent, plain
from onec_rag_client.language import text
from onec_rag_client.results import Problem, Release, Source, Upload

_FOLDED = ("state", "path", "reason")
"""Columns that give way in a narrow terminal; the others are copied or compared."""


def facts_table(rows: Iterable[tuple[str, str]]) -> Table:
    """Names and values; rows without a value are left out. A name is a key of the texts without `row.`."""
    table = Table.grid(padding=(0, 2))
    for key, value in rows:
        if value:
            table.add_row(text(f"row.{key}"), plain(value))
    return table


def upload_rows(upload: Upload) -> list[tuple[str, str]]:
    """Where an upload stands."""
    return [
        ("upload", upload["id"]),
        ("source", upload["source"]),
        ("state", text(f"state.{upload['state']}")),
        ("reason", upload["reason"] or ""),
        ("release", release_name(upload["release"], upload["label"])),
    ]


def count_rows(counts: Mapping[str, int]) -> list[tuple[str, str]]:
    """What a 1C developer counts, of the counts of an upload or a release."""
    chunks = counts.get("chunks_new", 0) + counts.get("chunks_kept", 0)
    rows = {
        "procedures": counts.get("procedures", 0),
        "objects": counts.get("documents.object", 0),
        "help": counts.get("documents.help", 0),
        "pages": counts.get("documents.page", 0),
        "chunks": chunks,
        "chunks_new": counts.get("chunks_new", 0) if chunks else 0,
    }
    return [(key, number(value)) for key, value in rows.items() if value or key == "chunks"]


def release_name(number_in_source: int | None, label: str | None) -> str:
    """`3.1.12.238 (#2)`, or as much of it as is known."""
    ordinal = f"(#{number_in_source})" if number_in_source else ""
    return f"{label or ''} {ordinal}".strip()


def sources_table(sources: Sequence[Source]) -> Table:
    """Sources in their current releases; what fits into 80 columns, `--json` has the rest."""
    table = _table("table.sources", "source", "kind", "release", "procedures", "objects", "chunks", "vectors")
    for source in sources:
        table.add_row(
            plain(source["name"]),
            source["kind"],
            plain(source["label"] or ""),
            number(source["counts"].get("procedures", 0)),
            number(source["counts"].get("documents.object", 0)),
            number(source["chunks"]),
            percent(source["coverage"]),
        )
    return table


def releases_table(releases: Sequence[Release]) -> Table:
    """The releases of a source; what fits into 80 columns, `--json` has the rest."""
    table = _table("table.releases", "release", "state", "ready_at", "chunks")
    for release in releases:
        marks = {"current": release["current"], "head": release["head"]}
        table.add_row(
            plain(release_name(release["release"], release["label"])),
            ", ".join([text(f"state.{release['state']}"), *(text(f"release.{mark}") for mark in marks if marks[mark])]),
            moment(release["ready_at"]),
            number(release["chunks"]),
        )
    return table


def uploads_table(uploads: Sequence[Upload]) -> Table:
    """The last uploads, those that are loading with the share of their tasks that are done."""
    table = _table("table.uploads", "upload", "source", "state", "release", "problems")
    for upload in uploads:
        done = f" {upload['tasks_done']}/{upload['tasks']}" if upload["state"] == "loading" else ""
        table.add_row(
            upload["id"],
            plain(upload["source"]),
            text(f"state.{upload['state']}") + done,
            plain(upload["label"] or ""),
            number(upload["problems"]),
        )
    return table


def problems_table(problems: Sequence[Problem]) -> Table:
    """Files that could not be read."""
    table = _table("table.problems", "path", "place", "reason")
    for problem in problems:
        table.add_row(plain(problem["path"]), plain(problem["place"]), plain(problem["reason"]))
    return table


def _table(title: str, *keys: str) -> Table:
    table = Table(title=text(title), title_justify="left", box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for key in keys:
        table.add_column(text(f"row.{key}"), overflow="fold", no_wrap=key not in _FOLDED)
    return table
