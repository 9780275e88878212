"""`onec-rag sources`: what is indexed."""

from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, plain, print_json
from onec_rag_client.cli.tables import sources_table
from onec_rag_client.language import text
from onec_rag_client.results import Source


def sources(as_json: AsJson = False) -> None:
    """Lists the sources that the key may see."""
    with connect() as api:
        found = api.sources()
    if as_json:
        print_json(found)
    else:
        show_sources(found)


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
