"""`onec-rag problems`: the files of an upload that could not be read, page by page."""

from typing import Annotated
from uuid import UUID

import typer

from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, number, plain, print_json
from onec_rag_client.cli.tables import problems_table
from onec_rag_client.language import text

PAGE = 50


def problems(
    name: Annotated[str, typer.Argument(metavar="UPLOAD_ID|SOURCE", help=text("problems.name"))],
    page: Annotated[int, typer.Option(metavar="N", min=1, help=text("problems.page"))] = 1,
    size: Annotated[int, typer.Option(metavar="N", min=1, max=1_000, help=text("problems.size"))] = PAGE,
    as_json: AsJson = False,
) -> None:
    """Lists one page of the files with place and reason."""
    offset = (page - 1) * size
    with connect() as api:
        if _is_id(name):
            found = api.page_of_problems(upload_id=name, offset=offset, limit=size)
        else:
            found = api.page_of_problems(source=name, offset=offset, limit=size)
    if as_json:
        print_json(found)
        return
    upload, shown = found["upload"], len(found["problems"])
    if not shown:
        OUT.print(text("problems.none", id=upload["id"], total=number(found["total"])), soft_wrap=True)
        return
    OUT.print(problems_table(found["problems"]))
    first, last, total = number(offset + 1), number(offset + shown), number(found["total"])
    label = plain(upload["label"] or "")
    OUT.print(text("problems.shown", first=first, last=last, total=total, id=upload["id"], label=label), soft_wrap=True)
    if offset + shown < found["total"]:
        sized = f" --size {size}" if size != PAGE else ""
        OUT.print(text("problems.next", name=plain(name), page=f"{page + 1}{sized}"), soft_wrap=True)


def _is_id(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True
