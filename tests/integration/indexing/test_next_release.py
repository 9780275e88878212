"""The second release of a source: what changed is closed and inserted, everything else is not touched."""

from itertools import pairwise

import pytest

from integration.configuration import PRICING, Files, configuration, descriptor, references, zipped
from integration.indexing.rows import row_counts, versions, visible
from integration.service import Service

pytestmark = pytest.mark.integration

MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"
ROUND = "ОбщийМодуль.Ценообразование.ОкруглитьЦену"
CHANGED = PRICING.replace(
    "	Отбор =", "	// Товар бывает и услугой.\n	Если Пусто(Товар) Тогда Возврат 0; КонецЕсли;\n	Отбор ="
)


def with_module(text: str) -> Files:
    return configuration() | {MODULE: text}


@pytest.fixture
def loaded(service: Service) -> Service:
    service.load("shop", zipped(configuration()), label="first")
    return service


def test_the_same_event_again_does_nothing(loaded: Service) -> None:
    before = row_counts(loaded)
    loaded.load("shop", zipped(configuration()), label="first")
    assert row_counts(loaded) == before
    assert len(loaded.uploads("shop")) == 1


def test_the_same_bytes_under_another_key_are_unchanged(loaded: Service) -> None:
    before = row_counts(loaded)
    upload = loaded.load("shop", zipped(configuration()), name="again.zip", label="first")
    assert (upload["state"], upload["release"]) == ("unchanged", 1)
    assert upload["reason"] == "the same bytes are loaded"
    assert row_counts(loaded) == before | {"upload": 2}


def test_the_same_content_in_other_bytes_is_unchanged(loaded: Service) -> None:
    before, files = row_counts(loaded), dict(reversed(configuration().items()))
    written = {table: versions(loaded, table, "shop") for table in ("chunk", "document", "name", "membership")}
    upload = loaded.load("shop", zipped(files, "cf/", compression=0), label="first")
    assert (upload["state"], upload["release"]) == ("unchanged", 1)
    assert upload["reason"] == "nothing differs from this release"
    assert row_counts(loaded) == before | {"upload": 2, "upload_task": before["upload_task"] + upload["tasks"]}
    assert written == {table: versions(loaded, table, "shop") for table in written}


def test_the_same_content_under_another_label_is_a_release(loaded: Service) -> None:
    upload = loaded.load("shop", zipped(configuration()), name="again.zip", label="second")
    assert (upload["state"], upload["release"]) == ("ready", 2)
    assert visible(loaded, "shop", 1) == visible(loaded, "shop", 2)


def test_one_changed_procedure_is_closed_and_inserted_and_nothing_else(loaded: Service) -> None:
    first, chunks = visible(loaded, "shop"), versions(loaded, "chunk", "shop")
    names = versions(loaded, "name", "shop")
    loaded.load("shop", zipped(with_module(CHANGED)), label="second")
    closed = loaded.rows("SELECT fqn, removed_in FROM chunk WHERE removed_in IS NOT NULL")
    added = loaded.rows("SELECT fqn FROM chunk WHERE added_in = 2")
    assert closed == [{"fqn": PRICE, "removed_in": 2}]
    assert added == [{"fqn": PRICE}]
    after = versions(loaded, "chunk", "shop")
    assert len(chunks.keys() & after.keys()) == len(chunks)
    assert sum(after[key] != chunks[key] for key in chunks) == 1, "only the closed one was written"
    assert versions(loaded, "name", "shop") == names
    changed = {path for path, *_ in visible(loaded, "shop", 1)["documents"]}
    assert len(changed) == 1
    assert visible(loaded, "shop", 1) == first


def test_lines_behind_an_edit_are_right_in_both_releases(loaded: Service) -> None:
    loaded.load("shop", zipped(with_module(CHANGED)), label="second")
    places = {
        label: (hit.place.first_line, hit.place.last_line)
        for label in ("first", "second")
        for hit in loaded.find("округлить цену", ROUND, release=label)
    }
    begin = PRICING.split("\n").index("// Округляет цену до рублей.") + 1
    assert places == {"first": (begin, begin + 3), "second": (begin + 2, begin + 5)}


def test_any_release_is_searched_as_it_was(loaded: Service) -> None:
    loaded.load("shop", zipped(with_module(CHANGED)), label="second")
    assert "бывает и услугой" not in loaded.find("цена товара", PRICE, release="first")[0].text
    assert "бывает и услугой" in loaded.find("цена товара", PRICE)[0].text
    assert loaded.find("услугой", PRICE, release="1") == []
    assert len(loaded.find("услугой", PRICE, release="2")) == 1


def test_an_edit_of_blank_lines_alone_moves_lines_and_no_chunk(loaded: Service) -> None:
    written = versions(loaded, "chunk", "shop")
    upload = loaded.load("shop", zipped(with_module("\n\n" + PRICING)), label="second")
    assert upload["state"] == "ready"
    assert versions(loaded, "chunk", "shop") == written
    (hit,) = loaded.find("округлить цену", ROUND)
    assert hit.place.first_line == PRICING.split("\n").index("// Округляет цену до рублей.") + 3


def test_a_removed_file_is_closed_with_all_that_it_declared(loaded: Service) -> None:
    files = configuration()
    del files["CommonModules/Ценообразование.xml"]
    del files[MODULE]
    loaded.load("shop", zipped(files), label="second")
    assert loaded.find("цена товара", PRICE) == []
    assert len(loaded.find("цена товара", PRICE, release="first")) == 1
    second = visible(loaded, "shop")
    assert not any("Ценообразование" in str(row) for rows in second.values() for row in rows)


def test_a_file_that_came_back_is_there_again(loaded: Service) -> None:
    files = configuration()
    del files[MODULE]
    loaded.load("shop", zipped(files), label="second")
    loaded.load("shop", zipped(configuration()), name="third.zip", label="third")
    assert visible(loaded, "shop", 3) == visible(loaded, "shop", 1)
    assert visible(loaded, "shop", 2) != visible(loaded, "shop", 1)


def test_a_synonym_alone_changes_the_breadcrumbs_of_its_dependants(loaded: Service) -> None:
    records = references("RegisterRecords", ["InformationRegister.ЦеныТоваров"])
    renamed = {"Documents/УстановкаЦен.xml": descriptor("Document", "УстановкаЦен", "Назначение цен", records)}
    loaded.load("shop", zipped(configuration() | renamed), label="second")
    (posting,) = loaded.find("обработка проведения", "Документ.УстановкаЦен.МодульОбъекта.ОбработкаПроведения")
    assert posting.breadcrumb.startswith("Документ.УстановкаЦен (Назначение цен)")
    (card,) = loaded.find("цены товаров", "РегистрСведений.ЦеныТоваров")
    assert "Регистраторы: Документ.УстановкаЦен (Назначение цен)" in card.text
    (old,) = loaded.find("цены товаров", "РегистрСведений.ЦеныТоваров", release="first")
    assert "Регистраторы: Документ.УстановкаЦен (Установка цен)" in old.text
    kept = loaded.value("SELECT count(*) FROM chunk WHERE added_in = 1 AND removed_in IS NULL")
    assert kept == 15 - 4, "its card, the card of its register, its module's card and procedure are new"


def edits() -> dict[str, Files]:
    """Second releases of every kind, by what is done in them."""
    base = configuration()
    without_subsystem = dict(base)
    del without_subsystem["Subsystems/Торговля.xml"]
    without_document = {path: content for path, content in base.items() if not path.startswith("Documents/")}
    moved = {path.replace("Ценообразование", "Цены"): content for path, content in base.items()}
    moved["CommonModules/Цены.xml"] = descriptor("CommonModule", "Цены", "Цены")
    return {
        "a synonym": base | {"Catalogs/Товары.xml": descriptor("Catalog", "Товары", "Номенклатура")},
        "a procedure": with_module(CHANGED),
        "the order of procedures": with_module("\n".join(reversed(PRICING.split("\n\n")))),
        "an object that others name is gone": without_document,
        "a subsystem is gone": without_subsystem,
        "a subsystem holds less": base
        | {"Subsystems/Торговля.xml": descriptor("Subsystem", "Торговля", "Торговля", references("Content", []))},
        "a module is renamed": moved,
        "an object is new": base | {"Catalogs/Склады.xml": descriptor("Catalog", "Склады", "Места хранения")},
        "everything is new": {"Configuration.xml": descriptor("Configuration", "Другая", "Другая")},
    }


@pytest.mark.parametrize("edit", edits())
def test_a_second_release_is_what_a_first_load_of_it_would_be(loaded: Service, edit: str) -> None:
    files = edits()[edit]
    loaded.load("shop", zipped(files), label="second")
    loaded.load("fresh", zipped(files), label="second")
    assert visible(loaded, "shop") == visible(loaded, "fresh")


def test_releases_one_after_another_keep_every_one_as_it_was(loaded: Service) -> None:
    wanted = [visible(loaded, "shop")]
    for number, files in enumerate(edits().values(), 2):
        loaded.load("shop", zipped(files), name=f"{number}.zip", label=str(number))
        wanted.append(visible(loaded, "shop"))
    assert [visible(loaded, "shop", number) for number in range(1, len(wanted) + 1)] == wanted
    assert all(one != other for one, other in pairwise(wanted))
