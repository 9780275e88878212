from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.indexing.grouping import GAP, INFLATED, MEMBERS, SPAN, Placed, group_tasks
from onec_rag.model.tasks import Task, TaskMember


@st.composite
def archives(draw: st.DrawFn) -> list[Placed]:
    """Members that lie one behind the other, with holes between, in any order."""
    placed, offset = [], 0
    rows = draw(
        st.lists(st.tuples(st.integers(1, SPAN), st.integers(0, INFLATED), st.sampled_from([0, 1, GAP, GAP + 1])))
    )
    for number, (packed, size, hole) in enumerate(rows):
        member = TaskMember(number, "", "configuration", f"{number}.xml", offset, packed, size, 8, 0, encrypted=False)
        placed.append(Placed(member, offset + packed))
        offset += packed + hole
    return draw(st.permutations(placed))


def ends(placed: list[Placed]) -> dict[int, int]:
    return {item.member.document_id: item.end for item in placed}


@given(archives())
@settings(max_examples=150, deadline=None)
def test_every_member_is_in_one_task_of_its_wave(placed: list[Placed]) -> None:
    tasks = list(group_tasks(placed, wave=2, first_no=5))
    members = [member.document_id for task in tasks for member in task.members]
    assert sorted(members) == sorted(item.member.document_id for item in placed)
    assert [task.no for task in tasks] == list(range(5, 5 + len(tasks)))
    assert {task.wave for task in tasks} <= {2}


@given(archives())
@settings(max_examples=150, deadline=None)
def test_tasks_follow_one_another_and_cover_their_members(placed: list[Placed]) -> None:
    tasks, end = list(group_tasks(placed, 1, 1)), ends(placed)
    for one, other in pairwise(tasks):
        assert one.end_byte <= other.first_byte
    for task in tasks:
        assert task.first_byte == min(member.offset for member in task.members)
        assert task.end_byte == max(end[member.document_id] for member in task.members)
        assert [member.offset for member in task.members] == sorted(member.offset for member in task.members)


@given(archives())
@settings(max_examples=150, deadline=None)
def test_a_task_of_several_members_is_within_the_bounds(placed: list[Placed]) -> None:
    end = ends(placed)
    for task in group_tasks(placed, 1, 1):
        assert len(task.members) <= MEMBERS
        if len(task.members) > 1:
            assert task.end_byte - task.first_byte <= SPAN
            assert sum(member.size for member in task.members) <= INFLATED
            for one, other in pairwise(task.members):
                assert other.offset - end[one.document_id] <= GAP


def small(count: int) -> list[Placed]:
    return [
        Placed(TaskMember(n, "", "configuration", f"{n}", n * 10, 10, 10, 8, 0, encrypted=False), n * 10 + 10)
        for n in range(count)
    ]


def test_a_task_has_so_many_members_at_the_most() -> None:
    assert [len(task.members) for task in group_tasks(small(2 * MEMBERS + 1), 1, 1)] == [MEMBERS, MEMBERS, 1]


def test_nothing_is_no_task() -> None:
    assert list(group_tasks([], 1, 1)) == list[Task]()
