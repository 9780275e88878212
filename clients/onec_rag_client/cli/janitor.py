"""`onec-rag janitor`: have what stands still or was left lying looked for now."""

import time

from onec_rag_client.api import OnecRag
from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import OUT, number, print_json
from onec_rag_client.cli.tables import facts_table
from onec_rag_client.language import text
from onec_rag_client.results import JanitorRun

POLL_SECONDS = 0.5
PATIENCE_SECONDS = 300.0
"""A run takes no longer, unless it has to wait for a planner."""
_ROWS = (
    "janitor_planned",
    "janitor_batches",
    "janitor_woken",
    "janitor_requeued",
    "janitor_failed",
    "janitor_archives",
    "janitor_vectors",
    "janitor_releases",
)


def janitor(as_json: AsJson = False) -> None:
    """Asks for a run, waits for its end, and prints what was done."""
    with connect() as api:
        run = _wait(api, api.run_janitor())
    if as_json:
        print_json(run)
    elif run["ended_at"] is None:
        OUT.print(text("janitor.waiting"), soft_wrap=True)
    elif run["done"] is None:
        OUT.print(text("janitor.busy"), soft_wrap=True)
    else:
        show_run(run)


def show_run(run: JanitorRun) -> None:
    """What was done, and the dead letters of each queue."""
    done = run["done"] or {}
    rows = [(row, number(count) if (count := done.get(row.removeprefix("janitor_"))) else "") for row in _ROWS]
    OUT.print(facts_table(rows) if any(value for _, value in rows) else text("janitor.nothing"), soft_wrap=True)
    if letters := dead_letters(run):
        OUT.print(text("janitor.dead_letters", queues=letters), soft_wrap=True)


def dead_letters(run: JanitorRun) -> str:
    """Queues with their numbers of dead letters; empty where there are none."""
    return ", ".join(f"{queue} {number(count)}" for queue, count in (run["dead_letters"] or {}).items() if count)


def _wait(api: OnecRag, run: JanitorRun) -> JanitorRun:
    end = time.monotonic() + PATIENCE_SECONDS
    while run["ended_at"] is None and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
        run = api.janitor_run(run["id"])
    return run
