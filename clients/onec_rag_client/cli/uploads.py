"""`onec-rag uploads`: the last uploads; `uploads confirm`: one that is held is loaded after all."""

from typing import Annotated
from uuid import UUID

import typer

from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, plain, print_json
from onec_rag_client.cli.tables import uploads_table
from onec_rag_client.language import text


def uploads(
    context: typer.Context,
    source: Annotated[str | None, typer.Option("--source", "-s", metavar="NAME", help=text("uploads.source"))] = None,
    as_json: AsJson = False,
) -> None:
    """Lists the last uploads, unless something is to be done with one."""
    if context.invoked_subcommand is not None:
        return
    with connect() as api:
        found = api.uploads(source)
    if as_json:
        print_json(found)
        return
    OUT.print(uploads_table(found))
    for upload in found:
        if upload["reason"]:
            OUT.print(f"{upload['id']}: {plain(upload['reason'])}", soft_wrap=True)


def confirm(
    upload_id: Annotated[UUID, typer.Argument(metavar="UPLOAD_ID", help=text("status.upload"))],
    as_json: AsJson = False,
) -> None:
    """Lets the upload be loaded though it removes a large part of its source."""
    with connect() as api:
        confirmed = api.confirm_upload(str(upload_id))
    if as_json:
        print_json(confirmed)
    else:
        OUT.print(text("uploads.confirmed", id=confirmed["id"]), soft_wrap=True)
