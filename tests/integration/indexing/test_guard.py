"""An upload that would remove a large part of its source waits until somebody confirms it."""

from collections.abc import Iterator
from typing import Any

import pytest

from integration.configuration import Files, configuration, descriptor, zipped
from integration.databases import Dsns
from integration.indexing.rows import row_counts, visible
from integration.service import BUCKET, Service, service_over
from onec_rag.indexing.clean_up import resume
from onec_rag.store import uploads
from onec_rag.store.database import Database

pytestmark = pytest.mark.integration

DOCUMENTS = 8
REASON = "it would remove 7 of 8 documents, more than 30%; to be confirmed"
OTHER = {"Configuration.xml": descriptor("Configuration", "Магазин", "Магазин", "<Version>2.0</Version>")}
SERVED = ("chunk", "document", "name", "membership", "word", "word_of_task")


@pytest.fixture
def loaded(database: Dsns) -> Iterator[Service]:
    """Eight documents behind a guard of 30 %."""
    with service_over(database, most_removed=0.3) as service:
        assert service.load("shop", zipped(configuration()), "1.zip")["state"] == "ready"
        assert service.value("SELECT count(*) FROM document") == DOCUMENTS
        yield service


def without(count: int) -> Files:
    """The configuration without so many of its documents."""
    files = configuration("2.0")
    for path in list(files)[-count:]:
        del files[path]
    return files


def confirm(service: Service, upload: dict[str, Any], sources: str = "*") -> str | None:
    """As the API does it, then as the planner does."""
    database: Database = service.search.database
    with database.transaction((sources,)) as connection:
        refusal = uploads.confirm_upload(connection, str(upload["id"]))
    if refusal is None:
        service.indexing.plan_queue.send([{"upload": str(upload["id"])}])
        service.run()
    return refusal


def of(service: Service, name: str) -> dict[str, Any]:
    """The upload of that file."""
    return next(row for row in service.uploads("shop") if row["key"].endswith(f"/{name}"))


def test_an_upload_without_most_of_the_documents_is_held_before_anything_is_loaded(loaded: Service) -> None:
    before, counts = visible(loaded, "shop"), row_counts(loaded)
    upload = loaded.load("shop", zipped(OTHER), "2.zip")
    assert (upload["state"], upload["release"], upload["tasks"]) == ("held", None, 0)
    assert upload["reason"] == REASON
    assert visible(loaded, "shop") == before
    assert row_counts(loaded) == counts | {"upload": 2}


def test_two_of_eight_are_not_too_many_and_three_are(loaded: Service) -> None:
    assert loaded.load("shop", zipped(without(2)), "2.zip")["state"] == "ready"
    loaded.load("shop", zipped(configuration()), "3.zip")
    assert loaded.load("shop", zipped(without(3)), "4.zip")["state"] == "held"


def test_documents_that_are_there_and_empty_are_counted_too(loaded: Service) -> None:
    pages = {f"{number}.md": f"# Страница {number}\n\nТекст {number}.\n" for number in range(4)}
    loaded.load("docs", zipped(pages, ""), "1.zip", label="first")
    before, counts = visible(loaded, "docs"), row_counts(loaded)
    upload = loaded.load("docs", zipped(pages | {"0.md": "\n", "1.md": "\n"}, ""), "2.zip", label="second")
    assert (upload["state"], upload["release"], upload["tasks"]) == ("held", None, 0)
    assert upload["reason"] == "it would remove 2 of 4 documents, more than 30%; to be confirmed"
    assert visible(loaded, "docs") == before
    assert {table: row_counts(loaded)[table] for table in SERVED} == {table: counts[table] for table in SERVED}
    assert confirm(loaded, upload) is None
    loaded.load("fresh", zipped(pages | {"0.md": "\n", "1.md": "\n"}, ""), "2.zip", label="second")
    assert visible(loaded, "docs") == visible(loaded, "fresh")


def test_a_confirmed_upload_is_loaded_as_any_other(loaded: Service) -> None:
    upload = loaded.load("shop", zipped(OTHER), "2.zip", label="second")
    assert confirm(loaded, upload) is None
    assert (of(loaded, "2.zip")["state"], of(loaded, "2.zip")["reason"]) == ("ready", None)
    loaded.load("fresh", zipped(OTHER), label="second")
    assert visible(loaded, "shop") == visible(loaded, "fresh")


def test_confirming_twice_changes_nothing(loaded: Service) -> None:
    upload = loaded.load("shop", zipped(OTHER), "2.zip")
    assert confirm(loaded, upload) is None
    before = row_counts(loaded)
    assert confirm(loaded, upload) is None
    assert row_counts(loaded) == before


def test_a_confirmation_whose_message_was_lost_is_planned_by_resume(loaded: Service) -> None:
    upload = loaded.load("shop", zipped(OTHER), "2.zip")
    with loaded.search.database.transaction(("shop",)) as connection:
        assert uploads.confirm_upload(connection, str(upload["id"])) is None
    resume(loaded.indexing, BUCKET)
    loaded.run()
    assert of(loaded, "2.zip")["state"] == "ready"


def test_an_upload_may_be_confirmed_while_it_is_loading(loaded: Service) -> None:
    pages = {f"{number}.md": f"# Страница {number}\n\nТекст {number}.\n" for number in range(4)}
    loaded.load("docs", zipped(pages, ""), "1.zip")
    loaded.put("docs", zipped(pages | {"0.md": "\n", "1.md": "\n"}, ""), "2.zip")
    loaded.run(most=1)
    upload = loaded.uploads("docs")[0]
    assert upload["state"] == "loading"
    assert confirm(loaded, upload) is None
    assert loaded.uploads("docs")[0]["state"] == "ready"


def test_what_has_ended_can_not_be_confirmed_nor_what_the_caller_may_not_see(loaded: Service) -> None:
    assert confirm(loaded, of(loaded, "1.zip")) == "ready"
    upload = loaded.load("shop", zipped(OTHER), "2.zip")
    assert confirm(loaded, upload, "docs") == "missing"
    assert confirm(loaded, {"id": "00000000-0000-4000-8000-000000000000"}) == "missing"
    assert of(loaded, "2.zip")["state"] == "held"


def test_a_held_upload_is_in_nobodys_way(loaded: Service) -> None:
    loaded.put("shop", zipped(OTHER), "2.zip")
    loaded.put("shop", zipped(configuration("3.0")), "3.zip")
    loaded.put("stock", zipped(configuration()), "1.zip")
    loaded.run()
    assert loaded.uploads("stock")[0]["state"] == "ready"
    assert of(loaded, "3.zip")["state"] == "ready"


def test_a_first_load_is_never_held(loaded: Service) -> None:
    assert loaded.load("other", zipped(OTHER))["state"] == "ready"


def test_a_single_page_is_not_taken_for_the_whole_of_its_source(loaded: Service) -> None:
    pages = {f"{number}.md": f"# Страница {number}\n\nТекст {number}.\n" for number in range(4)}
    loaded.load("docs", zipped(pages, ""), "1.zip")
    assert loaded.load("docs", "# Пятая\n\nТекст.\n".encode(), "5.md")["state"] == "ready"


@pytest.mark.parametrize("seed", range(3))
def test_messages_that_come_twice_hold_an_upload_once(loaded: Service, seed: int) -> None:
    loaded.put("shop", zipped(OTHER), "2.zip")
    loaded.run(twice=True, seed=seed)
    assert [row["state"] for row in loaded.uploads("shop")] == ["held", "ready"]
