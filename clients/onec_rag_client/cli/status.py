"""`onec-rag status`: the service at a glance, or one upload with the files that could not be read."""

from typing import Annotated
from uuid import UUID

import typer
from rich.filesize import decimal

from onec_rag_client.api import OnecRag
from onec_rag_client.cli.janitor import dead_letters
from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, moment, number, percent, plain, print_json
from onec_rag_client.cli.sources import show_sources
from onec_rag_client.cli.tables import count_rows, facts_table, problems_table, upload_rows, uploads_table
from onec_rag_client.cli.vectors import duration
from onec_rag_client.language import text
from onec_rag_client.results import Chunks, Files, Tasks, UploadStatus, Vectors

SHOWN_PROBLEMS = 10


def status(
    upload_id: Annotated[UUID | None, typer.Argument(metavar="UPLOAD_ID", help=text("status.upload"))] = None,
    as_json: AsJson = False,
) -> None:
    """Shows the service, or the named upload."""
    with connect() as api:
        if upload_id is None:
            _show_service(api, as_json)
        else:
            _show_upload(api, str(upload_id), as_json)


def _show_service(api: OnecRag, as_json: bool) -> None:
    found = api.status()
    if as_json:
        print_json(found)
        return
    run = found["janitor"]
    rows = [
        ("version", found["version"]),
        ("embedding", found["embedding"]),
        ("database", decimal(found["database_bytes"])),
        ("janitor", moment(run["ended_at"]) if run else ""),
        ("dead_letters", dead_letters(run) if run else ""),
    ]
    OUT.print(facts_table(rows))
    OUT.print()
    show_sources(found["sources"])
    if found["uploads"]:
        OUT.print(uploads_table(found["uploads"]))
    for upload in found["uploads"]:
        if upload["reason"]:
            OUT.print(f"{upload['id']}: {plain(upload['reason'])}", soft_wrap=True)


def _show_upload(api: OnecRag, upload_id: str, as_json: bool) -> None:
    found = api.upload_status(upload_id)
    problems = api.problems(upload_id) if found["upload"]["problems"] else []
    if as_json:
        print_json({**found, "problems": problems})
        return
    OUT.print(facts_table([*_rows(found), *_vector_rows(found["vectors"])]))
    for reason in found["reasons"]:
        OUT.print(text("status.reason", files=number(reason["files"]), reason=plain(reason["reason"])), soft_wrap=True)
    if problems:
        OUT.print()
        OUT.print(problems_table(problems[:SHOWN_PROBLEMS]))
    if found["files"]["failed"] > SHOWN_PROBLEMS:
        more = found["files"]["failed"] - SHOWN_PROBLEMS
        OUT.print(text("table.more", count=number(more), id=upload_id), soft_wrap=True)


def _rows(found: UploadStatus) -> list[tuple[str, str]]:
    upload, counts = found["upload"], found["upload"]["counts"]
    return [
        *upload_rows(upload),
        ("tasks", _tasks(found["tasks"]) if upload["tasks"] else ""),
        ("files", _files(found["files"]) if upload["files"] or found["files"]["skipped"] else ""),
        *(row for row in count_rows(counts) if row[0] not in ("chunks", "chunks_new")),
        ("chunks", _chunks(found["chunks"]) if counts else ""),
        ("created", moment(upload["created_at"])),
        ("ready_at", moment(upload["finished_at"])),
        ("dead_letters", number(found["dead_letters"]) if found["dead_letters"] else ""),
    ]


def _tasks(tasks: Tasks) -> str:
    done, waiting, failed = number(tasks["done"]), number(tasks["waiting"]), number(tasks["failed"])
    return text("status.tasks", done=done, waiting=waiting, failed=failed)


def _files(files: Files) -> str:
    read, skipped, failed = number(files["read"]), number(files["skipped"]), number(files["failed"])
    return text("status.files", read=read, skipped=skipped, failed=failed)


def _chunks(chunks: Chunks) -> str:
    new, kept, closed = number(chunks["new"]), number(chunks["kept"]), number(chunks["closed"])
    return text("status.chunks", new=new, kept=kept, closed=closed)


def _vector_rows(vectors: Vectors | None) -> list[tuple[str, str]]:
    """How far the vectors of the source's current release are, and why they are not there yet."""
    if vectors is None:
        return []
    share = vectors["vectors"] / vectors["chunks"] if vectors["chunks"] else 1.0
    return [
        ("vectors", f"{number(vectors['vectors'])} / {number(vectors['chunks'])} · {percent(share)}"),
        ("vectors_waiting", number(vectors["waiting"]) if vectors["waiting"] else ""),
        ("vectors_refused", number(vectors["refused"]) if vectors["refused"] else ""),
        ("vectors_time", duration(vectors["seconds"])),
        ("vector_problem", vectors["problem"] or ""),
    ]
