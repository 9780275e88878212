"""What a file of a configuration is, whatever the layout of the dump: hierarchical, flat, or a project of EDT."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from onec_rag.model.document import Document

CONFIGURATION = "Конфигурация"
"""The FQN of a root's own descriptor and of what stands beside it: there is one in every root."""

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

OWN_MODULE = frozenset({"HTTPService", "WebService", "IntegrationService", "WebSocketClient", "Bot"})
"""Kinds whose one module is called `Module`, as that of a common module and of a form is."""


class Role(StrEnum):
    """What a file is read as; also the name of its format."""

    OBJECT = "object"
    CHILD = "child"
    PREDEFINED = "predefined"
    EXCHANGE_CONTENT = "exchange_content"
    SCHEDULE = "schedule"
    PACKAGE = "package"
    FLOWCHART = "flowchart"
    COMMAND_INTERFACE = "command_interface"
    MODULE = "module"
    FORM = "form"
    ORDINARY_FORM = "ordinary_form"
    RIGHTS = "rights"
    TEMPLATE = "template"
    HELP = "help"


DESCRIPTORS = frozenset(
    {
        Role.OBJECT, Role.CHILD, Role.PREDEFINED, Role.EXCHANGE_CONTENT, Role.SCHEDULE, Role.PACKAGE, Role.FLOWCHART,
        Role.COMMAND_INTERFACE,
    }
)  # fmt: skip
"""Roles whose documents are metadata: they declare names and relations, so they are read in the first wave."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file's role and whose it is.

    `owner` is the FQN of the object, form, template or command that the file belongs to, of a `CHILD` that of the
    object which has the child. `kind` is the English kind: of the module where it is one (`ObjectModule`), else of
    the owner (`Catalog`). `fqn` is that of the module or child, else the owner's.
    """

    role: Role
    owner: str
    kind: str
    fqn: str


PlaceOf = Callable[[str], Place | None]
Reader = Callable[[Place, str, bytes], Document | None]


def module_place(owner: str, kind: str, stem: str) -> Place | None:
    """The place of a module's file by its name without extension, for the owner of that kind; `None` for no module."""
    if stem == "Module":
        if kind == "CommonModule":
            return Place(Role.MODULE, owner, kind, owner)
        if kind in ("Form", "CommonForm"):
            return Place(Role.MODULE, owner, "FormModule", f"{owner}.Модуль")
        if kind in OWN_MODULE:
            return Place(Role.MODULE, owner, f"{kind}Module", f"{owner}.Модуль")
    if stem in MODULE_WORDS:
        return Place(Role.MODULE, owner, stem, f"{owner}.{MODULE_WORDS[stem]}")
    return None
