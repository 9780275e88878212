"""`onec-rag search`: hits with their places."""

from typing import Annotated

import typer

from onec_rag_client.cli.options import AsJson, AsOf, Release, connect
from onec_rag_client.cli.output import OUT, percent, plain, print_json, print_line
from onec_rag_client.language import text
from onec_rag_client.places import origin_of, place_of
from onec_rag_client.results import Belonging, Hit, Kind, Mode, SearchResult

SHOWN_LINES = 6
_KINDS = "|".join(Kind)


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help=text("search.query"))],
    sources: Annotated[
        list[str] | None, typer.Option("--source", "-s", metavar="NAME", help=text("search.source"))
    ] = None,
    release: Release = None,
    as_of: AsOf = None,
    mode: Annotated[Mode, typer.Option(help=text("search.mode"))] = Mode.HYBRID,
    kinds: Annotated[list[Kind] | None, typer.Option("--kind", "-k", metavar=_KINDS, help=text("search.kind"))] = None,
    under: Annotated[str | None, typer.Option(metavar="FQN", help=text("search.under"))] = None,
    sections: Annotated[
        list[str] | None, typer.Option("--section", metavar="NAME", help=text("search.section"))
    ] = None,
    belonging: Annotated[Belonging | None, typer.Option(help=text("search.belonging"))] = None,
    limit: Annotated[int, typer.Option("-n", metavar="N", min=1, max=50, help=text("search.limit"))] = 10,
    as_json: AsJson = False,
    explain: Annotated[bool, typer.Option("--explain", help=text("search.explain"))] = False,
) -> None:
    """Asks and shows; nothing found is an answer, not a failure."""
    with connect() as api:
        result = api.search(
            query, mode=mode, limit=limit, sources=sources or (), release=release, as_of=as_of, kinds=kinds or (),
            fqn_prefix=under, sections=sections or (), belonging=belonging,
        )  # fmt: skip
    if as_json:
        print_json(result)
        return
    for number, hit in enumerate(result["hits"], 1):
        _show_hit(number, hit, explain)
    _show_summary(result, explain)


def excerpt(content: str) -> list[str]:
    """The first lines of a text that say something."""
    lines = [line.rstrip().expandtabs(4) for line in plain(content).splitlines() if line.strip()]
    return lines if len(lines) <= SHOWN_LINES else [*lines[:SHOWN_LINES], "…"]


def _show_hit(number: int, hit: Hit, explain: bool) -> None:
    place = hit["place"]
    name = plain(hit["fqn"] or hit["title"] or hit["symbol"])
    print_line(f"{number:>2}. ", (name, "bold"), (f"  {hit['kind']}", "dim"))
    print_line("    ", (plain(place_of(place)), "cyan"), f"  {plain(origin_of(place))}")
    if hit["breadcrumb"]:
        print_line("    ", (" ".join(plain(hit["breadcrumb"]).split("\n")), "green"))
    if hit["stale"]:
        print_line("    ", (text("search.stale"), "yellow"))
    if explain:
        channels = (
            f" · {channel} #{rank} ({hit['scores'].get(channel, 0):g})" for channel, rank in hit["ranks"].items()
        )
        print_line("    ", (text("search.score", score=hit["score"]) + "".join(channels), "magenta"))
    for line in excerpt(hit["text"]):
        print_line("        ", line)
    OUT.print()


def _show_summary(result: SearchResult, explain: bool) -> None:
    if not result["hits"]:
        OUT.print(text("search.nothing"))
    timings = result["timings"]
    print_line(
        text(
            "search.summary",
            count=len(result["hits"]),
            mode=result["mode"],
            milliseconds=round(sum(timings.values())),
            coverage=percent(result["coverage"]),
        )
    )
    if explain:
        print_line(" · ".join(f"{step} {milliseconds:g}" for step, milliseconds in timings.items()))
    for warning in result["warnings"]:
        print_line((text("search.warning", warning=plain(warning)), "yellow"))
