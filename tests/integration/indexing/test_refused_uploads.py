"""Uploads that give nothing: they fail with a reason, leave nothing behind, and what was served is served on."""

import json
from collections.abc import Iterator

import pytest

from integration.configuration import configuration, zipped
from integration.databases import Dsns, Template
from integration.indexing.rows import row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits
from onec_rag.indexing.keys import source_of
from onec_rag.indexing.plan import plan_message
from unit.formats.zip_builder import build

pytestmark = pytest.mark.integration

PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"
REFUSED = {
    "no zip": (b"not a zip at all", "not a zip archive"),
    "an empty file": (b"", "not a zip archive: the file is empty"),
    "a 7z": (b"7z\xbc\xaf\x27\x1c" + bytes(50), "a 7z archive"),
    "an empty zip": (build([]), "the archive is empty"),
    "a cut zip": (zipped(configuration())[:-100], "truncated"),
    "no known root": (zipped({"Catalogs/Товары.xml": "<x/>", "photo.png": "x"}), "nothing in this upload is known"),
    "nothing readable": (zipped({"Configuration.xml": "<MetaDataObject>"}), "no file of this upload could be read"),
    "only empty files": (zipped({"а.md": "\n"}, ""), "no file of this upload could be read"),
}


@pytest.fixture(scope="module")
def loaded(template_database: Template) -> Iterator[Service]:
    """A release of `shop` that all the refused uploads find."""
    with template_database.clone() as dsns, service_over(dsns) as service:
        service.load("shop", zipped(configuration()), label="first")
        yield service


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_upload_says_why_and_leaves_nothing(loaded: Service, case: str) -> None:
    data, reason = REFUSED[case]
    before = row_counts(loaded)
    upload = loaded.load(f"new-{case}".replace(" ", "-"), data)
    assert (upload["state"], upload["release"]) == ("failed", None)
    assert reason in upload["reason"]
    after = row_counts(loaded)
    written = {table for table, count in after.items() if count != before[table]}
    assert written <= {"upload", "upload_task", "file_problem", "source", "release"}
    assert loaded.rows("SELECT FROM release WHERE state <> 'failed'") == [{}], "that of the other source alone"


@pytest.mark.parametrize("case", REFUSED)
def test_an_earlier_release_is_served_on(loaded: Service, case: str) -> None:
    before = visible(loaded, "shop")
    assert loaded.load("shop", REFUSED[case][0], label="second")["state"] == "failed"
    assert visible(loaded, "shop") == before
    assert loaded.find("цена товара", PRICE)[0].place.release == "first"


def test_what_failed_leaves_no_trace_in_what_follows(service: Service) -> None:
    service.load("shop", zipped(configuration()), label="first")
    for data, _ in REFUSED.values():
        service.load("shop", data)
    service.load("shop", zipped(configuration("1.0.2")), label="second")
    service.load("fresh", zipped(configuration("1.0.2")), label="second")
    assert visible(service, "shop") == visible(service, "fresh")


def test_a_single_page_does_not_join_a_configuration(service: Service) -> None:
    service.load("shop", zipped(configuration()), label="first")
    before = visible(service, "shop")
    upload = service.load("shop", "# Страница\n\nТекст.\n".encode(), name="page.md")
    assert upload["state"] == "failed"
    assert "the kind configuration, this upload is of the kind documentation" in upload["reason"]
    assert visible(service, "shop") == before


def test_an_archive_above_a_limit_is_refused(database: Dsns) -> None:
    with service_over(database, limits=Limits(entries=3)) as service:
        upload = service.load("shop", zipped(configuration()))
        assert (upload["state"], upload["reason"]) == ("failed", "the archive holds more than the 3 entries allowed")


def test_an_object_that_was_replaced_before_it_was_read_fails(service: Service) -> None:
    service.put("shop", zipped(configuration()))
    (event,) = service.cloud.queues["plan"]
    service.cloud.queues["plan"].clear()
    service.put("shop", zipped(configuration("2.0")))
    # The earlier event comes last. By then its object has the later bytes, and a load of those exists already.
    service.cloud.queues["plan"].append(event)
    service.run()
    assert [upload["state"] for upload in service.uploads("shop")] == ["ready"]
    assert service.uploads("shop")[0]["label"] == "2.0"


@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "deleted"])
def test_an_object_that_changes_while_it_is_read_fails_its_upload(service: Service, replaced: bool) -> None:
    service.load("shop", zipped(configuration()), name="first.zip", label="first")
    before = visible(service, "shop")
    service.put("shop", zipped(configuration("2.0")))
    (event,) = service.cloud.queues["plan"]
    service.cloud.queues["plan"].clear()
    plan_message(service.indexing, json.loads(event))  # by hand, so that something can happen before the next step
    key = (BUCKET, "uploads/shop/cf.zip")
    del service.cloud.objects[key]
    if replaced:
        service.cloud.put(*key, zipped(configuration("3.0")))
        service.cloud.queues["plan"].clear()
    service.run()
    upload = service.uploads("shop")[0]
    assert upload["state"] == "failed"
    assert "the object was deleted or replaced while it was being read" in upload["reason"]
    assert visible(service, "shop") == before


def test_an_object_that_is_gone_before_it_is_planned_is_no_endless_message(service: Service) -> None:
    service.put("shop", zipped(configuration()))
    service.cloud.objects.clear()
    service.run()
    assert service.uploads() == []


@pytest.mark.parametrize("key", ["uploads/cf.zip", "uploads//cf.zip", "uploads/shop/", "uploads/"])
def test_a_key_without_a_source_is_no_endless_message(service: Service, key: str) -> None:
    service.cloud.put(BUCKET, key, zipped(configuration()))
    service.run()
    assert service.uploads() == []
    with pytest.raises(PermanentError, match=r"an upload is put to uploads/<source>/<name>"):
        source_of(key)


def test_events_that_are_no_uploads_are_passed_over(service: Service) -> None:
    service.cloud.put(BUCKET, "exports/shop/cf.zip", zipped(configuration()))
    deleted = {"bucket": {"name": BUCKET}, "object": {"key": "uploads/shop/cf.zip"}}
    service.cloud.queues["plan"] += [
        json.dumps({"detail-type": "Object Deleted", "detail": deleted}),
        json.dumps({"upload": "00000000-0000-4000-8000-000000000000"}),
    ]
    service.run()
    assert service.uploads() == []


def test_an_upload_of_a_failed_one_under_the_same_bytes_is_tried_again(service: Service) -> None:
    bad = zipped({"Configuration.xml": "<MetaDataObject>"})
    assert service.load("shop", bad)["state"] == "failed"
    assert service.load("shop", bad, name="again.zip")["state"] == "failed"
    assert len(service.uploads("shop")) == 2
