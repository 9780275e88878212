"""Uploads of one source in whatever order their events come: what arrived last is what is served."""

import json
import random
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from integration.configuration import configuration, descriptor, zipped
from integration.databases import Dsns
from integration.indexing.rows import row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.plan import plan_upload
from onec_rag.store import uploads

pytestmark = pytest.mark.integration

FIRST, SECOND, THIRD = (zipped(configuration(f"{number}.0")) for number in (1, 2, 3))
LATER = "an upload of this source that came later is loaded"
PAGES = {f"{number}.md": f"# Страница {number}\n\nТекст {number}.\n" for number in range(4)}


def states(service: Service, source: str = "shop") -> dict[str, tuple[str, str | None]]:
    """State and reason of each upload, by the name of its file."""
    return {row["key"].rpartition("/")[2]: (row["state"], row["reason"]) for row in service.uploads(source)}


def current(service: Service, source: str = "shop") -> str:
    """The label of what is served."""
    label: str = service.value(
        "SELECT label FROM release JOIN source ON source.id = source_id AND no = current_release WHERE name = %s",
        source,
    )
    return label


def events(service: Service) -> list[dict[str, Any]]:
    """Takes the waiting events out of the queue."""
    waiting = [json.loads(message) for message in service.cloud.queues["plan"]]
    service.cloud.queues["plan"].clear()
    return waiting


def tell(service: Service, *told: dict[str, Any]) -> None:
    for event in told:
        service.cloud.queues["plan"].append(json.dumps(event))
        service.run()


def test_an_older_upload_that_comes_late_does_not_replace_a_later_one(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.put("shop", SECOND, "2.zip")
    first, second = events(service)
    tell(service, second, first)
    assert states(service) == {"1.zip": ("superseded", LATER), "2.zip": ("ready", None)}
    assert current(service) == "2.0"
    assert row_counts(service)["release"] == 1


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_in_any_order_of_events_the_last_upload_is_served(service: Service, order: tuple[int, ...]) -> None:
    for number, data in enumerate((FIRST, SECOND, THIRD), 1):
        service.put("shop", data, f"{number}.zip")
    told = events(service)
    tell(service, *(told[number] for number in order))
    service.load("fresh", THIRD)
    assert visible(service, "shop") == visible(service, "fresh")


@pytest.mark.parametrize("seed", range(4))
def test_events_that_come_at_once_and_twice_end_with_the_last_upload(service: Service, seed: int) -> None:
    for number, data in enumerate((FIRST, SECOND, THIRD), 1):
        service.put("shop", data, f"{number}.zip")
    random.Random(seed).shuffle(service.cloud.queues["plan"])
    service.run(twice=True, seed=seed)
    assert current(service) == "3.0"
    assert states(service)["3.zip"] == ("ready", None)


def test_parked_uploads_are_loaded_in_the_order_in_which_they_arrived(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.put("shop", THIRD, "3.zip")
    second, third = events(service)[-2:]
    for event in (third, second):
        service.cloud.queues["plan"].append(json.dumps(event))
    service.run()
    assert [(row["state"], row["label"]) for row in service.uploads("shop")][:1] == [("ready", "2.0")]
    assert service.rows("SELECT label FROM release ORDER BY no") == [{"label": f"{number}.0"} for number in (1, 2, 3)]


def test_a_late_page_joins_pages_and_not_what_replaced_it(service: Service) -> None:
    service.load("docs", zipped(PAGES, ""), "all.zip")
    service.put("docs", "# Пятая\n\nТекст.\n".encode(), "5.md")
    service.put("docs", "# Шестая\n\nТекст.\n".encode(), "6.md")
    fifth, sixth = events(service)
    tell(service, sixth, fifth)
    assert states(service, "docs")["5.md"] == ("ready", None)
    service.put("docs", "# Седьмая\n\nТекст.\n".encode(), "7.md")
    service.put("docs", zipped(PAGES, ""), "again.zip")
    seventh, again = events(service)
    tell(service, again, seventh)
    assert states(service, "docs")["7.md"] == ("superseded", LATER)
    assert len(visible(service, "docs")["documents"]) == 4


def test_earlier_bytes_under_the_same_key_are_loaded_again(service: Service) -> None:
    for data, label in ((FIRST, "1.0"), (SECOND, "2.0"), (FIRST, "1.0")):
        assert service.load("shop", data)["state"] == "ready"
        assert current(service) == label
    assert len(service.uploads("shop")) == 3


def test_a_late_event_of_an_earlier_version_finds_the_later_one(service: Service) -> None:
    service.put("shop", FIRST)
    service.put("shop", SECOND)
    first, second = events(service)
    tell(service, second, first, second)
    assert len(service.uploads("shop")) == 1
    assert current(service) == "2.0"


def test_the_time_of_an_event_is_that_of_its_own_version_alone(service: Service) -> None:
    """Else the late event would make the later version look older than an upload between the two."""
    service.put("shop", FIRST, "same.zip")
    service.put("shop", SECOND, "between.zip")
    service.put("shop", THIRD, "same.zip")
    first, between, _ = events(service)
    tell(service, between, first)
    assert current(service) == "3.0"


def test_an_object_that_is_replaced_while_it_is_parked_gives_way_to_the_new_one(service: Service) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", SECOND, "2.zip")
    service.run(most=1)
    service.put("shop", THIRD, "2.zip")
    service.run()
    assert [(row["state"], row["reason"]) for row in service.uploads("shop")] == [
        ("ready", None), ("superseded", "the object was replaced before it was read"), ("ready", None),
    ]  # fmt: skip
    assert current(service) == "3.0"


@pytest.mark.parametrize("second", [FIRST, SECOND], ids=["the same bytes", "replaced"])
def test_a_parked_upload_that_needs_nothing_wakes_the_next_one(service: Service, second: bytes) -> None:
    service.put("shop", FIRST, "1.zip")
    service.run(most=2)
    service.put("shop", second, "2.zip")
    service.put("shop", THIRD, "3.zip")
    service.run(most=2)
    assert [row["state"] for row in service.uploads("shop")] == ["parked", "parked", "loading"]
    if second is SECOND:
        service.put("shop", zipped(configuration("2.5")), "2.zip")
        service.cloud.queues["plan"].clear()
    service.run()
    assert states(service)["2.zip"][0] == ("unchanged" if second is FIRST else "superseded")
    assert states(service)["3.zip"] == ("ready", None)


def test_a_planner_that_comes_late_does_not_end_what_another_has_planned(service: Service) -> None:
    service.put("shop", FIRST)
    service.run(most=1)
    with service.indexing.database.transaction() as connection:
        loading = uploads.read_upload(connection, str(service.uploads("shop")[0]["id"]))
    assert loading is not None
    service.put("shop", SECOND)
    plan_upload(service.indexing, replace(loading, release_no=None))
    assert service.uploads("shop")[0]["state"] == "loading"
    service.run()
    assert [row["state"] for row in service.uploads("shop")] == ["ready", "failed"]
    assert current(service) == "2.0"


def test_both_events_of_a_multipart_upload_are_one_upload(service: Service) -> None:
    service.put("shop", FIRST)
    (event,) = events(service)
    again = event | {"time": "2026-01-01T00:00:09Z", "detail": event["detail"] | {"reason": "CompleteMultipartUpload"}}
    tell(service, event)
    before = row_counts(service)
    tell(service, again)
    assert row_counts(service) == before


def test_a_test_event_of_the_bucket_is_passed_over(service: Service) -> None:
    tell(service, {"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": BUCKET})
    assert service.uploads() == []


@pytest.mark.parametrize("time", ["yesterday", 1_767_225_600.5, None])
def test_an_event_without_a_time_that_can_be_read_is_planned(service: Service, time: object) -> None:
    service.put("shop", FIRST)
    (event,) = events(service)
    tell(service, event | {"time": time})
    assert current(service) == "1.0"


def test_a_new_version_under_a_known_key_whose_event_was_lost_is_planned_by_resume(service: Service) -> None:
    service.load("shop", FIRST)
    service.put("shop", SECOND)
    service.cloud.lose_messages()
    assert resume(service.indexing, BUCKET)["uploads"] == 1
    service.run()
    assert current(service) == "2.0"
    assert resume(service.indexing, BUCKET)["uploads"] == 0


def test_a_later_upload_takes_the_place_of_one_that_is_held(database: Dsns) -> None:
    other = zipped({"Configuration.xml": descriptor("Configuration", "Магазин", "", "<Version>2.0</Version>")})
    with service_over(database, most_removed=0.3) as service:
        service.load("shop", FIRST, "1.zip")
        held = service.load("shop", other, "2.zip")
        assert held["state"] == "held"
        assert service.load("shop", b"not a zip", "3.zip")["state"] == "failed"
        assert states(service)["2.zip"][0] == "held", "what failed takes nobody's place"
        assert service.load("shop", other, "4.zip", label="4.0")["state"] == "held"
        assert states(service)["2.zip"] == ("superseded", LATER)
        assert service.load("shop", THIRD, "5.zip")["state"] == "ready"
        assert states(service)["4.zip"] == ("superseded", LATER)
        with service.search.database.transaction(("shop",)) as connection:
            assert uploads.confirm_upload(connection, str(held["id"])) == "superseded"


def test_an_older_upload_that_comes_late_leaves_a_held_one_as_it_is(database: Dsns) -> None:
    other = zipped({"Configuration.xml": descriptor("Configuration", "Магазин", "", "<Version>3.0</Version>")})
    with service_over(database, most_removed=0.3) as service:
        service.load("shop", FIRST, "1.zip")
        service.put("shop", SECOND, "2.zip")
        service.put("shop", other, "3.zip")
        second, third = events(service)
        tell(service, third, second)
        assert {name: state for name, (state, _) in states(service).items()} == {
            "1.zip": "ready", "2.zip": "ready", "3.zip": "held",
        }  # fmt: skip
