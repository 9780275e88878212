"""The command interface of a subsystem or configuration (`Ext/CommandInterface.xml`) → properties of its owner."""

from collections.abc import Iterator, Mapping

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.designer.property_values import VALUES
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document

_STANDARD: Mapping[str, str] = {
    "OpenList": "ОткрытьСписок",
    "Open": "Открыть",
    "Create": "Создать",
    "CreateFolder": "СоздатьГруппу",
}
_MAIN_SECTION = "ОсновнойРаздел."


def read_command_interface(place: Place, path: str, data: bytes) -> Document | None:
    """What is shown and hidden (to all, and to a role), and what stands in which group in which order.

    `None` where the file at `path` inside a root says nothing; commands of things that vanished are left out. The
    interface of the main section is told by its file's name, and its properties begin with `ОсновнойРаздел.`
    """
    root = parse_xml(data, path)
    if local_name(root) != "CommandInterface":
        return None
    prefix = _MAIN_SECTION if "MainSection" in path.rpartition("/")[2] else ""
    found: dict[str, dict[str, None]] = {}
    for section in sorted(root, key=_comes_late):
        for label, name in _said(local_name(section), section):
            if name:
                found.setdefault(prefix + label, {})[name] = None
    return part_of(place, path, properties={label: ", ".join(names) for label, names in found.items()})


def _comes_late(section: etree._Element) -> bool:
    """The order of a group is said in one section, what was put into it in another."""
    return local_name(section) == "CommandsPlacement"


def _said(section: str, items: etree._Element) -> Iterator[tuple[str, str]]:
    """(what is said, of what) in the order of the file."""
    for item in items:
        parts = by_name(item)
        name = _called(item.get("name") or text_of(item))
        match section:
            case "CommandsVisibility" | "SubsystemsVisibility":
                for value in parts.get("Visibility", ()):
                    shown = "Видимость" if text_of(value) == "true" else "Невидимость"
                    role = _called(value.get("name", ""))
                    yield (f"{shown} для {role}" if role else shown), name
            case "CommandsPlacement" | "CommandsOrder":
                yield f"Группа {_called(text_of(parts.get('CommandGroup')))}", name
            case "GroupsOrder":
                yield "ПорядокГрупп", name
            case "SubsystemsOrder":
                yield "ПорядокПодсистем", name


def _called(text: str) -> str:
    """A command, group, subsystem or role by its Russian name; empty for a bare id."""
    owner, dot, command = text.partition(".StandardCommand.")
    if dot:
        return f"{target_of(owner)}.СтандартнаяКоманда.{_STANDARD.get(command, command)}" if target_of(owner) else ""
    return VALUES.get(text) or target_of(text)
