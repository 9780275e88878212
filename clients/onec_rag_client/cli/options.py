"""What several commands share: `--json`, the release to read, the question before deleting, and the connection."""

import sys
from datetime import datetime
from typing import Annotated

import typer

from onec_rag_client.api import OnecRag
from onec_rag_client.language import text
from onec_rag_client.settings import read_settings


def _check_time(value: str | None) -> str | None:
    try:
        datetime.fromisoformat(value or "2026-01-01")
    except ValueError as error:
        raise typer.BadParameter(text("search.as_of_wrong", value=value)) from error
    return value


AsJson = Annotated[bool, typer.Option("--json", help=text("json.help"))]
Release = Annotated[str | None, typer.Option(metavar="LABEL", help=text("search.release"))]
AsOf = Annotated[str | None, typer.Option(metavar="TIME", help=text("search.as_of"), callback=_check_time)]
SourceName = Annotated[str, typer.Argument(metavar="SOURCE", help=text("upload.source"))]
Yes = Annotated[bool, typer.Option("--yes", help=text("delete.yes"))]


def connect() -> OnecRag:
    """The service that the settings name."""
    settings = read_settings()
    return OnecRag(settings.url, settings.key)


def confirm(question: str, yes: bool) -> None:
    """Ends the command unless the user agrees; without a terminal nobody can be asked."""
    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter(text("delete.unattended"))
    if not yes:
        typer.confirm(question, abort=True, err=True)
