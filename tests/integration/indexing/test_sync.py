"""`aws s3 sync` of a folder: loose objects below `sync/<source>/`, with the rows that a zip of the same files gives."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from integration.configuration import Files, configuration, descriptor, zipped
from integration.databases import Dsns
from integration.indexing.rows import Seen, row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.indexing import compose
from onec_rag.indexing.clean_up import resume
from onec_rag.indexing.plan import plan_message

pytestmark = pytest.mark.integration

MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
BATCH = [{"sync": "shop", "bucket": BUCKET}]


def sync(service: Service, files: Mapping[str, str | bytes], source: str = "shop") -> None:
    """What `aws s3 sync --delete` does: puts what differs, deletes what is no longer there."""
    prefix = f"sync/{source}/"
    wanted = {prefix + path: data.encode() if isinstance(data, str) else data for path, data in files.items()}
    for bucket, key in list(service.cloud.objects):
        if key.startswith(prefix) and key not in wanted:
            service.cloud.remove(bucket, key)
    for key, data in wanted.items():
        stored = service.cloud.objects.get((BUCKET, key))
        if stored is None or stored.data != data:
            service.cloud.put(BUCKET, key, data)


def rest(service: Service) -> None:
    """Lets a minute pass in which nothing changes, and then everything that is due be done."""
    service.run()
    service.rows("UPDATE sync_batch SET changed_at = changed_at - interval '61 seconds' RETURNING source_name")
    service.cloud.release_delayed()
    service.run()


def delayed(service: Service) -> list[dict[str, Any]]:
    return [json.loads(body) for _, body, _ in service.cloud.delayed]


def as_zip(service: Service, files: Files) -> Seen:
    """What a zip of these files shows."""
    service.load("fresh", zipped(files, ""), "fresh.zip")
    return visible(service, "fresh")


@pytest.fixture
def synced(service: Service) -> Service:
    sync(service, configuration())
    rest(service)
    return service


def test_objects_of_a_folder_give_the_rows_of_a_zip_of_it(synced: Service) -> None:
    (upload,) = synced.uploads("shop")
    assert (upload["state"], upload["label"], upload["key"]) == ("ready", "1.0.1", "sync/shop/")
    assert visible(synced, "shop") == as_zip(synced, configuration())


def test_all_changes_of_a_batch_are_one_release_after_a_minute_of_rest(service: Service) -> None:
    sync(service, configuration())
    service.run()
    assert delayed(service) == BATCH
    assert service.cloud.delayed[0][2] == 60
    service.cloud.release_delayed()
    service.run()
    assert service.uploads() == [], "the batch has not been quiet for long enough"
    assert delayed(service) == BATCH, "it is asked for again"
    rest(service)
    assert [row["state"] for row in service.uploads("shop")] == ["ready"]
    assert service.cloud.delayed == []
    assert service.rows("SELECT FROM sync_batch") == []


def edits() -> dict[str, Files]:
    base = configuration("2.0")
    less = dict(base)
    del less["Subsystems/Торговля.xml"]
    return {
        "a synonym": base | {"Catalogs/Товары.xml": descriptor("Catalog", "Товары", "Номенклатура")},
        "a file is gone": less,
        "a file is new": base | {"Catalogs/Склады.xml": descriptor("Catalog", "Склады", "Места хранения")},
        "a file is empty": base | {MODULE: ""},
        "nearly all is gone": {"Configuration.xml": base["Configuration.xml"]},
    }


@pytest.mark.parametrize("edit", edits())
def test_the_next_batch_gives_the_rows_of_a_zip_too(synced: Service, edit: str) -> None:
    files = edits()[edit]
    sync(synced, files)
    rest(synced)
    assert synced.uploads("shop")[0]["state"] == "ready"
    assert visible(synced, "shop") == as_zip(synced, files)


def test_objects_that_did_not_change_are_not_read_again(synced: Service) -> None:
    for number in (2, 3):
        synced.cloud.reads.clear()
        sync(synced, configuration() | {MODULE: f"// {number}\n\nПроцедура А()\nКонецПроцедуры\n"})
        rest(synced)
        loose = {key for key, _ in synced.cloud.reads if key.startswith("sync/")}
        assert loose == {f"sync/shop/{MODULE}"}
    assert synced.uploads("shop")[0]["release"] == 3


def test_of_a_source_one_archive_is_kept_and_none_of_what_failed(synced: Service) -> None:
    def kept() -> list[str]:
        return [key for _, key in synced.cloud.objects if key.startswith(("content/", "staged/"))]

    (first,) = kept()
    assert first == f"content/shop/{synced.uploads('shop')[0]['id']}.zip"
    sync(synced, configuration("2.0"))
    rest(synced)
    assert kept() == [f"content/shop/{synced.uploads('shop')[0]['id']}.zip"]
    sync(synced, {"Configuration.xml": "<MetaDataObject>"})
    rest(synced)
    assert synced.uploads("shop")[0]["state"] == "failed"
    assert kept() == [f"content/shop/{synced.uploads('shop')[1]['id']}.zip"]
    synced.cloud.clock = datetime.now(UTC) - timedelta(seconds=1)  # the archive comes now, after what was synchronised
    synced.load("shop", zipped(configuration("3.0"), ""))
    assert kept() == []


def test_an_archive_that_is_gone_is_made_anew(synced: Service) -> None:
    for place in [place for place in synced.cloud.objects if place[1].startswith("content/")]:
        del synced.cloud.objects[place]
    sync(synced, configuration("2.0"))
    rest(synced)
    assert synced.uploads("shop")[0]["state"] == "ready"
    assert visible(synced, "shop") == as_zip(synced, configuration("2.0"))


@pytest.mark.parametrize("seed", range(3))
def test_events_twice_and_in_any_order_give_one_release(service: Service, seed: int) -> None:
    sync(service, configuration())
    service.run(twice=True, seed=seed)
    service.rows("UPDATE sync_batch SET changed_at = changed_at - interval '61 seconds' RETURNING source_name")
    service.cloud.release_delayed()
    service.run(twice=True, seed=seed)
    assert [row["state"] for row in service.uploads("shop")] == ["ready"]
    assert visible(service, "shop") == as_zip(service, configuration())


def test_a_batch_without_a_difference_is_nothing(synced: Service) -> None:
    before = row_counts(synced)
    for _ in range(2):
        synced.cloud.put(BUCKET, f"sync/shop/{MODULE}", synced.cloud.objects[BUCKET, f"sync/shop/{MODULE}"].data)
        rest(synced)
    assert row_counts(synced) == before


def test_a_change_that_comes_while_the_batch_is_closed_makes_another(synced: Service) -> None:
    sync(synced, configuration("2.0"))
    synced.run()
    synced.rows("UPDATE sync_batch SET changed_at = changed_at - interval '61 seconds' RETURNING source_name")
    synced.cloud.delayed.clear()
    plan_message(synced.indexing, BATCH[0])
    sync(synced, configuration("3.0"))
    rest(synced)
    assert [(row["state"], row["label"]) for row in synced.uploads("shop")][:2] == [("ready", "3.0"), ("ready", "2.0")]


def test_a_folder_that_changes_before_it_is_read_gives_way_to_the_next_batch(synced: Service) -> None:
    synced.cloud.clock = datetime.now(UTC) - timedelta(seconds=1)  # the archive comes now, after what was synchronised
    synced.put("shop", zipped(configuration("1.5"), ""), "other.zip")
    synced.run(most=2)
    sync(synced, configuration("2.0"))
    synced.run(most=1)
    synced.rows("UPDATE sync_batch SET changed_at = changed_at - interval '61 seconds' RETURNING source_name")
    synced.cloud.delayed.clear()
    plan_message(synced.indexing, BATCH[0])
    assert synced.uploads("shop")[0]["state"] == "parked"
    sync(synced, configuration("3.0"))
    rest(synced)
    assert {row["label"]: row["state"] for row in synced.uploads("shop")} == {
        "3.0": "ready", None: "superseded", "1.5": "ready", "1.0.1": "ready",
    }  # fmt: skip


def test_lost_events_and_messages_are_found_by_resume(service: Service) -> None:
    sync(service, configuration())
    service.cloud.lose_messages()
    resume(service.indexing, BUCKET)
    rest(service)
    assert [row["label"] for row in service.uploads("shop")] == ["1.0.1"]
    sync(service, configuration("2.0"))
    service.run()
    service.cloud.lose_messages()
    resume(service.indexing, BUCKET)
    rest(service)
    assert [row["label"] for row in service.uploads("shop")] == ["2.0", "1.0.1"]
    resume(service.indexing, BUCKET)
    assert service.cloud.delayed == []


def test_a_folder_of_which_most_is_deleted_is_held(database: Dsns) -> None:
    with service_over(database, most_removed=0.3) as service:
        sync(service, configuration())
        rest(service)
        sync(service, {"Configuration.xml": configuration("2.0")["Configuration.xml"]})
        rest(service)
        assert service.uploads("shop")[0]["state"] == "held"
        sync(service, configuration("3.0"))
        rest(service)
        assert [row["state"] for row in service.uploads("shop")] == ["ready", "superseded", "ready"]


def test_a_folder_that_is_empty_fails_and_one_that_never_was_is_nothing(synced: Service) -> None:
    before = visible(synced, "shop")
    sync(synced, {})
    rest(synced)
    assert synced.uploads("shop")[0]["reason"] == "sync/shop/: nothing is left of this folder"
    assert visible(synced, "shop") == before
    synced.cloud.put(BUCKET, "sync/nobody/a.md", b"# A\n\nB")
    synced.cloud.remove(BUCKET, "sync/nobody/a.md")
    rest(synced)
    assert synced.uploads("nobody") == []


@pytest.mark.parametrize("key", ["sync/a.md", "sync//a.md", "sync/a,b/a.md", "sync/"])
def test_objects_beside_the_sources_are_passed_over(service: Service, key: str) -> None:
    service.cloud.put(BUCKET, key, b"# A\n\nB")
    rest(service)
    resume(service.indexing, BUCKET)
    rest(service)
    assert service.uploads() == []
    assert service.rows("SELECT FROM sync_batch") == []


def test_large_and_empty_objects_and_marks_of_folders_are_taken_as_they_are(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onec_rag.indexing.loose.BUFFER", 100)
    monkeypatch.setattr(compose, "BUFFER", 100)
    files: Files = configuration() | {"Catalogs/": "", "CommonModules/Пустой/Ext/Module.bsl": ""}
    sync(service, files)
    rest(service)
    assert visible(service, "shop") == as_zip(service, files)
