"""Uploads of every kind: what source they make, and that their way in changes nothing of what is found."""

import io
import tarfile
from pathlib import Path

import pytest

from integration.configuration import Files, configuration, descriptor, field, zipped
from integration.indexing.rows import visible
from integration.service import BUCKET, Service
from onec_rag.indexing import stage
from onec_rag.model.search import Belonging, Filters
from unit.formats.container_builder import book, container, contents

pytestmark = pytest.mark.integration

DATA = Path(__file__).parents[2] / "data" / "formats"
PAGE = "<h1 class='V8SH_pagetitle'>Улей.Взвесить (Hive.Weigh)</h1><p class='V8SH_chapter'>Описание:</p><p>Масса улья."
HOOK = """\
&После("ПередЗаписью")
Процедура Розн_ПередЗаписью(Отказ)
	Полка = 1;
КонецПроцедуры
"""
ADOPTED = "<ObjectBelonging>Adopted</ObjectBelonging>"


def packed_tar(files: Files) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(f"выгрузка/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return target.getvalue()


def files_of(kind: str) -> Files:
    """The fixture of that kind of root, as it lies in the folder."""
    folder = DATA / kind
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "expected.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def extension() -> Files:
    """An extension that adopts the catalog and adds an attribute and a catalog of its own."""
    purpose = "<ConfigurationExtensionPurpose>AddOn</ConfigurationExtensionPurpose>"
    return {
        "Configuration.xml": descriptor("Configuration", "Розница", "Розница", ADOPTED + purpose),
        "Catalogs/Товары.xml": descriptor(
            "Catalog", "Товары", "", ADOPTED, field("Attribute", "Розн_Полка", "Полка магазина")
        ),
        "Catalogs/Товары/Ext/ObjectModule.bsl": HOOK,
        "Catalogs/Розн_Полки.xml": descriptor("Catalog", "Розн_Полки", "Полки"),
    }


def source_kind(service: Service, name: str) -> str:
    return str(service.value("SELECT kind FROM source WHERE name = %s", name))


def staged(service: Service) -> list[str]:
    return service.indexing.objects.keys(BUCKET, "staged/")


def test_a_tar_gives_what_a_zip_gives_and_leaves_nothing_staged(service: Service) -> None:
    assert service.load("zip", zipped(configuration()))["state"] == "ready"
    assert service.load("tar", packed_tar(configuration()), "cf.tar.gz")["state"] == "ready"
    assert visible(service, "tar") == visible(service, "zip")
    assert staged(service) == []


def test_a_damaged_tar_fails_with_a_reason_and_leaves_nothing_staged(service: Service) -> None:
    upload = service.load("tar", packed_tar(configuration())[:-200], "cf.tar.gz")
    assert upload["state"] == "failed"
    assert upload["reason"]
    assert staged(service) == []


def test_a_staged_upload_that_is_planned_twice_is_repacked_once_for_its_tasks(service: Service) -> None:
    service.put("tar", packed_tar(configuration()), "cf.tar.gz")
    service.run(twice=True, seed=3)
    assert [upload["state"] for upload in service.uploads("tar")] == ["ready"]
    assert staged(service) == []


@pytest.mark.parametrize("in_zip", [False, True])
def test_a_book_of_the_platform_is_a_source_whose_release_is_the_platform(service: Service, in_zip: bool) -> None:
    entries = [(1, 0, {"ru": "Улей", "en": "Hive"}, ""), (2, 1, {"ru": "Взвесить", "en": "Weigh"}, "/a/Weigh.html")]
    data = book({"a/Weigh.html": PAGE.encode("utf-8-sig")}, contents(entries))
    if in_zip:
        upload = service.load(
            "platform", zipped({"8.3.27.1859/bin/shcntx_ru.hbk": data, "readme.txt": "x"}, ""), "bin.zip"
        )
    else:
        upload = service.load("platform", data, "shcntx_ru.hbk", "8.3.27.1859")
    assert (upload["state"], upload["label"], upload["problems"]) == ("ready", "8.3.27.1859", 0)
    assert source_kind(service, "platform") == "platform_help"
    hit = service.ask("масса улья", filters=Filters(sections=("shcntx_ru",))).hits[0]
    assert (hit.kind, hit.fqn, hit.facets["section"]) == ("platform", "Улей.Взвесить", "shcntx_ru")
    assert service.ask("масса улья", filters=Filters(sections=("shlang_ru",))).hits == ()
    assert staged(service) == []


def test_a_binary_configuration_is_refused_with_the_way_to_export_it(service: Service) -> None:
    upload = service.load("trade", container({"root": b"x"}), "1Cv8.cf")
    assert upload["state"] == "failed"
    assert "/DumpConfigToFiles" in upload["reason"]


def test_an_extension_beside_its_base_tells_what_is_its_own(service: Service) -> None:
    files = {f"cf/{name}": data for name, data in configuration().items()}
    files |= {f"cfe/Розница/{name}": data for name, data in extension().items()}
    assert service.load("shop", zipped(files, ""))["state"] == "ready"
    assert source_kind(service, "shop") == "configuration"
    rows = service.rows("SELECT root, path FROM document WHERE adopted ORDER BY path")
    assert [(row["root"], row["path"]) for row in rows] == [
        ("cfe/Розница", "Catalogs/Товары.xml"),
        ("cfe/Розница", "Catalogs/Товары/Ext/ObjectModule.bsl"),
        ("cfe/Розница", "Configuration.xml"),
    ]
    own = service.ask("полки", filters=Filters(belonging=Belonging.OWN)).hits
    assert [hit.fqn for hit in own] == ["Справочник.Розн_Полки"]
    [hook] = service.find("Розн_ПередЗаписью", "Справочник.Товары.МодульОбъекта.Розн_ПередЗаписью")
    assert (hook.facets["belonging"], hook.place.path) == (
        "adopted",
        "cfe/Розница/Catalogs/Товары/Ext/ObjectModule.bsl",
    )
    assert "Товары и услуги" in hook.breadcrumb, "an adopted object has no synonym of its own"
    assert "belonging" not in service.find("ЦенаТовара", "ОбщийМодуль.Ценообразование.ЦенаТовара")[0].facets


@pytest.mark.parametrize(
    ("kind", "folder", "source", "fqn"),
    [
        ("configuration", "cf", "configuration", "Справочник.ЁлочныеИгрушки"),
        ("plain", "cf", "configuration", "Справочник.ЁлочныеИгрушки"),
        ("edt", "Базар/src", "configuration", "Справочник.ЁлочныеИгрушки"),
        ("external_processor", "epf", "external", "ВнешняяОбработка.ЧисткаЁлок"),
        ("external_report", "erf", "external", "ВнешнийОтчет.ВыручкаБазара"),
        ("documentation", "", "documentation", ""),
    ],
)
def test_every_kind_of_root_is_loaded(service: Service, kind: str, folder: str, source: str, fqn: str) -> None:
    upload = service.load("all", zipped(files_of(kind), folder and f"{folder}/"))
    assert upload["state"] == "ready", upload["reason"]
    assert source_kind(service, "all") == source
    if fqn:
        assert service.find(fqn, fqn)
    service.load("again", zipped(files_of(kind), folder and f"{folder}/"))
    assert visible(service, "all") == visible(service, "again")


def test_a_page_of_any_format_is_added_to_its_source(service: Service) -> None:
    service.load("manual", zipped({"а.md": "# Склад\n\nПриёмка ёлок."}, ""))
    assert service.load("manual", "Отгрузка ёлок.".encode(), "отгрузка.txt")["state"] == "ready"
    assert {hit.place.path for hit in service.ask("ёлок").hits} == {"а.md", "отгрузка.txt"}


def test_a_version_of_the_platform_is_found_in_a_name() -> None:
    assert stage.platform_version("shcntx_ru.hbk", "1cv8/8.3.24.1342/bin/shlang_ru.hbk") == "8.3.24.1342"
    assert stage.platform_version("shcntx_ru.hbk", "8.3.24/а.hbk") == ""
