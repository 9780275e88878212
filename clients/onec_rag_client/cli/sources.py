"""`onec-rag sources`: what is indexed; `sources delete`: a source goes for good."""

import typer

from onec_rag_client.cli.options import AsJson, AsOf, Release, SourceName, Yes, confirm, connect
from onec_rag_client.cli.output import OUT, plain, print_json
from onec_rag_client.cli.tables import sources_table
from onec_rag_client.language import text
from onec_rag_client.results import Source


def sources(context: typer.Context, release: Release = None, as_of: AsOf = None, as_json: AsJson = False) -> None:
    """Lists the sources that the key may see, unless something is to be done with one."""
    if context.invoked_subcommand is not None:
        return
    with connect() as api:
        found = api.sources(release=release, as_of=as_of)
    if as_json:
        print_json(found)
    else:
        show_sources(found)


def delete(source: SourceName, yes: Yes = False, as_json: AsJson = False) -> None:
    """Deletes a source with its releases, its uploads and their files."""
    confirm(text("sources.delete_asked", source=source), yes)
    with connect() as api:
        deleted = api.delete_source(source)
    if as_json:
        print_json(deleted)
    else:
        shown = text("sources.deleted", source=source, releases=deleted["releases"], objects=deleted["objects"])
        OUT.print(shown, soft_wrap=True)


def show_sources(found: list[Source]) -> None:
    """The table, and which sources get no vectors."""
    if not found:
        OUT.print(text("sources.empty"), soft_wrap=True)
        return
    OUT.print(sources_table(found))
    for source in found:
        if source["vector_problem"]:
            problem = plain(source["vector_problem"])
            OUT.print(text("sources.vector_problem", name=source["name"], problem=problem), soft_wrap=True)
