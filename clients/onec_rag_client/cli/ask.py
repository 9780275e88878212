"""`onec-rag ask`: an answer in words, with its sources."""

from typing import Annotated

import typer

from onec_rag_client.cli.options import AsJson, AsOf, Release, connect
from onec_rag_client.cli.output import OUT, plain, print_json, print_line
from onec_rag_client.language import LANGUAGE, text
from onec_rag_client.places import origin_of, place_of
from onec_rag_client.results import Answer


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help=text("ask.question"))],
    sources: Annotated[
        list[str] | None, typer.Option("--source", "-s", metavar="NAME", help=text("search.source"))
    ] = None,
    release: Release = None,
    as_of: AsOf = None,
    limit: Annotated[int, typer.Option("-n", metavar="N", min=1, max=30, help=text("ask.limit"))] = 10,
    as_json: AsJson = False,
) -> None:
    """Asks and shows; where no model answers, what was found is shown all the same."""
    with connect() as api:
        answer = api.answer(
            question, sources=sources or (), release=release, as_of=as_of, limit=limit, language=LANGUAGE
        )
    if as_json:
        print_json(answer)
    else:
        _show(answer)


def _show(answer: Answer) -> None:
    OUT.print(plain(answer["answer"] or text("ask.none")))
    OUT.print()
    for point in answer["key_points"]:
        OUT.print(f"• {plain(point['text'])} {''.join(f'[{number}]' for number in point['sources'])}")
    if answer["key_points"]:
        OUT.print()
    for source in answer["sources"]:
        place = source["place"]
        name = plain(source["fqn"] or source["breadcrumb"]).replace("\n", " ")
        print_line(f"[{source['number']}] ", (name, "bold"))
        print_line("    ", (plain(place_of(place)), "cyan"), f"  {plain(origin_of(place))}")
    for warning in answer["warnings"]:
        print_line((text("search.warning", warning=plain(warning)), "yellow"))
