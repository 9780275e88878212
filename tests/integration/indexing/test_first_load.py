"""A configuration that nobody has loaded before."""

import pytest

from integration.configuration import configuration, zipped
from integration.indexing.rows import visible
from integration.service import Service

pytestmark = pytest.mark.integration


@pytest.fixture
def loaded(service: Service) -> Service:
    service.load("shop", zipped(configuration()))
    return service


def test_the_upload_tells_what_was_done(loaded: Service) -> None:
    upload = loaded.uploads("shop")[0]
    assert upload["state"] == "ready"
    assert upload["reason"] is None
    assert (upload["release"], upload["label"]) == (1, "1.0.1"), "the label is the configuration's own version"
    assert (upload["files"], upload["files_skipped"]) == (8, 0)
    assert (upload["tasks"], upload["tasks_done"], upload["problems"]) == (2, 2, 0)


def test_the_release_counts_what_a_developer_counts(loaded: Service) -> None:
    counts = loaded.value("SELECT counts FROM release")
    assert counts == {
        "documents": 8, "documents.object": 6, "documents.module": 2, "empty": 0, "problems": 0,
        "procedures": 4, "procedures.export": 2, "fields.Attribute": 1, "fields.Dimension": 1, "fields.Resource": 1,
        "chunks_new": 15, "chunks_kept": 0, "chunks_closed": 0,
        "chunks.object": 6, "chunks.field": 3, "chunks.module": 2, "chunks.procedure": 4,
    }  # fmt: skip


def test_chunks_and_their_statistics_agree(loaded: Service) -> None:
    seen = visible(loaded, "shop")
    assert len(seen["chunks"]) == 15
    assert seen["totals"] == [("15", str(loaded.value("SELECT sum(length) FROM chunk")))]
    counted = loaded.rows("SELECT word, count(*)::int AS n FROM chunk, unnest(akeys(terms)) AS word GROUP BY word")
    assert seen["words"] == sorted((row["word"], str(row["n"])) for row in counted)


def test_names_are_objects_and_their_fields(loaded: Service) -> None:
    names = {(fqn, title) for fqn, _, title, _ in visible(loaded, "shop")["names"]}
    assert names == {
        ("Конфигурация", "Магазин"),
        ("Справочник.Товары", "Товары и услуги"),
        ("Справочник.Товары.Реквизит.Артикул", "Артикул производителя"),
        ("Документ.УстановкаЦен", "Установка цен"),
        ("РегистрСведений.ЦеныТоваров", "Цены товаров"),
        ("РегистрСведений.ЦеныТоваров.Измерение.Товар", "Товар"),
        ("РегистрСведений.ЦеныТоваров.Ресурс.Цена", "Цена за единицу"),
        ("Подсистема.Торговля", "Торговый отдел"),
        ("ОбщийМодуль.Ценообразование", "Ценообразование"),
    }


def test_memberships_are_what_objects_declare(loaded: Service) -> None:
    assert visible(loaded, "shop")["memberships"] == [
        ("Документ.УстановкаЦен", "движения", "РегистрСведений.ЦеныТоваров"),
        ("Подсистема.Торговля", "состав", "РегистрСведений.ЦеныТоваров"),
        ("Подсистема.Торговля", "состав", "Справочник.Товары"),
    ]


def test_a_card_shows_what_other_files_say_of_its_object(loaded: Service) -> None:
    (card,) = loaded.find("цены товаров", "РегистрСведений.ЦеныТоваров")
    assert card.text.splitlines() == [
        "Измерение Товар: СправочникСсылка.Товары",
        "Ресурс Цена (Цена за единицу): Число",
        "Регистраторы: Документ.УстановкаЦен (Установка цен)",
        "Входит в: Подсистема.Торговля (Торговый отдел)",
    ]


def test_a_procedure_is_called_by_its_object_and_placed_in_its_file(loaded: Service) -> None:
    (hit,) = loaded.find("обработка проведения", "Документ.УстановкаЦен.МодульОбъекта.ОбработкаПроведения")
    assert hit.breadcrumb.startswith("Документ.УстановкаЦен (Установка цен) · модуль объекта")
    assert (hit.place.source, hit.place.release) == ("shop", "1.0.1")
    assert hit.place.path == "src/cf/Documents/УстановкаЦен/Ext/ObjectModule.bsl"
    assert (hit.place.first_line, hit.place.last_line) == (1, 3)
    assert not hit.stale


def test_the_label_of_the_upload_wins_over_the_version(service: Service) -> None:
    assert service.load("shop", zipped(configuration()), label="сборка 7")["label"] == "сборка 7"


def test_documentation_has_the_time_as_its_label(service: Service) -> None:
    upload = service.load("docs", zipped({"а.md": "# А\n\nтекст"}, ""))
    assert upload["label"][:2] == "20"
    assert service.value("SELECT kind FROM source") == "documentation"


def test_a_single_page_adds_to_what_the_source_holds(service: Service) -> None:
    service.load("docs", zipped({"а.md": "# А\n\nпервое слово"}, ""))
    upload = service.load("docs", "# Б\n\nвторое слово".encode(), name="б.md")
    assert upload["state"] == "ready"
    assert sorted(hit.place.path for hit in service.ask("слово").hits) == ["а.md", "б.md"]


def test_an_empty_page_fails_with_the_true_reason(service: Service) -> None:
    upload = service.load("docs", b"", name="б.md")
    assert (upload["state"], upload["reason"]) == ("failed", "no file of this upload could be read")


def test_several_configurations_of_one_upload_are_one_source(service: Service) -> None:
    files = {f"cf/{path}": content for path, content in configuration().items()}
    files |= {f"cfe/Доработка/{path}": content for path, content in configuration("2.0").items()}
    upload = service.load("both", zipped(files, ""))
    assert upload["state"] == "ready"
    assert upload["label"] == "1.0.1"
    paths = {hit.place.path for hit in service.find("цена товара", "ОбщийМодуль.Ценообразование.ЦенаТовара")}
    assert paths <= {f"{folder}/CommonModules/Ценообразование/Ext/Module.bsl" for folder in ("cf", "cfe/Доработка")}
    assert service.value("SELECT count(*) FROM document") == 16


def test_what_nobody_reads_is_counted_and_left_out(service: Service) -> None:
    files = configuration() | {"Ext/Splash.xml": "<x/>", "README.txt": "прочти меня"}
    upload = service.load("shop", zipped(files))
    assert (upload["files"], upload["files_skipped"]) == (8, 2)
