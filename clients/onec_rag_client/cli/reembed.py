"""`onec-rag reembed`: another embedding model, filled beside the one in use."""

from typing import Annotated

import typer

from onec_rag_client.cli.options import AsJson, Yes, confirm, connect
from onec_rag_client.cli.output import OUT, number, percent, plain, print_json
from onec_rag_client.cli.tables import facts_table
from onec_rag_client.cli.vectors import cost, duration
from onec_rag_client.language import text
from onec_rag_client.results import Embedding, Model


def reembed(
    model: Annotated[str | None, typer.Option(metavar="NAME", help=text("reembed.model"))] = None,
    dimensions: Annotated[int | None, typer.Option(metavar="N", min=1, help=text("reembed.dimensions"))] = None,
    base_url: Annotated[str | None, typer.Option("--base-url", metavar="URL", help=text("reembed.base_url"))] = None,
    query_prefix: Annotated[str, typer.Option("--query-prefix", help=text("reembed.query_prefix"))] = "",
    passage_prefix: Annotated[str, typer.Option("--passage-prefix", help=text("reembed.passage_prefix"))] = "",
    status: Annotated[bool, typer.Option("--status", help=text("reembed.status"))] = False,
    abandon: Annotated[bool, typer.Option("--abandon", help=text("reembed.abandon"))] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Begins to fill another model when the cost is agreed to, shows how far it is, or gives it up."""
    if status + abandon + (model is not None) != 1 or (model is None) != (dimensions is None):
        raise typer.BadParameter(text("reembed.missing"))
    with connect() as api:
        if model is not None and dimensions is not None:
            confirm(text("reembed.asked", model=plain(model), cost=cost(api.embedding()["whole"])), yes)
            found = api.reembed(model, dimensions, base_url, query_prefix=query_prefix, passage_prefix=passage_prefix)
        else:
            found = api.abandon_reembedding() if abandon else api.embedding()
    if as_json:
        print_json(found)
    elif status:
        _show(found)
    else:
        OUT.print(text("reembed.abandoned" if abandon else "reembed.begun"), soft_wrap=True)


def _show(found: Embedding) -> None:
    for role, model in (("active", found["active"]), ("next", found["next"])):
        if model is not None:
            OUT.print(facts_table(_rows(role, model)))
            OUT.print()
    if found["active"] is None:
        OUT.print(text("reembed.none"), soft_wrap=True)
    if found["removing"]:
        OUT.print(text("reembed.removing"), soft_wrap=True)


def _rows(role: str, model: Model) -> list[tuple[str, str]]:
    covered = (model["vectors"] + model["refused"]) / model["chunks"] if model["chunks"] else 1.0
    return [
        ("model", f"{model['model']} ({model['dimensions']}), {text(f'reembed.{role}')}"),
        ("vectors", f"{number(model['vectors'])} / {number(model['chunks'])} · {percent(covered)}"),
        ("vectors_refused", number(model["refused"]) if model["refused"] else ""),
        ("vectors_time", duration(model["seconds"])),
        ("vector_problem", model["problem"] or ""),
    ]
