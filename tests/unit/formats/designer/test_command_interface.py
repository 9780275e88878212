from onec_rag.formats.designer.command_interface import read_command_interface
from unit.formats.designer.parts import read_document, read_part

PATH = "Subsystems/Торговля/Ext/CommandInterface.xml"


def interface(inside: str) -> str:
    return f'<CommandInterface xmlns="http://v8.1c.ru/8.3/xcf/extrnprops">{inside}</CommandInterface>'


def visible(name: str, common: str, roles: str = "") -> str:
    return f'<Command name="{name}"><Visibility><Common>{common}</Common>{roles}</Visibility></Command>'


def placed(name: str, group: str) -> str:
    return f'<Command name="{name}"><CommandGroup>{group}</CommandGroup><Placement>Auto</Placement></Command>'


def test_it_says_what_is_shown_and_hidden_to_all_and_to_a_role() -> None:
    commands = (
        visible("Catalog.А.StandardCommand.OpenList", "true")
        + visible("CommonCommand.Б", "false", '<Value name="Role.Кассир">true</Value>')
        + visible("Report.В.Command.Г", "true", '<Value name="Role.Гость">false</Value>')
        + visible("0:b8a966ba-3452-44df-91d0-7040ecd3e4c2", "true")
        + visible("0", "true")
    )
    part = read_part(read_command_interface, PATH, interface(f"<CommandsVisibility>{commands}</CommandsVisibility>"))
    assert (part.kind, part.fqn) == ("Subsystem", "Подсистема.Торговля")
    assert part.properties == {
        "Видимость": "Справочник.А.СтандартнаяКоманда.ОткрытьСписок, Отчет.В.Команда.Г",
        "Невидимость": "ОбщаяКоманда.Б",
        "Видимость для Роль.Кассир": "ОбщаяКоманда.Б",
        "Невидимость для Роль.Гость": "Отчет.В.Команда.Г",
    }


def test_commands_stand_in_their_group_in_the_order_that_is_set() -> None:
    part = read_part(
        read_command_interface,
        PATH,
        interface(
            f"<CommandsPlacement>{placed('CommonCommand.Б', 'ActionsPanelTools')}"
            f"{placed('CommonCommand.В', 'CommandGroup.Касса')}</CommandsPlacement>"
            f"<CommandsOrder>{placed('CommonCommand.А', 'ActionsPanelTools')}"
            f"{placed('CommonCommand.Б', 'ActionsPanelTools')}</CommandsOrder>"
            "<GroupsOrder><Group>ActionsPanelTools</Group><Group>CommandGroup.Касса</Group></GroupsOrder>"
            "<SubsystemsOrder><Subsystem>Subsystem.А.Subsystem.Б</Subsystem></SubsystemsOrder><Novelty><X/></Novelty>"
        ),
    )
    assert part.properties == {
        "Группа ПанельДействий.Сервис": "ОбщаяКоманда.А, ОбщаяКоманда.Б",
        "Группа ГруппаКоманд.Касса": "ОбщаяКоманда.В",
        "ПорядокГрупп": "ПанельДействий.Сервис, ГруппаКоманд.Касса",
        "ПорядокПодсистем": "Подсистема.А.Подсистема.Б",
    }


def test_the_main_sections_interface_is_told_apart_from_the_configurations() -> None:
    order = interface("<SubsystemsOrder><Subsystem>Subsystem.А</Subsystem></SubsystemsOrder>")
    main = read_part(read_command_interface, "Ext/MainSectionCommandInterface.xml", order)
    own = read_part(read_command_interface, "Ext/CommandInterface.xml", order)
    assert (main.fqn, main.properties) == ("Конфигурация", {"ОсновнойРаздел.ПорядокПодсистем": "Подсистема.А"})
    assert (own.fqn, own.properties) == ("Конфигурация", {"ПорядокПодсистем": "Подсистема.А"})


def test_an_interface_that_says_nothing_has_no_part() -> None:
    assert read_document(read_command_interface, PATH, interface("<CommandsVisibility/>")) is None
    assert read_document(read_command_interface, PATH, "<Help/>") is None
