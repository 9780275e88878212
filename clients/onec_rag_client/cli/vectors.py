"""`onec-rag vectors`: how far the vectors of a source are; `release` and `retry`: what lets them go on."""

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated

import typer

from onec_rag_client.api import OnecRag
from onec_rag_client.cli.options import AsJson, SourceName, connect
from onec_rag_client.cli.output import ERR, OUT, number, plain, print_json
from onec_rag_client.cli.tables import facts_table
from onec_rag_client.errors import VectorsMissing
from onec_rag_client.language import text
from onec_rag_client.results import Cost, Source, Vectors


def show(source: SourceName, as_json: AsJson = False) -> None:
    """Shows how far the vectors of a source are, and what they cost."""
    with connect() as api:
        found = api.vectors(source)
    if as_json:
        print_json(found)
    else:
        _show(found)


def release(
    source: SourceName,
    confirm: Annotated[bool, typer.Option("--confirm", help=text("vectors.release_confirm"))] = False,
    as_json: AsJson = False,
) -> None:
    """Lets held vectors begin, once the cost is confirmed."""
    with connect() as api:
        found = api.release_vectors(source) if confirm else api.vectors(source)
    if as_json:
        print_json(found)
        return
    if confirm:
        OUT.print(text("vectors.released", source=source), soft_wrap=True)
        return
    _show(found)
    OUT.print(text("vectors.unconfirmed" if found["held"] else "vectors.none_held", source=source), soft_wrap=True)


def retry(source: SourceName, as_json: AsJson = False) -> None:
    """Sends the texts again that the endpoint refused."""
    with connect() as api:
        found = api.retry_vectors(source)
    if as_json:
        print_json(found)
    else:
        OUT.print(text("vectors.retried", source=source), soft_wrap=True)


def cost(value: Cost) -> str:
    """Texts, tokens and, where it is known, the price in words."""
    texts, tokens = number(value["texts"]), number(value["tokens"])
    if value["price"] is None:
        return text("vectors.cost", texts=texts, tokens=tokens)
    return text("vectors.cost_price", texts=texts, tokens=tokens, price=f"{value['price']:.2f}")


def duration(seconds: float | None) -> str:
    """An estimate as h:mm:ss; empty where there is none."""
    return str(timedelta(seconds=round(seconds))) if seconds else ""


def tell_cost(api: OnecRag, source_name: str, on_change: Callable[[Source], None]) -> Callable[[Source], None]:
    """What a loop that waits for vectors calls: `on_change`, and once, when the service knows it, what they cost.

    What is given raises `VectorsMissing` where the vectors wait for a confirmation.
    """
    told = False

    def tell(seen: Source) -> None:
        nonlocal told
        on_change(seen)
        if told or seen["coverage"] >= 1:
            return
        found = api.vectors(source_name)
        if found["planned"] is not None:
            told = True
            ERR.print(text("vectors.planned", cost=cost(found["planned"])), soft_wrap=True)
            if found["held"]:
                raise VectorsMissing(found["problem"] or "")

    return tell


def _show(found: Vectors) -> None:
    waiting = found["waiting"]
    rows = [
        ("source", found["source"]),
        ("chunks", number(found["chunks"])),
        ("vectors", number(found["vectors"])),
        ("vectors_waiting", number(waiting)),
        ("vectors_refused", number(found["refused"]) if found["refused"] else ""),
        ("vectors_left", cost(found["left"]) if waiting else ""),
        ("vectors_time", duration(found["seconds"])),
        ("vector_problem", plain(found["problem"] or "")),
    ]
    OUT.print(facts_table(rows))
