"""Releases are activated and deleted in any order, beside loads and readers: each one stays what a load of it alone
would be."""

import random
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import pytest

from fakes import EmbeddingServer
from integration.configuration import PRICING, Files, configuration, descriptor, references, zipped
from integration.databases import Dsns
from integration.indexing.rows import Seen, row_counts, visible
from integration.service import BUCKET, Service, embedder_of, service_over
from onec_rag.errors import InvalidRequest, NotFound
from onec_rag.indexing import plan, retire
from onec_rag.indexing.activate import fail_upload
from onec_rag.store import releases
from onec_rag.store.database import ALL_SOURCES

pytestmark = pytest.mark.integration

MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"
PAGES = 6
BROKEN = {"Catalogs/Товары.xml": "<MetaDataObject"}


def delete(service: Service, release: int | str, source: str = "shop") -> None:
    """As the API does it, in its role."""
    retire.delete_release(service.search.database, ALL_SOURCES, source, str(release))


def activate(service: Service, release: int | str, source: str = "shop") -> None:
    with service.search.database.transaction(ALL_SOURCES) as connection:
        found = releases.find_release(connection, source, str(release))
        assert releases.activate_old_release(connection, found["source_id"], found["release"]) is None


def load(service: Service, *versions: Files, source: str = "shop") -> None:
    """One release of each, labelled by its number among them."""
    for number, files in enumerate(versions, 1):
        upload = service.load(source, zipped(files), name=f"{number}.zip", label=str(number))
        assert upload["state"] == "ready"


def fresh(service: Service, files: Files, name: str) -> Seen:
    """What a source shows that was loaded from nothing else."""
    load(service, files, source=name)
    return visible(service, name)


def shown(service: Service, source: str = "shop") -> dict[int, Seen]:
    """What each ready release shows, by number."""
    numbers = service.rows(
        "SELECT no FROM release WHERE state = 'ready' AND source_id = (SELECT id FROM source WHERE name = %s)", source
    )
    return {row["no"]: visible(service, source, row["no"]) for row in numbers}


def left_over(service: Service) -> dict[str, int]:
    """Rows that no ready release shows, outlines and vectors that nobody refers to, words that are not folded."""
    ready = "FROM release AS r WHERE r.state = 'ready' AND r.source_id = t.source_id"
    interval = f"SELECT {ready} AND t.added_in <= r.no AND (t.removed_in IS NULL OR t.removed_in > r.no)"
    statements = {
        table: f"SELECT count(*) FROM {table} AS t WHERE NOT EXISTS ({interval})"  # noqa: S608
        for table in ("chunk", "document", "name", "membership")
    } | {
        "outline": "SELECT count(*) FROM outline AS o"
        " WHERE NOT EXISTS (SELECT FROM document WHERE outline_hash = o.hash)",
        "vector": "SELECT count(*) FROM chunk_vector AS v WHERE NOT EXISTS (SELECT FROM chunk WHERE id = v.chunk_id)",
        "word": "SELECT count(*) FROM (SELECT FROM word AS t GROUP BY source_id, word,"  # noqa: S608
        f" (SELECT min(r.no) {ready} AND r.no >= t.release_no) HAVING count(*) > 1 OR bool_or(documents = 0)) AS twice",
    }  # fmt: skip
    counts = {name: service.value(statement) for name, statement in statements.items()}
    return {name: count for name, count in counts.items() if count}


def versions() -> tuple[Files, ...]:
    """Three releases: a procedure and a synonym change, a file goes and another comes, all comes back."""
    first = configuration()
    second = first | {
        MODULE: "\n\n" + PRICING.replace("Возврат Окр(Цена, 0)", "Возврат Окр(Цена, 2)"),
        "Catalogs/Товары.xml": descriptor("Catalog", "Товары", "Номенклатура"),
        "Catalogs/Склады.xml": descriptor("Catalog", "Склады", "Места хранения"),
    }
    del second["Documents/УстановкаЦен/Ext/ObjectModule.bsl"]
    third = first | {
        "Subsystems/Торговля.xml": descriptor("Subsystem", "Торговля", "Торговля", references("Content", [])),
    }
    return first, second, third


def random_version(choice: random.Random) -> Files:
    """A small configuration of parts from small pools, so that parts come and go, move and come back."""
    files = {"Configuration.xml": descriptor("Configuration", "Магазин", "Магазин")}
    names = ["Товары", "Склады", "Цены"]
    for name in names:
        if choice.random() < 0.8:
            synonym = choice.choice(["первый", "второй"])
            files[f"Catalogs/{name}.xml"] = descriptor("Catalog", name, f"{name} {synonym}")
    content = [f"Catalog.{name}" for name in names if choice.random() < 0.5]
    files["Subsystems/Торговля.xml"] = descriptor("Subsystem", "Торговля", "", references("Content", content))
    for name in ("Скидки", "Остатки"):
        procedures = [
            f"Процедура Метод{number}() Экспорт\n\tСумма = {choice.choice([1, 2])};\nКонецПроцедуры\n\n"
            for number in choice.sample(range(5), choice.randint(1, 5))
        ]
        files[f"CommonModules/{name}.xml"] = descriptor("CommonModule", name)
        if choice.random() < 0.9:
            files[f"CommonModules/{name}/Ext/Module.bsl"] = "\n" * choice.randint(0, 2) + "".join(procedures)
    return dict(files)


@pytest.fixture
def three(service: Service) -> Service:
    load(service, *versions())
    return service


def test_an_old_one_is_activated_a_load_follows_and_a_middle_one_goes(three: Service) -> None:
    first, second, third = versions()
    fourth = second | {MODULE: PRICING}
    activate(three, 1)
    assert three.find("цена товара", PRICE)[0].place.release == "1"
    three.load("shop", zipped(fourth), label="4")
    assert three.find("цена товара", PRICE)[0].place.release == "4"
    assert three.value("SELECT count(*) FROM chunk WHERE added_in = 4") < 8, "it was compared with the head"
    delete(three, 2)
    alone = {no: fresh(three, files, f"fresh-{no}") for no, files in ((1, first), (3, third), (4, fourth))}
    assert shown(three) == alone
    assert left_over(three) == {}


@pytest.mark.parametrize("gone", [1, 2])
def test_what_goes_is_what_no_other_release_shows(three: Service, gone: int) -> None:
    before = shown(three)
    delete(three, gone)
    assert shown(three) == {no: seen for no, seen in before.items() if no != gone}
    assert left_over(three) == {}
    with pytest.raises(NotFound, match=f"release {gone} of shop is not here"):
        delete(three, gone)


def test_without_its_head_a_source_is_as_before_it(three: Service) -> None:
    before = shown(three)
    activate(three, 1)
    delete(three, 3)
    assert shown(three) == {1: before[1], 2: before[2]}
    assert left_over(three) == {}
    assert three.rows("SELECT head_release, current_release FROM source") == [{"head_release": 2, "current_release": 1}]


def test_a_number_is_never_given_twice(three: Service) -> None:
    activate(three, 1)
    delete(three, 3)
    delete(three, 2)
    upload = three.load("shop", zipped(versions()[1]), name="again.zip", label="again")
    assert upload["release"] == 4
    assert visible(three, "shop") == fresh(three, versions()[1], "fresh")
    assert left_over(three) == {}


def test_a_deleted_head_takes_its_stale_marks_along(service: Service) -> None:
    load(service, configuration())
    before = visible(service, "shop")
    service.load("shop", zipped(configuration() | BROKEN), label="broken")
    assert service.value("SELECT count(*) FROM document WHERE stale_since = 2") == 1
    activate(service, 1)
    delete(service, "broken")
    assert visible(service, "shop") == before
    assert service.value("SELECT count(*) FROM document WHERE stale_since IS NOT NULL") == 0


def test_a_file_that_stays_unreadable_is_stale_when_the_first_of_these_releases_goes(service: Service) -> None:
    load(service, configuration())
    for number in (2, 3):
        service.load("shop", zipped(configuration() | BROKEN | {"а.md": str(number)}), label=f"broken {number}")
    before = visible(service, "shop", 3)
    delete(service, 2)
    assert visible(service, "shop", 3) == before
    (hit,) = service.find("артикул", "Справочник.Товары.Реквизит.Артикул")
    assert hit.stale


@pytest.mark.parametrize("seed", range(5))
def test_releases_are_deleted_in_any_order(service: Service, seed: int) -> None:
    choice = random.Random(seed)
    files = [random_version(choice) for _ in range(6)]
    load(service, *files)
    alone = {number: fresh(service, version, f"fresh-{number}") for number, version in enumerate(files, 1)}
    assert shown(service) == alone
    while len(alone) > 1:
        current = choice.choice(sorted(alone))
        activate(service, current)
        gone = choice.choice([number for number in alone if number != current])
        delete(service, gone)
        del alone[gone]
        assert shown(service) == alone, f"release {gone} went, {current} is current"
        assert left_over(service) == {}
    last = random_version(choice)
    service.load("shop", zipped(last), name="last.zip", label="last")
    assert shown(service) == alone | {7: fresh(service, last, "fresh-last")}


def test_the_one_release_left_is_as_large_as_if_it_had_been_alone(service: Service, database: Dsns) -> None:
    choice = random.Random(0)
    files = [random_version(choice) for _ in range(4)]
    load(service, *files)
    for number in (2, 1, 3):
        delete(service, number)
    sizes = row_counts(service)
    load(service, files[-1], source="fresh")
    assert {table: sizes[table] * 2 for table in ("chunk", "document", "name", "membership", "word", "release")} == {
        table: row_counts(service)[table] for table in ("chunk", "document", "name", "membership", "word", "release")
    }
    assert row_counts(service)["outline"] == sizes["outline"], "outlines are shared"


def test_the_current_release_is_not_deleted(three: Service) -> None:
    before = row_counts(three)
    with pytest.raises(InvalidRequest, match="release 3 of shop is the current one; activate another first"):
        delete(three, 3)
    assert row_counts(three) == before


@pytest.mark.parametrize("steps", range(1, 5))
def test_a_load_in_progress_is_not_harmed(service: Service, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onec_rag.indexing.grouping.MEMBERS", 4)
    first, second, third = versions()
    load(service, first, second)
    activate(service, 1)
    service.put("shop", zipped(third), label="3")
    service.run(most=steps)
    assert service.uploads("shop")[0]["state"] == "loading"
    with pytest.raises(InvalidRequest, match="an upload of shop is being compared with release 2"):
        delete(service, 2)
    with pytest.raises(InvalidRequest, match="release 3 of shop is still loading"):
        delete(service, 3)
    activate(service, 2)
    delete(service, 1)
    service.run()
    assert shown(service) == {2: fresh(service, second, "fresh-2"), 3: fresh(service, third, "fresh-3")}
    assert left_over(service) == {}


def test_what_a_failed_load_closed_is_open_again_after_a_deletion(service: Service) -> None:
    load(service, *versions()[:2])
    before = visible(service, "shop")
    service.put("shop", zipped(versions()[2]), label="3")
    service.run(most=2)
    delete(service, 1)
    fail_upload(service.indexing, str(service.uploads("shop")[0]["id"]), "enough")
    assert shown(service) == {2: before}
    delete(service, 3)
    assert service.rows("SELECT no FROM release") == [{"no": 2}], "a failed one goes too"


def test_of_a_source_with_a_shard_of_its_own_releases_are_deleted_alike(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "LARGE", 0)
    load(service, *versions())
    before = shown(service)
    delete(service, 2)
    assert shown(service) == {1: before[1], 3: before[3]}
    activate(service, 1)
    delete(service, 3)
    assert shown(service) == {1: before[1]}
    assert left_over(service) == {}


def test_a_vector_goes_with_the_last_chunk_that_has_it(embedding_service: Service, embedding: EmbeddingServer) -> None:
    first, second, third = versions()
    load(embedding_service, first, second, third)
    delete(embedding_service, 2)
    assert left_over(embedding_service) == {}
    assert embedding_service.value("SELECT count(*) FROM chunk") == embedding_service.value(
        "SELECT count(*) FROM chunk_vector"
    )
    made = embedding.texts.total()
    embedding_service.load("shop", zipped(first), name="first.zip", label="first again")
    assert embedding.texts.total() == made, "nothing that is still there is embedded again"


def test_a_vector_that_a_chunk_waits_for_is_not_swept(embedding_service: Service, embedding: EmbeddingServer) -> None:
    moved, other = "# Глава\n\nстраница", {"прочее.md": "# Прочее\n\nостальное"}
    load(embedding_service, {"а.md": moved, **other})
    embedding_service.put("shop", zipped({"б.md": moved, **other}), label="2")
    run_without_embedder(embedding_service)
    delete(embedding_service, 1)
    assert left_over(embedding_service) == {"vector": 1}
    embedding_service.run()
    assert embedding.texts.total() == 2, "the page that was moved has taken it over"
    retire.sweep(embedding_service.indexing)
    assert left_over(embedding_service) == {}


def run_without_embedder(service: Service) -> None:
    """Runs until only messages of the embedder are left."""
    while service.cloud.queues["plan"] or service.cloud.queues["index"]:
        held, service.cloud.queues["embed"] = service.cloud.queues["embed"], []
        service.run(most=1)
        service.cloud.queues["embed"] = held + service.cloud.queues["embed"]


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"keep": 2}, [2, 4, 5]),
        ({"keep": 0}, [2, 5]),
        ({"keep": 100}, [1, 2, 3, 4, 5]),
        ({"older_than": timedelta(days=2.5)}, [2, 3, 4, 5]),
        ({"older_than": timedelta(0)}, [2, 5]),
        ({"keep": 1, "older_than": timedelta(days=2.5)}, [2, 3, 4, 5]),
        ({"keep": 4, "older_than": timedelta(days=0.5)}, [2, 3, 4, 5]),
    ],
    ids=str,
)
def test_a_release_stays_while_a_rule_keeps_it(service: Service, rules: Mapping[str, object], kept: list[int]) -> None:
    """Release 1 is four days old, release 5 new; 2 is the current one."""
    load(service, *({"а.md": f"# А\n\nредакция {number}"} for number in range(1, 6)))
    service.rows("UPDATE release SET ready_at = now() - (5 - no) * interval '1 day' RETURNING no")
    activate(service, 2)
    before = shown(service)
    deleted = retire.retire_releases(service.indexing, 1, **rules)  # type: ignore[arg-type]
    assert deleted == [number for number in range(1, 6) if number not in kept]
    assert shown(service) == {number: before[number] for number in kept}


def delete_source(service: Service, name: str) -> dict[str, object]:
    return retire.delete_source(service.search.database, service.indexing.objects, BUCKET, ALL_SOURCES, name)


@pytest.mark.parametrize("large", [False, True], ids=["in the shared shard", "in a shard of its own"])
def test_of_a_deleted_source_nothing_is_left(
    database: Dsns, embedding: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    with service_over(database, embedder_of(embedding)) as service:
        load(service, configuration("9"), source="other")
        empty = row_counts(service)
        if large:
            monkeypatch.setattr(plan, "LARGE", 0)
        load(service, *versions())
        service.load("shop", zipped(versions()[0] | BROKEN), label="4")
        service.load("shop", b"no zip", name="5.zip")
        before = visible(service, "other")
        assert delete_source(service, "shop") == {"source": "shop", "releases": 4, "objects": 5}
        assert row_counts(service) == empty
        assert visible(service, "other") == before
        assert [key for _, key in service.cloud.objects] == ["uploads/other/1.zip"]
        load(service, versions()[1])
        assert visible(service, "shop") == fresh(service, versions()[1], "fresh")


def test_a_source_that_is_loading_is_not_deleted(service: Service) -> None:
    load(service, configuration())
    service.put("shop", zipped(configuration("2")), label="2")
    service.run(most=2)
    before, objects = row_counts(service), dict(service.cloud.objects)
    with pytest.raises(InvalidRequest, match="an upload of shop is loading"):
        delete_source(service, "shop")
    assert (row_counts(service), service.cloud.objects) == (before, objects)
    with pytest.raises(NotFound, match="source another is not here"):
        delete_source(service, "another")


@dataclass(frozen=True, slots=True)
class Response:
    """What a search for the word of every page has found: whose hits, by their places and by their texts, how many."""

    labels: frozenset[str]
    texts: frozenset[str]
    hits: int


def pages(number: int) -> Files:
    """Every page of a release says its number."""
    return {f"{page}.md": f"# Глава {page}\n\nстраница релиза{number}" for page in range(PAGES)}


def test_a_reader_sees_one_whole_release_at_any_moment(service: Service) -> None:
    load(service, pages(1), pages(2))
    seen: list[Response] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            hits = service.ask("страница", limit=50).hits
            texts = {word for hit in hits for word in hit.text.split() if word.startswith("релиза")}
            labels = {hit.place.release for hit in hits}
            seen.append(Response(frozenset(labels), frozenset(texts), len(hits)))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(3, 11):
            service.load("shop", zipped(pages(number)), name=f"{number}.zip", label=str(number))
            activate(service, number - 1)
            delete(service, number - 2)
            activate(service, number)
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    whole = [Response(frozenset({str(no)}), frozenset({f"релиза{no}"}), PAGES) for no in range(1, 11)]
    assert [response for response in seen if response not in whole] == []
    assert len(set(seen)) > 1, "the readers have met several releases"


def test_a_reader_of_a_release_that_goes_sees_all_of_it_or_is_told(service: Service) -> None:
    load(service, *map(pages, range(1, 13)))
    seen: list[int] = []
    begun = threading.Event()

    def read() -> None:
        try:
            for number in range(11, 0, -1):
                while True:
                    try:
                        seen.append(len(service.ask("страница", limit=50, release=str(number)).hits))
                    except NotFound:
                        break
                    begun.set()
        finally:
            begun.set()

    reader = threading.Thread(target=read)
    reader.start()
    begun.wait()
    for number in range(11, 0, -1):
        delete(service, number)
    reader.join()
    assert set(seen) == {PAGES}
