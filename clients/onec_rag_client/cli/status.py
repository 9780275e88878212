"""`onec-rag status`: the service at a glance, or one upload with the files that could not be read."""

from typing import Annotated
from uuid import UUID

import typer
from rich.filesize import decimal

from onec_rag_client.api import OnecRag
from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, moment, number, plain, print_json
from onec_rag_client.cli.sources import show_sources
from onec_rag_client.cli.tables import count_rows, facts_table, problems_table, upload_rows, uploads_table
from onec_rag_client.language import text


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
    rows = [
        ("version", found["version"]),
        ("embedding", found["embedding"]),
        ("database", decimal(found["database_bytes"])),
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
    upload = api.upload(upload_id)
    problems = api.problems(upload_id) if upload["problems"] else []
    if as_json:
        print_json({"upload": upload, "problems": problems})
        return
    rows = [
        *upload_rows(upload),
        ("tasks", f"{upload['tasks_done']}/{upload['tasks']}"),
        ("files", number(upload["files"])),
        ("files_skipped", number(upload["files_skipped"])),
        *(count_rows(upload["counts"]) if upload["counts"] else []),
        ("problems", number(upload["problems"])),
        ("created", moment(upload["created_at"])),
        ("ready_at", moment(upload["finished_at"])),
    ]
    OUT.print(facts_table(rows))
    if problems:
        OUT.print()
        OUT.print(problems_table(problems))
