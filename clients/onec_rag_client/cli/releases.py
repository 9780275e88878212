"""`onec-rag releases`: the releases of a source; `release activate` and `release delete`: what becomes of one."""

from typing import Annotated

import typer

from onec_rag_client.cli.options import AsJson, SourceName, Yes, confirm, connect
from onec_rag_client.cli.output import OUT, plain, print_json
from onec_rag_client.cli.tables import release_name, releases_table
from onec_rag_client.language import text
from onec_rag_client.results import Release

ReleaseName = Annotated[str, typer.Argument(metavar="RELEASE", help=text("release.name"))]


def releases(source: SourceName, as_json: AsJson = False) -> None:
    """Lists the releases of a source, newest first."""
    with connect() as api:
        found = api.releases(source)
    if as_json:
        print_json(found)
    else:
        OUT.print(releases_table(found))


def activate(source: SourceName, release: ReleaseName, as_json: AsJson = False) -> None:
    """Makes a release the one that is read where none is named."""
    with connect() as api:
        activated = api.activate_release(source, release)
    if as_json:
        print_json(activated)
    else:
        OUT.print(text("release.activated", source=source, release=_name(activated)), soft_wrap=True)


def delete(source: SourceName, release: ReleaseName, yes: Yes = False, as_json: AsJson = False) -> None:
    """Deletes a release with all that no other one shows."""
    confirm(text("release.delete_asked", source=source, release=release), yes)
    with connect() as api:
        deleted = api.delete_release(source, release)
    if as_json:
        print_json(deleted)
    else:
        OUT.print(text("release.deleted", source=source, release=_name(deleted)), soft_wrap=True)


def _name(release: Release) -> str:
    return plain(release_name(release["release"], release["label"]))
