"""Kinds of 1C metadata in both languages, and one object of a configuration as every reader gives it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of top-level metadata object; `name` is the XML element, `plural` the folder of a dump."""

    name: str
    plural: str
    ru: str
    ru_plural: str


KINDS: tuple[Kind, ...] = (
    Kind("Configuration", "", "Конфигурация", "Конфигурации"),
    Kind("Catalog", "Catalogs", "Справочник", "Справочники"),
    Kind("Document", "Documents", "Документ", "Документы"),
    Kind("Enum", "Enums", "Перечисление", "Перечисления"),
    Kind("Constant", "Constants", "Константа", "Константы"),
    Kind("InformationRegister", "InformationRegisters", "РегистрСведений", "РегистрыСведений"),
    Kind("AccumulationRegister", "AccumulationRegisters", "РегистрНакопления", "РегистрыНакопления"),
    Kind("AccountingRegister", "AccountingRegisters", "РегистрБухгалтерии", "РегистрыБухгалтерии"),
    Kind("CalculationRegister", "CalculationRegisters", "РегистрРасчета", "РегистрыРасчета"),
    Kind("ChartOfAccounts", "ChartsOfAccounts", "ПланСчетов", "ПланыСчетов"),
    Kind(
        "ChartOfCharacteristicTypes",
        "ChartsOfCharacteristicTypes",
        "ПланВидовХарактеристик",
        "ПланыВидовХарактеристик",
    ),
    Kind("ChartOfCalculationTypes", "ChartsOfCalculationTypes", "ПланВидовРасчета", "ПланыВидовРасчета"),
    Kind("BusinessProcess", "BusinessProcesses", "БизнесПроцесс", "БизнесПроцессы"),
    Kind("Task", "Tasks", "Задача", "Задачи"),
    Kind("ExchangePlan", "ExchangePlans", "ПланОбмена", "ПланыОбмена"),
    Kind("DocumentJournal", "DocumentJournals", "ЖурналДокументов", "ЖурналыДокументов"),
    Kind("DocumentNumerator", "DocumentNumerators", "НумераторДокументов", "НумераторыДокументов"),
    Kind("Sequence", "Sequences", "Последовательность", "Последовательности"),
    Kind("FilterCriterion", "FilterCriteria", "КритерийОтбора", "КритерииОтбора"),
    Kind("Report", "Reports", "Отчет", "Отчеты"),
    Kind("DataProcessor", "DataProcessors", "Обработка", "Обработки"),
    Kind("ExternalReport", "ExternalReports", "ВнешнийОтчет", "ВнешниеОтчеты"),
    Kind("ExternalDataProcessor", "ExternalDataProcessors", "ВнешняяОбработка", "ВнешниеОбработки"),
    Kind("SettingsStorage", "SettingsStorages", "ХранилищеНастроек", "ХранилищаНастроек"),
    Kind("CommonModule", "CommonModules", "ОбщийМодуль", "ОбщиеМодули"),
    Kind("CommonForm", "CommonForms", "ОбщаяФорма", "ОбщиеФормы"),
    Kind("CommonCommand", "CommonCommands", "ОбщаяКоманда", "ОбщиеКоманды"),
    Kind("CommandGroup", "CommandGroups", "ГруппаКоманд", "ГруппыКоманд"),
    Kind("CommonTemplate", "CommonTemplates", "ОбщийМакет", "ОбщиеМакеты"),
    Kind("CommonPicture", "CommonPictures", "ОбщаяКартинка", "ОбщиеКартинки"),
    Kind("CommonAttribute", "CommonAttributes", "ОбщийРеквизит", "ОбщиеРеквизиты"),
    Kind("Role", "Roles", "Роль", "Роли"),
    Kind("Subsystem", "Subsystems", "Подсистема", "Подсистемы"),
    Kind("FunctionalOption", "FunctionalOptions", "ФункциональнаяОпция", "ФункциональныеОпции"),
    Kind(
        "FunctionalOptionsParameter",
        "FunctionalOptionsParameters",
        "ПараметрФункциональныхОпций",
        "ПараметрыФункциональныхОпций",
    ),
    Kind("DefinedType", "DefinedTypes", "ОпределяемыйТип", "ОпределяемыеТипы"),
    Kind("SessionParameter", "SessionParameters", "ПараметрСеанса", "ПараметрыСеанса"),
    Kind("EventSubscription", "EventSubscriptions", "ПодпискаНаСобытие", "ПодпискиНаСобытия"),
    Kind("ScheduledJob", "ScheduledJobs", "РегламентноеЗадание", "РегламентныеЗадания"),
    Kind("HTTPService", "HTTPServices", "HTTPСервис", "HTTPСервисы"),
    Kind("WebService", "WebServices", "WebСервис", "WebСервисы"),
    Kind("WSReference", "WSReferences", "WSСсылка", "WSСсылки"),
    Kind("XDTOPackage", "XDTOPackages", "ПакетXDTO", "ПакетыXDTO"),
    Kind("IntegrationService", "IntegrationServices", "СервисИнтеграции", "СервисыИнтеграции"),
    Kind("WebSocketClient", "WebSocketClients", "WebSocketКлиент", "WebSocketКлиенты"),
    Kind("Bot", "Bots", "Бот", "Боты"),
    Kind("ExternalDataSource", "ExternalDataSources", "ВнешнийИсточникДанных", "ВнешниеИсточникиДанных"),
    Kind("Language", "Languages", "Язык", "Языки"),
    Kind("Style", "Styles", "Стиль", "Стили"),
    Kind("StyleItem", "StyleItems", "ЭлементСтиля", "ЭлементыСтиля"),
    Kind("PaletteColor", "PaletteColors", "ЦветПалитры", "ЦветаПалитры"),
    Kind("Interface", "Interfaces", "Интерфейс", "Интерфейсы"),
)
KIND_BY_NAME: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in KINDS})
KIND_BY_PLURAL: Mapping[str, Kind] = MappingProxyType({kind.plural: kind for kind in KINDS if kind.plural})

# Kinds of what an object owns: English element name → Russian word of the FQN.
FIELD_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "Attribute": "Реквизит",
        "TabularSection": "ТабличнаяЧасть",
        "Dimension": "Измерение",
        "Resource": "Ресурс",
        "EnumValue": "ЗначениеПеречисления",
        "Column": "Графа",
        "AddressingAttribute": "РеквизитАдресации",
        "AccountingFlag": "ПризнакУчета",
        "ExtDimensionAccountingFlag": "ПризнакУчетаСубконто",
        "StandardAttribute": "СтандартныйРеквизит",
        "Command": "Команда",
        "URLTemplate": "ШаблонURL",
        "Method": "Метод",
        "Operation": "Операция",
        "Parameter": "Параметр",
        "IntegrationServiceChannel": "КаналСервисаИнтеграции",
        "Table": "Таблица",
        "Cube": "Куб",
        "DimensionTable": "ТаблицаИзмерения",
        "Function": "Функция",
        "Field": "Поле",
        "Form": "Форма",
        "Template": "Макет",
        "Recalculation": "Перерасчет",
        "PredefinedItem": "ПредопределенныйЭлемент",
        "RoutePoint": "ТочкаМаршрута",
        "ObjectType": "ТипОбъекта",
        "ValueType": "ТипЗначения",
        "Property": "Свойство",
        "Language": "Язык",
        "StandardTabularSection": "СтандартнаяТабличнаяЧасть",
    }
)

_RUSSIAN: Mapping[str, str] = MappingProxyType({kind.name: kind.ru for kind in KINDS} | dict(FIELD_KINDS))


def russian_fqn(reference: str) -> str:
    """The canonical full name of a dump's reference: `Catalog.X.Attribute.Y` → `Справочник.X.Реквизит.Y`.

    Kinds stand at even places; names are kept as they are, and so are words that are not kinds.
    """
    parts = reference.split(".")
    return ".".join(_RUSSIAN.get(part, part) if i % 2 == 0 else part for i, part in enumerate(parts))


Synonyms = Mapping[str, str]
NO_SYNONYMS: Synonyms = MappingProxyType({})


def title_of(synonyms: Synonyms, name: str) -> str:
    """What a person calls the thing: the Russian synonym, else the first in any language, else the name."""
    return synonyms.get("ru") or next((text for text in synonyms.values() if text), name)


BELONGING = "ПринадлежностьОбъекта"
ADOPTED = "Заимствованный"
"""Property and value by which an extension tells what it has taken over from the configuration it extends."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that an object owns and that has a name: an attribute, a tabular section, an enum value…

    `types` are names a 1C developer reads (`Строка(50)`, `СправочникСсылка.Валюты`), `properties` other
    facts worth searching for (`HTTPМетод: GET`); `fields` are the columns of a tabular section.
    """

    kind: str
    name: str
    synonyms: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    comment: str = ""
    tooltip: str = ""
    types: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    fields: tuple["Field", ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A declared relation to another object: `relation` is a word of the glossary, `target` a canonical FQN."""

    relation: str
    target: str


@dataclass(frozen=True, slots=True)
class MetadataObject:
    """One object of a configuration; `kind` is the English name of `KINDS`, `fqn` the canonical full name.

    `properties` holds facts worth reading on the card (`Версия`, `ХранениеДанных`…) under Russian names.
    """

    kind: str
    name: str
    fqn: str
    synonyms: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    comment: str = ""
    explanation: str = ""
    types: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    forms: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def title(self) -> str:
        return title_of(self.synonyms, self.name)

    @property
    def adopted(self) -> bool:
        return self.properties.get(BELONGING) == ADOPTED


def form_fqns(owner: MetadataObject) -> list[str]:
    """The FQNs of an object's forms."""
    return [f"{owner.fqn}.{FIELD_KINDS['Form']}.{name}" for name in owner.forms]


def template_fqns(owner: MetadataObject) -> list[str]:
    """The FQNs of an object's templates."""
    return [f"{owner.fqn}.{FIELD_KINDS['Template']}.{name}" for name in owner.templates]


def walk_fields(owner: MetadataObject) -> Iterator[tuple[str, Field]]:
    """Every field of an object with its FQN, columns of tabular sections after their section.

    Predefined items are named by their object alone, however deep they lie: so the language calls them.
    """
    stack = [(owner.fqn, item) for item in reversed(owner.fields)]
    while stack:
        prefix, item = stack.pop()
        fqn = f"{prefix}.{FIELD_KINDS.get(item.kind, item.kind)}.{item.name}"
        yield fqn, item
        inner = prefix if item.kind == "PredefinedItem" else fqn
        stack.extend((inner, child) for child in reversed(item.fields))
