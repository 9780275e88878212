from collections.abc import Mapping

from hypothesis import given

from onec_rag.formats.edt.command_interface import read_project_command_interface
from onec_rag.formats.place import Place, Role
from onec_rag.model.metadata import MetadataObject
from unit.formats.edt.trees import check, files

PATH = "Subsystems/Сад/CommandInterface.cmi"
PLACE = Place(Role.COMMAND_INTERFACE, "Подсистема.Сад", "Subsystem", "Подсистема.Сад")


def said(inner: str, path: str = PATH) -> Mapping[str, str]:
    data = f'<cmi:CommandInterface xmlns:cmi="http://g5.1c.ru/v8/dt/cmi">{inner}</cmi:CommandInterface>'.encode()
    document = read_project_command_interface(PLACE, path, data)
    assert document is not None
    assert isinstance(document.content, MetadataObject)
    return document.content.properties


def test_what_is_not_said_to_be_shown_is_hidden() -> None:
    commands = (
        ("CommonCommand.Полить", "<visible><common>true</common><for><role>Role.Гость</role></for></visible>"),
        ("CommonCommand.Срубить", "<visible/>"),
        ("CommonCommand.Посадить", "<visible><for><value>true</value><role>Role.Гость</role></for></visible>"),
    )
    fragments = "".join(
        f"<visibilityFragments><command>{command}</command>{visible}</visibilityFragments>"
        for command, visible in commands
    )
    assert said(f"<commandsVisibility>{fragments}</commandsVisibility>") == {
        "Видимость": "ОбщаяКоманда.Полить",
        "Невидимость для Роль.Гость": "ОбщаяКоманда.Полить",
        "Невидимость": "ОбщаяКоманда.Срубить, ОбщаяКоманда.Посадить",
        "Видимость для Роль.Гость": "ОбщаяКоманда.Посадить",
    }


def test_commands_of_a_group_and_the_order_of_groups() -> None:
    fragments = "".join(
        f"<orderFragments><group>CommandGroup.{group}</group><commands>CommonCommand.{group}1</commands>"
        f"<commands>CommonCommand.{group}2</commands></orderFragments>"
        for group in ("Ель", "Ёж")
    )
    assert said(f"<commandsOrder>{fragments}</commandsOrder>") == {
        "Группа ГруппаКоманд.Ель": "ОбщаяКоманда.Ель1, ОбщаяКоманда.Ель2",
        "Группа ГруппаКоманд.Ёж": "ОбщаяКоманда.Ёж1, ОбщаяКоманда.Ёж2",
        "ПорядокГрупп": "ГруппаКоманд.Ель, ГруппаКоманд.Ёж",
    }


def test_order_and_visibility_of_subsystems() -> None:
    assert said(
        "<subsystemsVisibility><visibilityFragments><subsystem>Subsystem.Сад</subsystem><visible/>"
        "</visibilityFragments></subsystemsVisibility>"
        "<subsystemsOrder><subsystems>Subsystem.Б</subsystems><subsystems>Subsystem.А</subsystems></subsystemsOrder>"
    ) == {"Невидимость": "Подсистема.Сад", "ПорядокПодсистем": "Подсистема.Б, Подсистема.А"}


def test_an_interface_that_says_nothing_and_other_xml_are_none() -> None:
    for data in (b"<CommandInterface/>", b"<Form/>"):
        assert read_project_command_interface(PLACE, PATH, data) is None


@given(
    files(
        "CommandInterface",
        ("commandsVisibility", "visibilityFragments", "visible", "for", "role", "command", "commandsOrder",
         "orderFragments", "group", "commands", "subsystemsOrder", "subsystems", "common"),
    )
)  # fmt: skip
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(data: bytes) -> None:
    check(read_project_command_interface, PLACE, PATH, data)
