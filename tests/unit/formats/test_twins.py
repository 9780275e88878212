"""A configuration is the same whether it comes as a Configurator dump or as an EDT project: the same object model,
forms, rights, schemas, templates, modules and help. The fixtures are one invented configuration in both formats."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.children import read_child
from onec_rag.formats.designer.command_interface import read_command_interface
from onec_rag.formats.designer.exchange_content import read_exchange_content
from onec_rag.formats.designer.flowchart import read_flowchart
from onec_rag.formats.designer.forms import read_form
from onec_rag.formats.designer.objects import read_object
from onec_rag.formats.designer.package import read_package
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.predefined import read_predefined
from onec_rag.formats.designer.rights import read_rights
from onec_rag.formats.designer.schedule import read_schedule
from onec_rag.formats.designer.templates import read_template
from onec_rag.formats.edt.command_interface import read_project_command_interface
from onec_rag.formats.edt.forms import read_project_form
from onec_rag.formats.edt.objects import read_project_object
from onec_rag.formats.edt.paths import edt_place_of
from onec_rag.formats.edt.schedule import read_project_schedule
from onec_rag.formats.help import read_help
from onec_rag.formats.modules import read_module
from onec_rag.formats.ordinary_form import read_ordinary_form
from onec_rag.formats.place import PlaceOf, Reader, Role
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.form import Handler
from onec_rag.model.metadata import Field, Link, MetadataObject

DATA = Path(__file__).parents[2] / "data" / "formats"
SHARED: Mapping[Role, Reader] = {
    Role.PACKAGE: read_package,
    Role.FLOWCHART: read_flowchart,
    Role.MODULE: read_module,
    Role.ORDINARY_FORM: read_ordinary_form,
    Role.RIGHTS: read_rights,
    Role.TEMPLATE: read_template,
    Role.HELP: read_help,
}
DUMP: Mapping[Role, Reader] = {
    Role.OBJECT: read_object,
    Role.CHILD: read_child,
    Role.PREDEFINED: read_predefined,
    Role.EXCHANGE_CONTENT: read_exchange_content,
    Role.SCHEDULE: read_schedule,
    Role.COMMAND_INTERFACE: read_command_interface,
    Role.FORM: read_form,
    **SHARED,
}
PROJECT: Mapping[Role, Reader] = {
    Role.OBJECT: read_project_object,
    Role.CHILD: read_project_object,
    Role.SCHEDULE: read_project_schedule,
    Role.COMMAND_INTERFACE: read_project_command_interface,
    Role.FORM: read_project_form,
    **SHARED,
}
FORMATS: Mapping[str, tuple[PlaceOf, Mapping[Role, Reader]]] = {
    "configuration": (place_of, DUMP),
    "edt": (edt_place_of, PROJECT),
}
METADATA = (DocumentKind.OBJECT, DocumentKind.PART)


@cache
def outcomes(folder: str) -> Mapping[tuple[str, str], Document | str]:
    """What every file of a fixture gives: a document, or the reason why there is none."""
    place_of, readers = FORMATS[folder]
    found: dict[tuple[str, str], Document | str] = {}
    for file in sorted((DATA / folder).rglob("*")):
        path = unicodedata.normalize("NFC", file.relative_to(DATA / folder).as_posix())
        place = place_of(path) if file.is_file() else None
        if place is None or place.role not in readers:
            continue
        try:
            document = readers[place.role](place, path, file.read_bytes())
        except PermanentError as error:
            found[place.fqn, error.reason] = error.reason
        else:
            if document is not None:
                found[place.fqn, document.kind if document.kind not in METADATA else path] = document
    return found


def plain(value: object) -> Any:
    """A value that compares as the formats allow: the order of fields, links and handlers differs between them."""
    if isinstance(value, tuple) and value and isinstance(value[0], Field):
        named = {f"{item.kind} {item.name}": plain(item) for item in value}
        assert len(named) == len(value)
        return named
    if isinstance(value, tuple) and value and isinstance(value[0], (Link, Handler)):
        return sorted(map(str, value))
    if isinstance(value, tuple):
        return list(map(plain, value))
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value):
        return {item.name: plain(said) for item in fields(value) if (said := getattr(value, item.name))}
    return value


def described(objects: Iterable[MetadataObject]) -> dict[str, dict[str, Any]]:
    """What is said of each object in all documents, by its FQN."""
    merged: dict[str, dict[str, Any]] = {}
    for one in sorted(objects, key=lambda one: bool(one.synonyms or one.fields)):
        known = merged.setdefault(one.fqn, {})
        for name, value in plain(one).items():
            if isinstance(value, dict):
                known[name] = known.get(name, {}) | value
            elif isinstance(value, list):
                known[name] = sorted({*known.get(name, []), *value}, key=str)
            else:
                known[name] = known.get(name) or value
    return merged


def metadata(folder: str) -> dict[str, dict[str, Any]]:
    contents = [one.content for one in outcomes(folder).values() if isinstance(one, Document)]
    return described(content for content in contents if isinstance(content, MetadataObject))


def kept_together(dump: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The objects of a dump that stand elsewhere in a project.

    One `.mdo` is one document, and it holds the languages of a configuration, and the forms and templates of a table of
    an external source. The interfaces of an ordinary application are outside of a project's sources. Groups of commands
    have no order but that of what is in them (which all but one of a hundred real dumps repeat).
    """
    for name in ("Русский", "Английский"):
        language = dump.pop(f"Язык.{name}")
        del language["fqn"]
        dump["Конфигурация"].setdefault("fields", {})[f"Language {name}"] = language
    table = dump["ВнешнийИсточникДанных.СтарыйСклад"]["fields"]["Table Товары"]
    table["fields"] |= dump.pop("ВнешнийИсточникДанных.СтарыйСклад.Таблица.Товары")["fields"]
    del dump["Интерфейс.Кассовый"]
    dump["Подсистема.Торговля"]["properties"]["ПорядокГрупп"] = "ПанельНавигации.Важное, ПанельНавигации.Обычное"
    return dump


def test_objects_are_the_same_in_both_formats() -> None:
    dump, project = kept_together(metadata("configuration")), metadata("edt")
    assert project.keys() == dump.keys()
    for fqn, said in dump.items():
        assert project[fqn] == said, fqn


def test_everything_else_is_the_same_in_both_formats() -> None:
    dump, project = (
        {
            key: one if isinstance(one, str) else (one.kind, one.title, plain(one.content))
            for key, one in outcomes(folder).items()
            if isinstance(one, str) or one.kind not in METADATA
        }
        for folder in ("configuration", "edt")
    )
    assert project.keys() == dump.keys()
    assert {key[1] for key in dump} >= set(DocumentKind) - {*METADATA, DocumentKind.PLATFORM, DocumentKind.PAGE}
    for key, said in dump.items():
        assert project[key] == said, key
