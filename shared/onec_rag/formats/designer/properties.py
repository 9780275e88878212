"""Facts of a descriptor that are worth reading on a card, under the names of 1C's own object model in Russian
(`Метаданные.ОбщиеМодули.X.ВызовСервера`)."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.designer.property_names import EVERY_KIND, PROPERTY_NAMES
from onec_rag.formats.designer.property_values import OF_PROPERTY, SAID_WITH, UNSAID, VALUES
from onec_rag.formats.designer.types import is_bare_id
from onec_rag.formats.place import MODULE_WORDS
from onec_rag.formats.xml import by_name, local_name, text_of
from onec_rag.model.metadata import title_of

_EXTENDED: Mapping[str, str] = MappingProxyType(
    {
        "Name": "Имя",
        "Synonym": "Синоним",
        "Comment": "Комментарий",
        "Type": "Тип",
        "Content": "Состав",
        "Form": "Форма",
        "Template": "Макет",
        "Rights": "Права",
        "Predefined": "ПредопределенныеДанные",
        "CommandInterface": "КомандныйИнтерфейс",
        "MainSectionCommandInterface": "КомандныйИнтерфейсОсновногоРаздела",
        "Module": "Модуль",
        **MODULE_WORDS,
    }
)
"""Properties that the state of an adopted object names; many are parts in files of their own."""


def read_properties(kind: str, properties: Mapping[str, etree._Element]) -> dict[str, str]:
    """Russian names and values of what the kind's card shows, in the table's order; defaults are left out.

    A property that names several things gives their FQNs with commas.
    """
    found: dict[str, str] = {}
    for labels in (PROPERTY_NAMES.get(kind, {}), EVERY_KIND):
        for name, label in labels.items():
            if name in properties and (value := _shown(name, _value(properties[name]))) and _counts(name, properties):
                found[label] = value
    return found


def localized(element: etree._Element | None) -> dict[str, str]:
    """Language code → text of a `Synonym`-shaped property; languages without a text are left out."""
    texts: dict[str, str] = {}
    for item in () if element is None else element:
        parts = by_name(item)
        if content := text_of(parts.get("content")):
            texts[text_of(parts.get("lang"))] = content
    return texts


def extended_properties(info: etree._Element | None) -> dict[str, str]:
    """What an extension changed in an adopted object, and what it watches, from the object's `InternalInfo`.

    `Extended` and `MultiState` are the states of a property that the extension sets or adds to, `Notify` that of one
    which it only compares with the base configuration.
    """
    states: dict[str, list[str]] = {}
    for part in () if info is None else info:
        if local_name(part) == "PropertyState":
            state = by_name(part)
            label = "КонтролируемыеСвойства" if text_of(state.get("State")) == "Notify" else "РасширенныеСвойства"
            name = text_of(state.get("Property"))
            states.setdefault(label, []).append(_EXTENDED.get(name, name))
    return {label: ", ".join(names) for label, names in states.items()}


def _counts(name: str, properties: Mapping[str, etree._Element]) -> bool:
    other, needed = SAID_WITH.get(name, ("", ""))
    return not other or text_of(properties.get(other)) == needed


def _value(element: etree._Element) -> str:
    if not len(element):
        return text_of(element)
    return title_of(localized(element), "") or ", ".join(_targets(element))


def _targets(element: etree._Element) -> Iterator[str]:
    return filter(None, (target_of(text_of(part)) for part in element.iter()))


def _shown(name: str, value: str) -> str:
    said = OF_PROPERTY.get((name, value))
    if said is not None:
        return said
    if value in UNSAID or value.endswith(".EmptyRef") or (is_bare_id(value) and name != "Key"):
        return ""
    if value in VALUES:
        return VALUES[value]
    if value.startswith("Version8_"):  # a platform, `Version8_3_24`
        return value.removeprefix("Version").replace("_", ".")
    return target_of(value) or value
