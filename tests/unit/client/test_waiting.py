import itertools

import pytest

from onec_rag_client.api import OnecRag
from onec_rag_client.errors import NotFound, VectorsMissing
from onec_rag_client.results import Source, Upload
from onec_rag_client.waiting import PATIENCE_SECONDS, POLL_SECONDS, wait_for_text, wait_for_vectors
from unit.client.fake_api import KEY, UPLOAD_ID, FakeApi, make_source


def test_an_upload_is_watched_until_it_ends(fake: FakeApi) -> None:
    fake.upload_steps.extend(
        [{"state": "parked"}, {"state": "loading", "tasks": 4, "tasks_done": 1}, {"state": "ready", "tasks_done": 4}]
    )
    seen: list[Upload] = []
    pauses: list[float] = []
    with OnecRag(fake.url, KEY) as api:
        upload = wait_for_text(api, UPLOAD_ID, seen.append, pauses.append)
    assert [item["state"] for item in seen] == ["parked", "loading", "ready"]
    assert upload["tasks_done"] == 4
    assert pauses == [POLL_SECONDS] * 2


def watch_vectors(fake: FakeApi, seconds_a_look: float = 1) -> list[Source]:
    seen: list[Source] = []
    ticks = itertools.count(step=seconds_a_look)
    with OnecRag(fake.url, KEY) as api:
        wait_for_vectors(api, "bsp", seen.append, lambda _: None, lambda: next(ticks))
    return seen


def test_vectors_are_watched_until_all_are_there(fake: FakeApi) -> None:
    fake.sources = [make_source(vectors=0, coverage=0.0)]
    fake.vector_steps.extend([{}, {"vectors": 40_000, "coverage": 0.53}, {"vectors": 75_000, "coverage": 1.0}])
    assert [source["vectors"] for source in watch_vectors(fake)] == [0, 40_000, 75_000]


def test_a_problem_that_passes_is_waited_out(fake: FakeApi) -> None:
    fake.sources = [make_source(vectors=0, coverage=0.0)]
    fake.vector_steps.extend([{"vector_problem": "429 too many requests"}] * 5)
    fake.vector_steps.append({"vector_problem": None, "vectors": 75_000, "coverage": 1.0})
    assert len(watch_vectors(fake)) == 6


def test_a_problem_that_lasts_is_told(fake: FakeApi) -> None:
    fake.sources = [make_source(vectors=10, coverage=0.1, vector_problem="no embedding endpoint is configured")]
    with pytest.raises(VectorsMissing, match="no embedding endpoint"):
        watch_vectors(fake, seconds_a_look=PATIENCE_SECONDS)


def test_vectors_that_are_slow_without_a_problem_are_waited_for(fake: FakeApi) -> None:
    fake.sources = [make_source(vectors=10, coverage=0.1)]
    fake.vector_steps.extend([{}, {}, {}, {"vectors": 75_000, "coverage": 1.0}])
    assert len(watch_vectors(fake, seconds_a_look=PATIENCE_SECONDS)) == 4


def test_a_source_that_the_key_does_not_see_is_not_found(fake: FakeApi) -> None:
    with pytest.raises(NotFound):
        watch_vectors(fake)
