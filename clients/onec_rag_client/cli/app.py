"""The program `onec-rag`: its commands, and where every failure becomes a message and an exit code."""

import sys
from typing import Annotated

import typer

from onec_rag_client.cli import (
    ask,
    janitor,
    problems,
    reembed,
    releases,
    search,
    sources,
    status,
    up,
    upload,
    uploads,
    vectors,
)
from onec_rag_client.cli.exit_codes import ExitCode, describe_exit_codes, explain
from onec_rag_client.cli.output import ERR
from onec_rag_client.errors import ClientError
from onec_rag_client.language import text
from onec_rag_client.streams import speak_utf8

app = typer.Typer(
    name="onec-rag",
    help=text("app.help"),
    epilog=f"{text('app.settings')}\n\n{describe_exit_codes()}",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("up", help=text("up.help"), context_settings=up.PASS_ON)(up.up)
for _name, _command in (
    ("upload", upload.upload),
    ("search", search.search),
    ("ask", ask.ask),
    ("releases", releases.releases),
    ("reembed", reembed.reembed),
    ("status", status.status),
    ("problems", problems.problems),
    ("janitor", janitor.janitor),
):
    app.command(_name, help=text(f"{_name}.help"), epilog=describe_exit_codes())(_command)
_sources = typer.Typer(invoke_without_command=True)
_sources.callback()(sources.sources)
_uploads = typer.Typer(invoke_without_command=True)
_uploads.callback()(uploads.uploads)
_release = typer.Typer(no_args_is_help=True)
app.add_typer(_sources, name="sources", help=text("sources.help"), epilog=describe_exit_codes())
app.add_typer(_uploads, name="uploads", help=text("uploads.help"), epilog=describe_exit_codes())
app.add_typer(_release, name="release", help=text("release.help"), epilog=describe_exit_codes())
_vectors = typer.Typer(no_args_is_help=True)
app.add_typer(_vectors, name="vectors", help=text("vectors.help"), epilog=describe_exit_codes())
_vectors.command("show", help=text("vectors.show"), epilog=describe_exit_codes())(vectors.show)
_vectors.command("release", help=text("vectors.release"), epilog=describe_exit_codes())(vectors.release)
_vectors.command("retry", help=text("vectors.retry"), epilog=describe_exit_codes())(vectors.retry)
_sources.command("delete", help=text("sources.delete"), epilog=describe_exit_codes())(sources.delete)
_uploads.command("confirm", help=text("uploads.confirm"), epilog=describe_exit_codes())(uploads.confirm)
_release.command("activate", help=text("release.activate"), epilog=describe_exit_codes())(releases.activate)
_release.command("delete", help=text("release.delete"), epilog=describe_exit_codes())(releases.delete)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # takes 40 ms that no other command needs

        typer.echo(version("onec-rag"))
        raise typer.Exit


@app.callback()
def main(
    version_asked: Annotated[
        bool, typer.Option("--version", help=text("app.version"), callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Takes the options that stand before a command."""


def run() -> None:
    """The entry point of `onec-rag`; ends the process with one of the documented exit codes."""
    speak_utf8()
    try:
        app(windows_expand_args=False)  # a question with a * is not a list of files
    except ClientError as error:
        message, code = explain(error)
    except OSError as error:
        message, code = text("error.failed", detail=error), ExitCode.FAILED
    ERR.print(message, style="red", soft_wrap=True)
    sys.exit(code)
