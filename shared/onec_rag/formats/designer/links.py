"""What an object of a dump declares about other objects."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.types import owner_of_type
from onec_rag.formats.xml import text_of
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
        "ChartOfAccounts": "план счетов",
        "ExtDimensionTypes": "виды субконто",
        "ChartOfCalculationTypes": "план видов расчета",
        "BaseCalculationTypes": "базовые виды расчета",
        "CharacteristicExtValues": "дополнительные значения характеристик",
        "XDTOPackages": "пакет XDTO",
        "DefaultRoles": "основные роли",
    }
)
"""Property of a dump → the word for what it declares."""

STANDARD_ATTRIBUTES: Mapping[str, str] = MappingProxyType(
    {
        "Ref": "Ссылка",
        "DeletionMark": "ПометкаУдаления",
        "Code": "Код",
        "Description": "Наименование",
        "Date": "Дата",
        "Number": "Номер",
        "Posted": "Проведен",
        "Parent": "Родитель",
        "Owner": "Владелец",
        "IsFolder": "ЭтоГруппа",
        "Predefined": "Предопределенный",
        "PredefinedDataName": "ИмяПредопределенныхДанных",
        "ValueType": "ТипЗначения",
        "Type": "Вид",
        "OffBalance": "Забалансовый",
        "Order": "Порядок",
        "Period": "Период",
        "Recorder": "Регистратор",
        "LineNumber": "НомерСтроки",
        "Active": "Активность",
        "RecordType": "ВидДвижения",
        "Account": "Счет",
        "CalculationType": "ВидРасчета",
        "RegistrationPeriod": "ПериодРегистрации",
        "ActionPeriod": "ПериодДействия",
        "ActionPeriodIsBasic": "ПериодДействияБазовый",
        "ReversingEntry": "СторноЗапись",
        "Started": "Стартован",
        "Completed": "Завершен",
        "HeadTask": "ВедущаяЗадача",
        "BusinessProcess": "БизнесПроцесс",
        "RoutePoint": "ТочкаМаршрута",
        "Executed": "Выполнена",
        "ThisNode": "ЭтотУзел",
        "SentNo": "НомерОтправленного",
        "ReceivedNo": "НомерПринятого",
    }
)
"""Standard attributes are named in English in every dump; in the language they have Russian names."""


def read_links(properties: Mapping[str, etree._Element]) -> tuple[Link, ...]:
    """The links that an object's properties declare, each once; objects that vanished (bare ids) are left out."""
    links: dict[Link, None] = {}
    for name, relation in RELATIONS.items():
        if name in properties:
            links.update((Link(relation, target), None) for target in _targets(properties[name]))
    return tuple(links)


def target_of(text: str) -> str:
    """The canonical FQN that a reference or an object's type names; empty for any other text."""
    parts = text.strip().split(".")
    if len(parts) == 1 or parts[0] not in KIND_BY_NAME:
        return owner_of_type(text)
    if parts[0] == "CommonModule":  # a method behind it is a name, even where it is called as a kind is
        return ".".join([russian_fqn(".".join(parts[:2])), *parts[2:]])
    if len(parts) > 3 and parts[-2] == "StandardAttribute":
        parts[-1] = STANDARD_ATTRIBUTES.get(parts[-1], parts[-1])
    return russian_fqn(".".join(parts))


def _targets(element: etree._Element) -> Iterator[str]:
    for item in element if len(element) else (element,):
        texts = [text_of(part) for part in item.iter()]
        if "DontUse" not in texts:  # an item of a common attribute that is switched off
            yield from filter(None, map(target_of, texts))
