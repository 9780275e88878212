"""What a file of a Configurator dump is, told by its path alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from onec_rag.model.metadata import KIND_BY_PLURAL, russian_fqn

CONFIGURATION = "Конфигурация"
"""The FQN of a root's own descriptor and of what stands in its `Ext`: there is one in every root."""

MODULE_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "ObjectModule": "МодульОбъекта",
        "ManagerModule": "МодульМенеджера",
        "RecordSetModule": "МодульНабораЗаписей",
        "ValueManagerModule": "МодульМенеджераЗначения",
        "CommandModule": "МодульКоманды",
        "ManagedApplicationModule": "МодульУправляемогоПриложения",
        "OrdinaryApplicationModule": "МодульОбычногоПриложения",
        "SessionModule": "МодульСеанса",
        "ExternalConnectionModule": "МодульВнешнегоСоединения",
    }
)

_OWN_MODULE = frozenset({"HTTPService", "WebService", "IntegrationService", "WebSocketClient", "Bot"})

# Folders inside an object's folder, and the kind of what lies in them.
_NESTED: Mapping[str, str] = MappingProxyType(
    {
        "Forms": "Form",
        "Templates": "Template",
        "Commands": "Command",
        "Subsystems": "Subsystem",
        "Recalculations": "Recalculation",
        "Tables": "Table",
        "Cubes": "Cube",
        "DimensionTables": "DimensionTable",
    }
)


class Role(StrEnum):
    """What a file of a dump is read as."""

    OBJECT = "object"
    MODULE = "module"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Place:
    """A file's role and whose it is: `owner` is the FQN of the object, form or command.

    `kind` is the English kind: of the module where it is one (`ObjectModule`), else of the owner (`Catalog`). `fqn` is
    that of the module, else the owner's.
    """

    role: Role
    owner: str
    kind: str
    fqn: str


def place_of(path: str) -> Place | None:
    """The place of a path inside a root, `None` for a file that no reader of dumps is for.

    Descriptors of forms and templates are none of their own: their owner names them.
    """
    if path == "Configuration.xml":
        return Place(Role.OBJECT, CONFIGURATION, "Configuration", CONFIGURATION)
    reference, rest = _walk(path.split("/"))
    kind = reference[-2] if reference else "Configuration"
    owner = russian_fqn(".".join(reference)) if reference else CONFIGURATION
    match rest:
        case [] if len(reference) == 2 or set(reference[::2]) == {"Subsystem"}:
            return Place(Role.OBJECT, owner, kind, owner)
        case ["Ext", "Help", page] if page.endswith(".html"):
            return Place(Role.HELP, owner, kind, owner)
        case ["Ext", "Form", "Module.bsl" | "Module.bin"] if kind in ("Form", "CommonForm"):
            return Place(Role.MODULE, owner, "FormModule", f"{owner}.Модуль")
        case ["Ext", "Module.bsl" | "Module.bin"] if kind == "CommonModule":
            return Place(Role.MODULE, owner, kind, owner)
        case ["Ext", "Module.bsl" | "Module.bin"] if kind in _OWN_MODULE:
            return Place(Role.MODULE, owner, f"{kind}Module", f"{owner}.Модуль")
        case ["Ext", name]:
            stem, _, extension = name.partition(".")
            if stem in MODULE_WORDS and extension in ("bsl", "bin"):
                return Place(Role.MODULE, owner, stem, f"{owner}.{MODULE_WORDS[stem]}")
    return None


def _walk(parts: list[str]) -> tuple[list[str], list[str]]:
    """English kinds and names that the folders spell, and the parts behind them; none are left by a descriptor."""
    reference: list[str] = []
    while len(parts) > 1:
        kind = KIND_BY_PLURAL[parts[0]].name if not reference and parts[0] in KIND_BY_PLURAL else ""
        kind = kind or (_NESTED.get(parts[0], "") if reference else "")
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
