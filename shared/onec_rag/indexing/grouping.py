"""Members of an archive → bounded tasks of contiguous byte ranges."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onec_rag.model.tasks import Task, TaskMember

SPAN = 4 * 1024**2
"""Bytes of the archive that one task reads at the most (one member may be larger)."""
INFLATED = 8 * 1024**2
"""Bytes after inflating, likewise: what bounds a worker's memory."""
MEMBERS = 600
GAP = 256 * 1024
"""Bytes of unwanted members that a task rather reads over than ends before."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A member with the archive offset where its bytes surely end."""

    member: TaskMember
    end: int


def group_tasks(members: Iterable[Placed], wave: int, first_no: int) -> Iterator[Task]:
    """Tasks in the order of the archive, numbered from `first_no`."""
    run: list[Placed] = []
    no = first_no
    for placed in sorted(members, key=lambda item: item.member.offset):
        if run and not _fits(run, placed):
            yield _task(run, wave, no)
            run, no = [], no + 1
        run.append(placed)
    if run:
        yield _task(run, wave, no)


def _fits(run: list[Placed], coming: Placed) -> bool:
    return (
        len(run) < MEMBERS
        and coming.member.offset - run[-1].end <= GAP
        and coming.end - run[0].member.offset <= SPAN
        and sum(item.member.size for item in run) + coming.member.size <= INFLATED
    )


def _task(run: list[Placed], wave: int, no: int) -> Task:
    return Task(no, wave, run[0].member.offset, max(item.end for item in run), tuple(item.member for item in run))
