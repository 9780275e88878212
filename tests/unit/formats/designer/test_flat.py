import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.designer.flat import flat_place_of
from onec_rag.formats.designer.paths import place_of


@pytest.mark.parametrize(
    ("flat", "hierarchical"),
    [
        ("Configuration.xml", "Configuration.xml"),
        ("Catalog.Ёлки.xml", "Catalogs/Ёлки.xml"),
        ("Catalog.Ёлки.ManagerModule.txt", "Catalogs/Ёлки/Ext/ManagerModule.bsl"),
        ("Catalog.Ёлки.ObjectModule.bin", "Catalogs/Ёлки/Ext/ObjectModule.bin"),
        ("Catalog.Ёлки.Form.Список.xml", "Catalogs/Ёлки/Forms/Список.xml"),
        ("Catalog.Ёлки.Form.Список.Form.xml", "Catalogs/Ёлки/Forms/Список/Ext/Form.xml"),
        ("Catalog.Ёлки.Form.Список.Form", "Catalogs/Ёлки/Forms/Список/Ext/Form.bin"),
        ("Catalog.Ёлки.Form.Список.Form.Module.txt", "Catalogs/Ёлки/Forms/Список/Ext/Form/Module.bsl"),
        ("Catalog.Ёлки.Form.Форма.Form.Module.txt", "Catalogs/Ёлки/Forms/Форма/Ext/Form/Module.bsl"),
        ("CommonForm.Выбор.Form.Module.txt", "CommonForms/Выбор/Ext/Form/Module.bsl"),
        ("CommonModule.О.Module.txt", "CommonModules/О/Ext/Module.bsl"),
        ("CommonTemplate.Т.Template.txt", "CommonTemplates/Т/Ext/Template.txt"),
        ("Document.Д.Command.Печать.CommandModule.txt", "Documents/Д/Commands/Печать/Ext/CommandModule.bsl"),
        ("Document.Д.Help.ru.html", "Documents/Д/Ext/Help/ru.html"),
        ("Role.Админ.Rights.xml", "Roles/Админ/Ext/Rights.xml"),
        ("Subsystem.А.Subsystem.Б.xml", "Subsystems/А/Subsystems/Б.xml"),
        ("Configuration.Базар.SessionModule.txt", "Ext/SessionModule.bsl"),
    ],
)
def test_a_flat_name_means_what_folders_mean_elsewhere(flat: str, hierarchical: str) -> None:
    place = flat_place_of(flat)
    assert place is not None
    assert place == place_of(hierarchical)


@pytest.mark.parametrize(
    "path", ["", "README.md", "Novelty.А.xml", "Catalogs/А.xml", "Catalog.А.Picture", "ConfigDumpInfo.xml", ".Form"]
)
def test_other_files_have_no_place(path: str) -> None:
    assert flat_place_of(path) is None


WORDS = (
    "Catalog",
    "CommonForm",
    "Configuration",
    "Form",
    "Template",
    "Subsystem",
    "Имя",
    "Module",
    "Help",
    "xml",
    "txt",
)


@given(st.lists(st.sampled_from(WORDS)))
def test_any_name_has_a_place_or_none(words: list[str]) -> None:
    place = flat_place_of(".".join(words))
    assert place is None or place.fqn.startswith(place.owner)
