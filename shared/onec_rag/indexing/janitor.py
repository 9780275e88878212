"""Puts right, while everything else goes on, what stands still or was left lying.

Unlike `clean_up.resume`, which knows that all queues are empty, this takes nothing for lost before it is overdue.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from onec_rag.indexing import left_over, overdue
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.keys import PREFIX, SYNC
from onec_rag.observability import logger
from onec_rag.store import janitor

QUIET = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Rules:
    """When something is overdue, and which releases stay.

    `announced`: an upload's file has to come within it. `stuck`: no message is away for longer, a queue's visibility
    times its tries. The newest `keep` releases of a source stay, and those that are not `older_than` so much; None is
    no rule, and without any all stay.
    """

    announced: timedelta = timedelta(hours=24)
    stuck: timedelta = timedelta(minutes=150)
    keep: int | None = None
    older_than: timedelta | None = None


def is_at_rest(indexing: Indexing, bucket: str) -> bool:
    """Whether no queue holds anything and nothing came into the bucket for a day, without asking the database.

    A database that sleeps costs nothing; who looks every few minutes would keep it awake.
    """
    queues = (indexing.plan_queue, indexing.index_queue, indexing.embed_queue)
    if not all(queue.backlog().idle for queue in queues):
        return False
    since = datetime.now(UTC) - QUIET
    listed = (item for prefix in (PREFIX, SYNC) for item in indexing.objects.listing(bucket, prefix))
    return not any(item.modified > since for item in listed)


def tidy(indexing: Indexing, bucket: str, rules: Rules, run_id: str | None = None) -> dict[str, int]:
    """One run; gives how much was done of each kind, nothing where another janitor is at work just now.

    It may be run at any time and any number of times: what is under way is left alone, and a message that was not lost
    after all is done twice, which changes nothing. A bounded number of each kind; the next run goes on.

    Raises:
        RetryableError: database, bucket or queues are away; what was done before stays.
    """
    run_id = run_id or str(uuid4())
    with indexing.database.transaction() as guard:
        if not janitor.try_lock(guard):
            janitor.end_run(guard, run_id, None, None)
            return {}
        # The open transaction is the lock: it ends with this process, however that ends. The work is done by a thread,
        # since each has a connection of its own.
        with ThreadPoolExecutor(1) as worker:
            return worker.submit(_run, indexing, bucket, rules, run_id).result()


def _run(indexing: Indexing, bucket: str, rules: Rules, run_id: str) -> dict[str, int]:
    plan, index, embed = (
        queue.backlog() for queue in (indexing.plan_queue, indexing.index_queue, indexing.embed_queue)
    )
    # A message that a planner holds may be the one that runs us: what waits alone tells that the planners are behind.
    planner_idle, indexer_idle = not plan.waiting, not (index.waiting or index.in_flight)
    listed = indexing.objects.listing(bucket, PREFIX)
    never_came = overdue.fail_announced(indexing, bucket, rules.announced, {item.key for item in listed})
    requeued, given_up = overdue.requeue_stuck(
        indexing, rules.stuck, planner_idle=planner_idle, indexer_idle=indexer_idle
    )
    done = {
        "planned": overdue.plan_lost(indexing, bucket, rules.stuck, listed) if planner_idle else 0,
        "batches": overdue.close_batches(indexing, bucket, rules.stuck) if planner_idle else 0,
        "woken": overdue.wake_parked(indexing) if planner_idle else 0,
        "requeued": requeued,
        "failed": never_came + given_up,
        "archives": left_over.delete_archives(indexing, bucket),
        "vectors": left_over.fill_vectors(indexing) if embed.idle else 0,
        "releases": left_over.retire_releases(indexing, rules.keep, rules.older_than),
    }
    dead_letters = {"plan": plan.dead, "index": index.dead, "embed": embed.dead}
    with indexing.database.transaction() as connection:
        janitor.end_run(connection, run_id, done, dead_letters)
    logger.info("tidied", extra={"done": done, "dead_letters": dead_letters})
    return done
