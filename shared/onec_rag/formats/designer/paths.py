"""What a file of a hierarchical dump is, told by its path alone."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from onec_rag.formats.place import CONFIGURATION, Place, Role, module_place
from onec_rag.model.metadata import KIND_BY_PLURAL, russian_fqn

NESTED: Mapping[str, str] = MappingProxyType(
    {
        "Forms": "Form",
        "Templates": "Template",
        "Commands": "Command",
        "Subsystems": "Subsystem",
        "Recalculations": "Recalculation",
        "Tables": "Table",
        "Cubes": "Cube",
        "DimensionTables": "DimensionTable",
        "Functions": "Function",
    }
)
"""Folders inside an object's folder, and the kind of what lies in them."""

_EXT: Mapping[str, Role] = MappingProxyType(
    {
        "Predefined.xml": Role.PREDEFINED,
        "Content.xml": Role.EXCHANGE_CONTENT,
        "Schedule.xml": Role.SCHEDULE,
        "Package.bin": Role.PACKAGE,
        "Flowchart.xml": Role.FLOWCHART,
        "Rights.xml": Role.RIGHTS,
        "CommandInterface.xml": Role.COMMAND_INTERFACE,
        "MainSectionCommandInterface.xml": Role.COMMAND_INTERFACE,
        "Template.xml": Role.TEMPLATE,
        "Template.txt": Role.TEMPLATE,
    }
)


def place_of(path: str) -> Place | None:
    """The place of a path inside a root, `None` for a file that no reader of dumps is for."""
    if path == "Configuration.xml":
        return Place(Role.OBJECT, CONFIGURATION, "Configuration", CONFIGURATION)
    reference, rest = _walk(path.split("/"))
    return place_in(reference, rest)


def place_in(reference: Sequence[str], rest: Sequence[str]) -> Place | None:
    """The place of a file below the object that `reference` spells (`Catalog`, `Валюты`); `rest` are the parts of its
    path inside the object's folder, none for the object's descriptor."""
    kind = reference[-2] if reference else "Configuration"
    owner = russian_fqn(".".join(reference)) if reference else CONFIGURATION
    match rest:
        case [] if len(reference) == 2 or set(reference[::2]) == {"Subsystem"}:
            return Place(Role.OBJECT, owner, kind, owner)
        case [] if reference:
            return Place(Role.CHILD, russian_fqn(".".join(reference[:-2])), reference[-4], owner)
        case ["Ext", "Help", page] if page.endswith(".html"):
            return Place(Role.HELP, owner, kind, owner)
        case ["Ext", "Template", page] if page.endswith(".html"):
            return Place(Role.TEMPLATE, owner, kind, owner)
        case ["Ext", "Form.xml"] if kind in ("Form", "CommonForm"):
            return Place(Role.FORM, owner, kind, owner)
        case ["Ext", "Form.bin"] if kind in ("Form", "CommonForm"):
            return Place(Role.ORDINARY_FORM, owner, "FormModule", f"{owner}.Модуль")
        case ["Ext", "Form", "Module.bsl" | "Module.bin"] if kind in ("Form", "CommonForm"):
            return module_place(owner, kind, "Module")
        case ["Ext", name] if name in _EXT:
            return Place(_EXT[name], owner, kind, owner)
        case ["Ext", name] if kind not in ("Form", "CommonForm"):
            stem, _, extension = name.partition(".")
            return module_place(owner, kind, stem) if extension in ("bsl", "bin") else None
    return None


def _walk(parts: list[str]) -> tuple[list[str], list[str]]:
    """English kinds and names that the folders spell, and the parts behind them; none are left by a descriptor."""
    reference: list[str] = []
    while len(parts) > 1:
        kind = KIND_BY_PLURAL[parts[0]].name if not reference and parts[0] in KIND_BY_PLURAL else ""
        kind = kind or (NESTED.get(parts[0], "") if reference else "")
        if not kind:
            break
        name = parts[1]
        if len(parts) == 2:
            if not name.endswith(".xml"):
                break
            name = name.removesuffix(".xml")
        reference += [kind, name]
        parts = parts[2:]
    return reference, parts
