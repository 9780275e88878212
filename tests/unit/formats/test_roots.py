import pytest

from onec_rag.formats.base import Root, RootKind
from onec_rag.formats.table import find_roots as find

CONFIGURATION = RootKind.CONFIGURATION


def find_roots(paths: list[str], content: dict[str, str] | None = None) -> list[Root]:
    """Roots without the documentation, which has tests of its own."""
    found = find(paths, lambda path: (content or {}).get(path, "").encode())
    return [root for root in found if root.kind is not RootKind.DOCUMENTATION]


@pytest.mark.parametrize("prefix", ["", "src/cf/", "Выгрузка 3.1/src/cf/"])
def test_a_single_root_has_no_key_whatever_its_folder(prefix: str) -> None:
    paths = [f"{prefix}Configuration.xml", f"{prefix}Catalogs/Ёлки.xml", "README.md"]
    assert find_roots(paths) == [Root(prefix, CONFIGURATION)]


def test_keys_of_several_roots_do_not_depend_on_the_top_folder() -> None:
    for top in ("", "main/", "v2/src/"):
        paths = [f"{top}cfe/Обмен/Configuration.xml", f"{top}cf/Configuration.xml", f"{top}cfe/Об/Configuration.xml"]
        assert find_roots(paths) == [
            Root(f"{top}cf/", CONFIGURATION, ""),
            Root(f"{top}cfe/Об/", CONFIGURATION, "cfe/Об"),
            Root(f"{top}cfe/Обмен/", CONFIGURATION, "cfe/Обмен"),
        ]


def test_a_root_inside_another_is_ignored() -> None:
    paths = ["cf/Configuration.xml", "cf/CommonTemplates/Т/Ext/Configuration.xml", "cf2/Configuration.xml"]
    assert [root.prefix for root in find_roots(paths)] == ["cf/", "cf2/"]


def test_only_the_exact_name_makes_a_root() -> None:
    assert find_roots(["MyConfiguration.xml", "Configuration.xml.bak", "Configuration.xml/a.txt"]) == []


def test_a_flat_dump_is_told_by_the_names_beside_its_configuration() -> None:
    paths = ["82/Configuration.xml", "82/Catalog.Ёлки.xml", "82/CommonModule.О.Module.txt"]
    assert find_roots(paths) == [Root("82/", RootKind.PLAIN)]


@pytest.mark.parametrize("folder", ["Проект/src/", "src/", ""])
def test_a_project_of_edt_is_found_whatever_folder_was_packed(folder: str) -> None:
    paths = [f"{folder}Configuration/Configuration.mdo", f"{folder}Catalogs/Ёлки/Ёлки.mdo"]
    assert find_roots(paths) == [Root(folder, RootKind.EDT)]


def test_external_files_of_edt_are_a_project() -> None:
    paths = ["e/src/ExternalDataProcessors/О/О.mdo", "e/src/ExternalReports/Р/Р.mdo", "e/src/ExternalReports/Р/Б.mdo"]
    assert find_roots(paths) == [Root("e/src/", RootKind.EDT)]


def descriptor(kind: str) -> str:
    return f'<?xml version="1.0"?>\n<MetaDataObject xmlns="http://v8.1c.ru/8.3/MDClasses">\n\t<{kind} uuid="0">'


def test_external_files_are_told_by_what_their_descriptors_begin_with() -> None:
    content = {
        "epf/О.xml": descriptor("ExternalDataProcessor"),
        "epf/Р.xml": descriptor("ExternalReport"),
        "epf/О/Forms/Ф.xml": descriptor("Form"),
        "epf/д/П.xml": descriptor("ExternalDataProcessor"),
        "epf/а.xml": "<a/>",
    }
    found = find_roots([*content, "epf/О/Ext/ObjectModule.bsl"], content)
    assert found == [
        Root("epf/", RootKind.EXTERNAL_PROCESSOR, "", frozenset({"О"})),
        Root("epf/", RootKind.EXTERNAL_REPORT, ":external_report", frozenset({"Р"})),
        Root("epf/д/", RootKind.EXTERNAL_PROCESSOR, "д", frozenset({"П"})),
    ]
    assert [root.key for root in found if root.holds("epf/О/Ext/ObjectModule.bsl")] == [""]
    assert [root.key for root in found if root.holds("epf/Р.xml")] == [":external_report"]


def test_a_part_of_a_dump_has_its_root_where_its_folders_of_kinds_are() -> None:
    content = {"часть/Catalogs/Ёлки.xml": descriptor("Catalog"), "часть/Reports/Р.xml": descriptor("Report")}
    assert find_roots(list(content), content) == [Root("часть/", CONFIGURATION)]
