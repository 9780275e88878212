import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.edt.paths import edt_place_of
from onec_rag.formats.place import Place, Role
from onec_rag.model.metadata import KINDS


@pytest.mark.parametrize(
    ("path", "owner", "kind"),
    [
        ("Configuration/Configuration.mdo", "Конфигурация", "Configuration"),
        ("Catalogs/Ёлки/Ёлки.mdo", "Справочник.Ёлки", "Catalog"),
        ("Subsystems/А/А.mdo", "Подсистема.А", "Subsystem"),
        ("Subsystems/А/Subsystems/Б/Subsystems/В/В.mdo", "Подсистема.А.Подсистема.Б.Подсистема.В", "Subsystem"),
        ("ExternalDataProcessors/О/О.mdo", "ВнешняяОбработка.О", "ExternalDataProcessor"),
        ("ExternalReports/О/О.mdo", "ВнешнийОтчет.О", "ExternalReport"),
    ],
)
def test_descriptors_of_objects(path: str, owner: str, kind: str) -> None:
    assert edt_place_of(path) == Place(Role.OBJECT, owner, kind, owner)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.plural], ids=lambda kind: kind.name)
def test_every_kind_has_the_folder_of_a_dump(kind: object) -> None:
    plural = getattr(kind, "plural")  # noqa: B009
    assert edt_place_of(f"{plural}/Имя/Имя.mdo") == place_of(f"{plural}/Имя.xml") is not None


@pytest.mark.parametrize(
    ("path", "dumped"),
    [
        ("Catalogs/О/ObjectModule.bsl", "Catalogs/О/Ext/ObjectModule.bsl"),
        ("InformationRegisters/О/RecordSetModule.bsl", "InformationRegisters/О/Ext/RecordSetModule.bsl"),
        ("CommonModules/О/Module.bsl", "CommonModules/О/Ext/Module.bsl"),
        ("HTTPServices/О/Module.bsl", "HTTPServices/О/Ext/Module.bsl"),
        ("Catalogs/О/Commands/К/CommandModule.bsl", "Catalogs/О/Commands/К/Ext/CommandModule.bsl"),
        ("Catalogs/О/Forms/Ф/Module.bsl", "Catalogs/О/Forms/Ф/Ext/Form/Module.bsl"),
        ("CommonForms/О/Module.bsl", "CommonForms/О/Ext/Form/Module.bsl"),
        ("Configuration/SessionModule.bsl", "Ext/SessionModule.bsl"),
        ("Configuration/Help/ru.html", "Ext/Help/ru.html"),
        ("Configuration/CommandInterface.cmi", "Ext/CommandInterface.xml"),
        ("Configuration/MainSectionCommandInterface.cmi", "Ext/MainSectionCommandInterface.xml"),
        ("Catalogs/О/Help/ru.html", "Catalogs/О/Ext/Help/ru.html"),
        ("Catalogs/О/Forms/Ф/Help/en.html", "Catalogs/О/Forms/Ф/Ext/Help/en.html"),
        ("Catalogs/О/Forms/Ф/Form.form", "Catalogs/О/Forms/Ф/Ext/Form.xml"),
        ("CommonForms/О/Form.form", "CommonForms/О/Ext/Form.xml"),
        ("Reports/О/Forms/Ф/Form.oform", "Reports/О/Forms/Ф/Ext/Form.bin"),
        ("Roles/О/Rights.rights", "Roles/О/Ext/Rights.xml"),
        ("Reports/О/Templates/М/Template.dcs", "Reports/О/Templates/М/Ext/Template.xml"),
        ("Catalogs/О/Templates/М/Template.mxlx", "Catalogs/О/Templates/М/Ext/Template.xml"),
        ("CommonTemplates/О/Template.txt", "CommonTemplates/О/Ext/Template.txt"),
        ("CommonTemplates/О/ru.html", "CommonTemplates/О/Ext/Template/ru.html"),
        ("Catalogs/О/Templates/М/ru.html", "Catalogs/О/Templates/М/Ext/Template/ru.html"),
        ("ScheduledJobs/О/Schedule.schedule", "ScheduledJobs/О/Ext/Schedule.xml"),
        ("XDTOPackages/О/Package.xdto", "XDTOPackages/О/Ext/Package.bin"),
        ("BusinessProcesses/О/Flowchart.scheme", "BusinessProcesses/О/Ext/Flowchart.xml"),
        ("Subsystems/А/Subsystems/Б/CommandInterface.cmi", "Subsystems/А/Subsystems/Б/Ext/CommandInterface.xml"),
        ("ExternalDataSources/О/Tables/Т/Т.mdo", "ExternalDataSources/О/Tables/Т.xml"),
        ("ExternalDataSources/О/Tables/Т/Forms/Ф/Form.form", "ExternalDataSources/О/Tables/Т/Forms/Ф/Ext/Form.xml"),
        (
            "ExternalDataSources/О/Cubes/К/DimensionTables/Т/Т.mdo",
            "ExternalDataSources/О/Cubes/К/DimensionTables/Т.xml",
        ),
        (
            "CalculationRegisters/О/Recalculations/П/RecordSetModule.bsl",
            "CalculationRegisters/О/Recalculations/П/Ext/RecordSetModule.bsl",
        ),
    ],
)
def test_a_file_is_what_its_twin_in_a_dump_is(path: str, dumped: str) -> None:
    assert edt_place_of(path) == place_of(dumped) is not None


@pytest.mark.parametrize(
    "path",
    [
        "Catalogs/О/Forms/Ф/BaseForm/Form.form",
        "Catalogs/О/Forms/Ф/BaseForm/Module.bsl",
        "Catalogs/О/Forms/Ф/Attributes/Список/ExtInfo/ListSettings.dcss",
        "Catalogs/О/Forms/Ф/Attributes/Поле/ExtInfo/SpreadsheetData.mxlx",
        "Catalogs/О/Forms/Ф/Items/К/Picture.png",
        "Catalogs/О/Templates/М/Template.htmldoc",
        "Catalogs/О/Templates/М/_files/рисунок.png",
        "CommonTemplates/О/Template.bin",
        "CommonPictures/О/Picture.zip",
        "Configuration/HomePageWorkArea.hpwa",
        "Configuration/Другое.mdo",
        "Catalogs/О/Другой.mdo",
        "Catalogs/О/Module.bsl",
        "Catalogs/О/ru.html",
        "Ёлки.mdo",
        "",
        "/",
    ],
)
def test_other_files_are_for_no_reader(path: str) -> None:
    assert edt_place_of(path) is None


@given(
    st.lists(st.sampled_from(["Catalogs", "А", "Forms", "Form.form", "А.mdo", "Help", "ru.html", "", "."]), max_size=8)
)
def test_any_path_has_a_place_or_none(parts: list[str]) -> None:
    place = edt_place_of("/".join(parts))
    assert place is None or place.owner
