"""A large source gets a shard of its own, made apart and attached when its first release is ready."""

import pytest

from integration.configuration import configuration, zipped
from integration.indexing.rows import visible
from integration.service import Service
from onec_rag.indexing import grouping, plan
from onec_rag.indexing.activate import fail_upload

pytestmark = pytest.mark.integration

PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"


@pytest.fixture
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "LARGE", 0)


def shards(service: Service) -> dict[str, bool]:
    """Every shard's table, and whether it is attached."""
    return {
        row["relname"]: row["attached"]
        for row in service.rows(
            "SELECT relname, relispartition AS attached FROM pg_class"
            " WHERE relkind = 'r' AND relname ~ '^chunk_[1-9]' ORDER BY 1"
        )
    }


@pytest.mark.usefixtures("_everything_is_large")
def test_a_large_first_load_fills_a_shard_that_nobody_sees_yet(service: Service) -> None:
    service.put("shop", zipped(configuration()))
    service.run(most=1)
    assert shards(service) == {"chunk_1": False}
    service.run()
    assert shards(service) == {"chunk_1": True}
    assert service.value("SELECT count(*) FROM chunk_1") == 15
    assert service.value("SELECT count(*) FROM chunk_0") == 0
    assert len(service.find("цена товара", PRICE)) == 1


def test_a_large_source_shows_what_a_small_one_shows(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.load("small", zipped(configuration()))
    monkeypatch.setattr(plan, "LARGE", 0)
    service.load("large", zipped(configuration()))
    service.load("large", zipped(configuration("2.0")))
    service.load("small", zipped(configuration("2.0")))
    for release in (1, 2):
        assert visible(service, "small", release) == visible(service, "large", release)
    assert service.rows("SELECT shard FROM source ORDER BY name") == [{"shard": 2}, {"shard": 0}]
    assert {hit.place.source for hit in service.ask("цена товара", limit=50).hits} == {"small", "large"}


@pytest.mark.usefixtures("_everything_is_large")
def test_a_failed_large_first_load_drops_its_shard(service: Service) -> None:
    service.put("shop", zipped(configuration()))
    service.run(most=2)
    fail_upload(service.indexing, str(service.uploads("shop")[0]["id"]), "enough")
    assert shards(service) == {}
    assert service.ask("цена").hits == ()
    upload = service.load("shop", zipped(configuration()), name="again.zip")
    assert (upload["state"], upload["release"]) == ("ready", 2)
    assert shards(service) == {"chunk_1": True}
    assert len(service.find("цена товара", PRICE)) == 1


def test_a_small_load_after_a_failed_large_one_goes_to_the_shared_shard(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(plan, "LARGE", 0)
        service.put("shop", zipped(configuration()))
        service.run(most=2)
        fail_upload(service.indexing, str(service.uploads("shop")[0]["id"]), "enough")
    service.load("shop", zipped(configuration()), name="again.zip")
    assert shards(service) == {}
    assert service.value("SELECT shard FROM source") == 0
    assert service.value("SELECT count(*) FROM chunk_0") == 15


def test_a_source_stays_in_its_shard_however_it_grows(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.load("shop", zipped(configuration()))
    monkeypatch.setattr(plan, "LARGE", 0)
    service.load("shop", zipped(configuration("2.0")))
    assert shards(service) == {}
    assert service.find("цена товара", PRICE)[0].place.release == "2.0"


@pytest.mark.usefixtures("_everything_is_large")
def test_a_failed_second_release_of_a_large_source_is_taken_back(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.load("shop", zipped(configuration()))
    before = visible(service, "shop")
    monkeypatch.setattr(grouping, "MEMBERS", 2)
    service.put("shop", zipped(configuration("2.0")))
    service.run(most=5)  # planned, three tasks of descriptors and one of content
    assert service.value("SELECT count(*) FROM chunk_1 WHERE added_in = 2") > 0
    fail_upload(service.indexing, str(service.uploads("shop")[0]["id"]), "enough")
    assert visible(service, "shop") == before
    assert shards(service) == {"chunk_1": True}
