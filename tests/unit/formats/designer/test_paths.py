import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.place import MODULE_WORDS, Place, Role
from onec_rag.model.metadata import KINDS


@pytest.mark.parametrize(
    ("path", "owner", "kind"),
    [
        ("Configuration.xml", "Конфигурация", "Configuration"),
        ("Catalogs/Ёлки.xml", "Справочник.Ёлки", "Catalog"),
        ("ChartsOfAccounts/Form.xml", "ПланСчетов.Form", "ChartOfAccounts"),
        ("Subsystems/А.xml", "Подсистема.А", "Subsystem"),
        ("Subsystems/А/Subsystems/Б/Subsystems/В.xml", "Подсистема.А.Подсистема.Б.Подсистема.В", "Subsystem"),
    ],
)
def test_descriptors_of_objects(path: str, owner: str, kind: str) -> None:
    assert place_of(path) == Place(Role.OBJECT, owner, kind, owner)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.plural], ids=lambda kind: kind.name)
def test_every_kind_has_its_folder(kind: object) -> None:
    name, plural, ru = (getattr(kind, word) for word in ("name", "plural", "ru"))
    assert place_of(f"{plural}/Имя.xml") == Place(Role.OBJECT, f"{ru}.Имя", name, f"{ru}.Имя")


@pytest.mark.parametrize(
    ("path", "kind", "fqn"),
    [
        ("CommonModules/О/Ext/Module.bsl", "CommonModule", "ОбщийМодуль.О"),
        ("Catalogs/О/Ext/ObjectModule.bsl", "ObjectModule", "Справочник.О.МодульОбъекта"),
        ("Catalogs/О/Ext/ObjectModule.bin", "ObjectModule", "Справочник.О.МодульОбъекта"),
        ("Catalogs/О/Ext/ManagerModule.bsl", "ManagerModule", "Справочник.О.МодульМенеджера"),
        ("InformationRegisters/О/Ext/RecordSetModule.bsl", "RecordSetModule", "РегистрСведений.О.МодульНабораЗаписей"),
        ("Constants/О/Ext/ValueManagerModule.bsl", "ValueManagerModule", "Константа.О.МодульМенеджераЗначения"),
        ("Catalogs/О/Commands/К/Ext/CommandModule.bsl", "CommandModule", "Справочник.О.Команда.К.МодульКоманды"),
        ("CommonCommands/О/Ext/CommandModule.bsl", "CommandModule", "ОбщаяКоманда.О.МодульКоманды"),
        ("Catalogs/О/Forms/Ф/Ext/Form/Module.bsl", "FormModule", "Справочник.О.Форма.Ф.Модуль"),
        ("CommonForms/О/Ext/Form/Module.bsl", "FormModule", "ОбщаяФорма.О.Модуль"),
        ("HTTPServices/О/Ext/Module.bsl", "HTTPServiceModule", "HTTPСервис.О.Модуль"),
        ("WebServices/О/Ext/Module.bsl", "WebServiceModule", "WebСервис.О.Модуль"),
        ("Bots/О/Ext/Module.bsl", "BotModule", "Бот.О.Модуль"),
        ("IntegrationServices/О/Ext/Module.bsl", "IntegrationServiceModule", "СервисИнтеграции.О.Модуль"),
        ("WebSocketClients/О/Ext/Module.bsl", "WebSocketClientModule", "WebSocketКлиент.О.Модуль"),
        (
            "CalculationRegisters/О/Recalculations/П/Ext/RecordSetModule.bsl",
            "RecordSetModule",
            "РегистрРасчета.О.Перерасчет.П.МодульНабораЗаписей",
        ),
        (
            "ExternalDataSources/О/Tables/Т/Forms/Ф/Ext/Form/Module.bsl",
            "FormModule",
            "ВнешнийИсточникДанных.О.Таблица.Т.Форма.Ф.Модуль",
        ),
        *(
            (f"Ext/{kind}.bsl", kind, f"Конфигурация.{MODULE_WORDS[kind]}")
            for kind in (
                "ManagedApplicationModule",
                "OrdinaryApplicationModule",
                "SessionModule",
                "ExternalConnectionModule",
            )
        ),
    ],
)
def test_modules_are_named_by_their_owner_and_kind(path: str, kind: str, fqn: str) -> None:
    place = place_of(path)
    assert place is not None
    assert (place.role, place.kind, place.fqn) == (Role.MODULE, kind, fqn)


@pytest.mark.parametrize(
    ("path", "owner"),
    [
        ("Ext/Help/ru.html", "Конфигурация"),
        ("Catalogs/О/Ext/Help/ru.html", "Справочник.О"),
        ("Catalogs/О/Forms/Ф/Ext/Help/en.html", "Справочник.О.Форма.Ф"),
        ("Subsystems/А/Subsystems/Б/Ext/Help/ru.html", "Подсистема.А.Подсистема.Б"),
    ],
)
def test_help_pages_are_their_owners(path: str, owner: str) -> None:
    place = place_of(path)
    assert place is not None
    assert (place.role, place.fqn) == (Role.HELP, owner)


@pytest.mark.parametrize(
    ("path", "role", "owner", "fqn"),
    [
        ("Catalogs/О/Forms/Ф.xml", Role.CHILD, "Справочник.О", "Справочник.О.Форма.Ф"),
        ("Catalogs/О/Templates/М.xml", Role.CHILD, "Справочник.О", "Справочник.О.Макет.М"),
        (
            "ExternalDataSources/О/Tables/Т/Forms/Ф.xml",
            Role.CHILD,
            "ВнешнийИсточникДанных.О.Таблица.Т",
            "ВнешнийИсточникДанных.О.Таблица.Т.Форма.Ф",
        ),
        ("Catalogs/О/Forms/Ф/Ext/Form.xml", Role.FORM, "Справочник.О.Форма.Ф", "Справочник.О.Форма.Ф"),
        ("CommonForms/О/Ext/Form.xml", Role.FORM, "ОбщаяФорма.О", "ОбщаяФорма.О"),
        ("Catalogs/О/Forms/Ф/Ext/Form.bin", Role.ORDINARY_FORM, "Справочник.О.Форма.Ф", "Справочник.О.Форма.Ф.Модуль"),
        ("Catalogs/О/Ext/Predefined.xml", Role.PREDEFINED, "Справочник.О", "Справочник.О"),
        ("ExchangePlans/О/Ext/Content.xml", Role.EXCHANGE_CONTENT, "ПланОбмена.О", "ПланОбмена.О"),
        ("ScheduledJobs/О/Ext/Schedule.xml", Role.SCHEDULE, "РегламентноеЗадание.О", "РегламентноеЗадание.О"),
        ("XDTOPackages/О/Ext/Package.bin", Role.PACKAGE, "ПакетXDTO.О", "ПакетXDTO.О"),
        ("BusinessProcesses/О/Ext/Flowchart.xml", Role.FLOWCHART, "БизнесПроцесс.О", "БизнесПроцесс.О"),
        ("Subsystems/О/Ext/CommandInterface.xml", Role.COMMAND_INTERFACE, "Подсистема.О", "Подсистема.О"),
        ("Ext/MainSectionCommandInterface.xml", Role.COMMAND_INTERFACE, "Конфигурация", "Конфигурация"),
        ("Roles/О/Ext/Rights.xml", Role.RIGHTS, "Роль.О", "Роль.О"),
        ("Catalogs/О/Templates/М/Ext/Template.xml", Role.TEMPLATE, "Справочник.О.Макет.М", "Справочник.О.Макет.М"),
        ("CommonTemplates/О/Ext/Template.txt", Role.TEMPLATE, "ОбщийМакет.О", "ОбщийМакет.О"),
        ("CommonTemplates/О/Ext/Template/ru.html", Role.TEMPLATE, "ОбщийМакет.О", "ОбщийМакет.О"),
    ],
)
def test_parts_of_objects_have_roles(path: str, role: Role, owner: str, fqn: str) -> None:
    place = place_of(path)
    assert place is not None
    assert (place.role, place.owner, place.fqn) == (role, owner, fqn)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "README.md",
        "ConfigDumpInfo.xml",
        "Ext/Splash.xml",
        "Unknowns/О.xml",
        "Catalogs/О.txt",
        "Catalogs/О/Ext/Help.xml",
        "DataProcessors/О/Ext/Help/ru_files/image.png",
        "Catalogs/О/Ext/ObjectModule.xml",
        "other/Catalogs/О.xml",
        "Ext/Module.bsl",
        "Catalogs/О/Ext/Module.bsl",
        "Catalogs/О/Ext/Form/Module.bsl",
    ],
)
def test_other_files_have_no_place(path: str) -> None:
    assert place_of(path) is None


PARTS = ("Catalogs", "CommonModules", "Forms", "Subsystems", "Ext", "Help", "Form", "ru.html", "А.xml", "Module.bsl")


@given(st.lists(st.sampled_from(PARTS)))
def test_any_path_has_a_named_place_or_none(parts: list[str]) -> None:
    place = place_of("/".join(parts))
    assert place is None or (place.fqn.startswith(place.owner) and place.kind)
