import pytest

from onec_rag.formats.base import Root
from onec_rag.formats.designer.roots import find_roots


@pytest.mark.parametrize("prefix", ["", "src/cf/", "Выгрузка 3.1/src/cf/"])
def test_a_single_root_has_no_key_whatever_its_folder(prefix: str) -> None:
    paths = [f"{prefix}Configuration.xml", f"{prefix}Catalogs/Ёлки.xml", "README.md"]
    assert find_roots(paths) == [Root(prefix, "configuration")]


def test_keys_of_several_roots_do_not_depend_on_the_top_folder() -> None:
    for top in ("", "main/", "v2/src/"):
        paths = [f"{top}cfe/Обмен/Configuration.xml", f"{top}cf/Configuration.xml", f"{top}cfe/Об/Configuration.xml"]
        assert find_roots(paths) == [
            Root(f"{top}cf/", "configuration", ""),
            Root(f"{top}cfe/Об/", "configuration", "cfe/Об"),
            Root(f"{top}cfe/Обмен/", "configuration", "cfe/Обмен"),
        ]


def test_a_root_inside_another_is_ignored() -> None:
    paths = ["cf/Configuration.xml", "cf/CommonTemplates/Т/Ext/Configuration.xml", "cf2/Configuration.xml"]
    assert [root.prefix for root in find_roots(paths)] == ["cf/", "cf2/"]


def test_only_the_exact_name_makes_a_root() -> None:
    assert find_roots(["MyConfiguration.xml", "Configuration.xml.bak", "Configuration.xml/a.txt"]) == []
