"""What an object of a dump declares about other objects."""

from collections.abc import Iterator, Mapping, Set
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.standard import standard_attribute
from onec_rag.formats.designer.types import owner_of_type
from onec_rag.formats.xml import by_name, text_of
from onec_rag.model.metadata import KIND_BY_NAME, Link, russian_fqn

RELATIONS: Mapping[str, str] = MappingProxyType(
    {
        "RegisterRecords": "движения",
        "BasedOn": "ввод на основании",
        "Owners": "владелец",
        "Content": "состав",
        "RegisteredDocuments": "состав",
        "Documents": "состав",
        "Location": "хранение",
        "Use": "использование",
        "Source": "источник",
        "Handler": "обработчик",
        "MethodName": "обработчик",
        "Numerator": "нумератор",
        "Task": "задача",
        "Addressing": "адресация",
        "CurrentPerformer": "текущий исполнитель",
        "ChartOfAccounts": "план счетов",
        "ExtDimensionTypes": "виды субконто",
        "ChartOfCalculationTypes": "план видов расчета",
        "BaseCalculationTypes": "базовые виды расчета",
        "Schedule": "график",
        "CharacteristicExtValues": "дополнительные значения характеристик",
        "Characteristics": "характеристики",
        "DataSeparationValue": "разделение",
        "DataSeparationUse": "разделение",
        "ConditionalSeparation": "разделение",
        "Group": "группа команд",
        "CommandParameterType": "параметр команды",
        "Picture": "картинка",
        "XDTOPackages": "пакет XDTO",
        "DefaultRoles": "основные роли",
    }
)
"""Property of a dump → the word for what it declares."""

_OF_KIND: Mapping[tuple[str, str], str] = MappingProxyType({("Sequence", "RegisterRecords"): "состав"})
"""A sequence writes nothing: it follows the records of others."""

_CHARACTERISTICS = ("{*}CharacteristicTypes", "{*}CharacteristicValues")


def read_links(kind: str, properties: Mapping[str, etree._Element]) -> tuple[Link, ...]:
    """The links that an object's properties declare, each once; objects that vanished (bare ids) are left out."""
    switched_off = {"DontUse"} if text_of(properties.get("AutoUse")) == "Use" else {"DontUse", "Auto"}
    links: dict[Link, None] = {}
    for name, relation in RELATIONS.items():
        if name in properties:
            said = _OF_KIND.get((kind, name), relation)
            targets = map(target_of, _references(name, properties[name], switched_off))
            links.update((Link(said, target), None) for target in targets if target)
    return tuple(links)


def target_of(text: str) -> str:
    """The canonical FQN that a reference or an object's type names; empty for any other text."""
    parts = text.strip().split(".")
    if len(parts) == 1 or parts[0] not in KIND_BY_NAME:
        return owner_of_type(text)
    if parts[0] == "CommonModule":  # a method behind it is a name, even where it is called as a kind is
        return ".".join([russian_fqn(".".join(parts[:2])), *parts[2:]])
    if len(parts) > 3 and parts[-2] == "StandardAttribute":
        parts[-1] = standard_attribute(parts[0], parts[-1])
    return russian_fqn(".".join(parts))


def _references(name: str, element: etree._Element, switched_off: Set[str]) -> Iterator[str]:
    if name == "Characteristics":  # their tables alone: the fields are inside them
        yield from (part.get("from", text_of(part)) for part in element.iter(*_CHARACTERISTICS))
        return
    for item in element if len(element) else (element,):
        parts = by_name(item)
        if "Metadata" not in parts:
            yield from map(text_of, item.iter())
        elif text_of(parts.get("Use")) not in switched_off:  # of a common attribute
            yield text_of(parts["Metadata"])
