"""`onec-rag upload`: a folder or file to the bucket, then its way into the index."""

import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from onec_rag_client.api import OnecRag
from onec_rag_client.archive import LARGEST
from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import ERR, OUT, number, plain, print_json
from onec_rag_client.cli.sending import Order, Sent, send
from onec_rag_client.cli.stages import begin_count, make_progress, show_upload, show_vectors
from onec_rag_client.cli.tables import count_rows, facts_table, problems_table, release_name, upload_rows
from onec_rag_client.cli.vectors import tell_cost
from onec_rag_client.errors import LoadFailed, LoadHeld
from onec_rag_client.language import text
from onec_rag_client.results import Problem, Upload
from onec_rag_client.waiting import find_source, wait_for_text, wait_for_vectors

SHOWN_PROBLEMS = 10


class Wait(StrEnum):
    """What an upload is waited for."""

    TEXT = "text"
    VECTORS = "vectors"


def upload(
    path: Annotated[Path, typer.Argument(metavar="PATH", exists=True, help=text("upload.path"))],
    source: Annotated[str, typer.Option("--source", "-s", metavar="NAME", help=text("upload.source"))],
    label: Annotated[str | None, typer.Option(metavar="LABEL", help=text("upload.label"))] = None,
    wait: Annotated[Wait, typer.Option(help=text("upload.wait"))] = Wait.TEXT,
    no_wait: Annotated[bool, typer.Option("--no-wait", help=text("upload.no_wait"))] = False,
    force: Annotated[bool, typer.Option("--force", help=text("upload.force"))] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help=text("upload.confirm"))] = False,
    as_json: AsJson = False,
) -> None:
    """Sends, waits as asked, and sums up; a load that failed is an error."""
    begun = time.monotonic()
    # Nobody would see changes fail that nobody waits for: then everything is sent.
    order = Order(path, source, label, confirm, everything=force or no_wait)
    with connect() as api:
        sent = _send(api, order)
        for item in sent.skipped:
            ERR.print(text(f"upload.{item.reason}", name=plain(item.name), size=decimal(LARGEST)), soft_wrap=True)
        loaded = sent.upload if no_wait else _wait(api, sent, source, wait)
        if loaded and sent.changes and loaded["state"] == "failed":
            ERR.print(text("upload.again", reason=plain(loaded["reason"] or "")), soft_wrap=True)
            sent = _send(api, replace(order, everything=True))
            loaded = _wait(api, sent, source, wait)
        problems = api.problems(loaded["id"]) if loaded and loaded["problems"] else []
        if as_json:
            names = [{"path": item.name, "reason": item.reason} for item in sent.skipped]
            seconds = round(time.monotonic() - begun, 2)
            print_json({"upload": loaded, "problems": problems, "skipped": names, "seconds": seconds})
        elif loaded is None:
            _show_unchanged(api, source, time.monotonic() - begun)
        elif no_wait:
            OUT.print(text("upload.sent", id=loaded["id"]))
        else:
            _show_summary(api, loaded, problems, time.monotonic() - begun)
    if loaded is None:
        return
    if loaded["state"] == "failed":
        raise LoadFailed(loaded["reason"] or "")
    if loaded["state"] == "held":
        raise LoadHeld(text("upload.held", reason=plain(loaded["reason"] or ""), id=loaded["id"]))


def _send(api: OnecRag, order: Order) -> Sent:
    with make_progress() as progress:
        return send(api, progress, order)


def _wait(api: OnecRag, sent: Sent, source: str, wait: Wait) -> Upload | None:
    loaded = sent.upload
    try:
        with make_progress() as progress:
            if loaded is not None:
                tasks = begin_count(progress, "stage.receiving")
                loaded = wait_for_text(api, loaded["id"], lambda seen: show_upload(progress, tasks, seen))
            if wait is Wait.VECTORS and (loaded is None or loaded["state"] in ("ready", "unchanged")):
                chunks = begin_count(progress, "stage.vectors")
                tell = tell_cost(api, source, lambda seen: show_vectors(progress, chunks, seen))
                wait_for_vectors(api, source, tell)
            return loaded
    except KeyboardInterrupt:
        if loaded is not None:
            ERR.print(text("upload.interrupted", id=loaded["id"]), soft_wrap=True)
        raise


def _show_unchanged(api: OnecRag, source: str, seconds: float) -> None:
    """Nothing was sent: what the source has already."""
    found = find_source(api.sources(), source)
    rows = [
        ("source", source),
        ("state", text("state.unchanged")),
        ("release", release_name(found["release"], found["label"])),
        *count_rows(found["counts"]),
        ("seconds", f"{seconds:.1f}"),
    ]
    OUT.print(facts_table(rows))


def _show_summary(api: OnecRag, loaded: Upload, problems: list[Problem], seconds: float) -> None:
    counts = loaded["counts"]
    if loaded["state"] == "unchanged" and not counts:
        counts = find_source(api.sources(), loaded["source"])["counts"]
    rows = [
        *upload_rows(loaded),
        *(count_rows(counts) if loaded["state"] in ("ready", "unchanged") else []),
        ("files_skipped", number(loaded["files_skipped"])),
        ("problems", number(loaded["problems"])),
        ("seconds", f"{seconds:.1f}"),
    ]
    OUT.print(facts_table(rows))
    if problems:
        OUT.print()
        OUT.print(problems_table(problems[:SHOWN_PROBLEMS]))
    if loaded["problems"] > SHOWN_PROBLEMS:
        OUT.print(text("table.more", count=loaded["problems"] - SHOWN_PROBLEMS, id=loaded["id"]), soft_wrap=True)
