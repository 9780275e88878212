"""A form of the managed interface, as its file describes it."""

from dataclasses import dataclass, field

from onec_rag.model.code import Query
from onec_rag.model.metadata import NO_SYNONYMS, Synonyms


@dataclass(frozen=True, slots=True)
class Handler:
    """`event` (`ПриОткрытии`) calls `procedure` of the form's module; `call_type` (`Before`, `After`, `Override`)
    is how a form of an extension hooks into the base form's event, else empty."""

    event: str
    procedure: str
    call_type: str = ""


@dataclass(frozen=True, slots=True)
class FormItem:
    """An element of a form. `kind` is its English type (`InputField`, `Table`, `Button`); `data_path` and `command`
    are what it shows and what it runs, as written; `depth` counts the elements around it, 0 outside any. `tooltip` is
    the one of its property; an extended tooltip is an element of its own, inside this one."""

    name: str
    kind: str
    titles: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    tooltip: str = ""
    data_path: str = ""
    command: str = ""
    handlers: tuple[Handler, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class FormAttribute:
    """An attribute of a form; `columns` are those of a table, and by their whole path (`Объект.Товары.Остаток`) those
    that the form adds to tables of an object. `query` is a dynamic list's own, with `main_table` first among its
    tables; a list without one reads `main_table` (canonical, `Справочник.Валюты`)."""

    name: str
    titles: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    types: tuple[str, ...] = ()
    main: bool = False
    columns: tuple["FormAttribute", ...] = ()
    query: Query | None = None
    main_table: str = ""


@dataclass(frozen=True, slots=True)
class FormCommand:
    """A command of a form; `action` is the procedure it calls (names joined by `, ` where an extension adds some)."""

    name: str
    titles: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    tooltip: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A managed form without what an extension's copy of the base form (`BaseForm`) holds.

    `parameters` are (name, types); `items` stand in reading order, parents before children.
    """

    titles: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    handlers: tuple[Handler, ...] = ()
    attributes: tuple[FormAttribute, ...] = ()
    commands: tuple[FormCommand, ...] = ()
    parameters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    items: tuple[FormItem, ...] = ()
