"""The properties of a dump that are worth a line on a card: one table of names, one of values.

Names are those of the platform's own object model in Russian (`Метаданные.ОбщиеМодули.X.ВызовСервера`).
"""

from collections.abc import Mapping
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.xml import by_name, text_of
from onec_rag.model.metadata import title_of

_EVERY_KIND: Mapping[str, str] = {
    "ObjectBelonging": "ПринадлежностьОбъекта",
    "ObjectPresentation": "ПредставлениеОбъекта",
    "ListPresentation": "ПредставлениеСписка",
    "RecordPresentation": "ПредставлениеЗаписи",
}
_CODE = {"CodeLength": "ДлинаКода", "DescriptionLength": "ДлинаНаименования"}
_NUMBER = {"NumberLength": "ДлинаНомера", "NumberPeriodicity": "ПериодичностьНомера"}
_DATA_FIELD = {
    "FillChecking": "ПроверкаЗаполнения",
    "Indexing": "Индексирование",
    "Use": "Использование",
    "Master": "Ведущее",
    "DenyIncompleteValues": "ЗапретНезаполненныхЗначений",
    "BaseDimension": "Базовое",
    "Balance": "Балансовый",
    "NameInDataSource": "ИмяВИсточникеДанных",
}
_LABELS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "Configuration": {
            "Version": "Версия",
            "Vendor": "Поставщик",
            "NamePrefix": "ПрефиксИмен",
            "ConfigurationExtensionPurpose": "НазначениеРасширенияКонфигурации",
            "CompatibilityMode": "РежимСовместимости",
            "ConfigurationExtensionCompatibilityMode": "РежимСовместимостиРасширенияКонфигурации",
            "DefaultRunMode": "ОсновнойРежимЗапуска",
            "ScriptVariant": "ВариантВстроенногоЯзыка",
            "DefaultLanguage": "ОсновнойЯзык",
            "DataLockControlMode": "РежимУправленияБлокировкойДанных",
        },
        "CommonModule": {
            "Global": "Глобальный",
            "ClientManagedApplication": "КлиентУправляемоеПриложение",
            "Server": "Сервер",
            "ExternalConnection": "ВнешнееСоединение",
            "ClientOrdinaryApplication": "КлиентОбычноеПриложение",
            "ServerCall": "ВызовСервера",
            "Privileged": "Привилегированный",
            "ReturnValuesReuse": "ПовторноеИспользованиеВозвращаемыхЗначений",
        },
        "Catalog": {"Hierarchical": "Иерархический", **_CODE},
        "ChartOfCharacteristicTypes": {"Hierarchical": "Иерархический", **_CODE},
        "ChartOfAccounts": {**_CODE, "CodeMask": "МаскаКода", "MaxExtDimensionCount": "МаксКоличествоСубконто"},
        "ChartOfCalculationTypes": {
            **_CODE,
            "DependenceOnCalculationTypes": "ЗависимостьОтВидовРасчета",
            "ActionPeriodUse": "ИспользованиеПериодаДействия",
        },
        "ExchangePlan": {**_CODE, "DistributedInfoBase": "РаспределеннаяИнформационнаяБаза"},
        "Document": {**_NUMBER, "Posting": "Проведение", "RealTimePosting": "ОперативноеПроведение"},
        "DocumentNumerator": _NUMBER,
        "BusinessProcess": _NUMBER,
        "Task": {"NumberLength": "ДлинаНомера", "DescriptionLength": "ДлинаНаименования"},
        "InformationRegister": {
            "InformationRegisterPeriodicity": "ПериодичностьРегистраСведений",
            "WriteMode": "РежимЗаписи",
        },
        "AccumulationRegister": {"RegisterType": "ВидРегистра"},
        "AccountingRegister": {"Correspondence": "Корреспонденция"},
        "CalculationRegister": {
            "Periodicity": "Периодичность",
            "ActionPeriod": "ПериодДействия",
            "BasePeriod": "БазовыйПериод",
        },
        "CommonAttribute": {"DataSeparation": "РазделениеДанных", "AutoUse": "Автоиспользование"},
        "CommonTemplate": {"TemplateType": "ТипМакета"},
        "Subsystem": {"IncludeInCommandInterface": "ВключатьВКомандныйИнтерфейс"},
        "EventSubscription": {"Event": "Событие", "Handler": "Обработчик"},
        "ScheduledJob": {
            "MethodName": "ИмяМетода",
            "Description": "Наименование",
            "Key": "Ключ",
            "Use": "Использование",
            "Predefined": "Предопределенное",
        },
        "HTTPService": {"RootURL": "КорневойURL", "ReuseSessions": "ПовторноеИспользованиеСеансов"},
        "WebService": {"Namespace": "ПространствоИмен", "DescriptorFileName": "ИмяФайлаПубликации"},
        "WSReference": {"LocationURL": "АдресWSDL"},
        "XDTOPackage": {"Namespace": "ПространствоИмен"},
        "IntegrationService": {"ExternalIntegrationServiceAddress": "АдресВнешнегоСервисаИнтеграции"},
        "Language": {"LanguageCode": "КодЯзыка"},
        "Attribute": _DATA_FIELD,
        "Dimension": _DATA_FIELD,
        "Resource": _DATA_FIELD,
        "AddressingAttribute": _DATA_FIELD,
        "TabularSection": _DATA_FIELD,
        "Column": _DATA_FIELD,
        "Field": _DATA_FIELD,
        "Table": _DATA_FIELD,
        "URLTemplate": {"Template": "Шаблон"},
        "Method": {"HTTPMethod": "HTTPМетод", "Handler": "Обработчик"},
        "Operation": {
            "ProcedureName": "ИмяПроцедуры",
            "Transactioned": "ВТранзакции",
        },
        "Parameter": {"TransferDirection": "НаправлениеПередачи"},
        "IntegrationServiceChannel": {
            "ExternalIntegrationServiceChannelName": "ИмяКаналаВнешнегоСервисаИнтеграции",
            "MessageDirection": "НаправлениеСообщения",
            "ReceiveMessageProcessing": "ОбработкаПолученияСообщения",
        },
    }
)

# What a property has where nobody set it: it says nothing about this object.
_UNSAID = frozenset({"", "false", "0", "DontUse", "DontCheck", "DontIndex", "ForItem"})
_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "true": "Да",
        "Adopted": "Заимствованный",
        "Patch": "Исправление",
        "Customization": "Адаптация",
        "AddOn": "Дополнение",
        "Russian": "Русский",
        "English": "Английский",
        "ManagedApplication": "УправляемоеПриложение",
        "OrdinaryApplication": "ОбычноеПриложение",
        "Managed": "Управляемый",
        "Automatic": "Автоматический",
        "AutomaticAndManaged": "АвтоматическийИУправляемый",
        "DuringRequest": "НаВремяВызова",
        "DuringSession": "НаВремяСеанса",
        "Use": "Использовать",
        "AutoUse": "ИспользоватьАвтоматически",
        "Separate": "Разделять",
        "Allow": "Разрешить",
        "Deny": "Запретить",
        "Nonperiodical": "Непериодический",
        "Second": "Секунда",
        "Day": "День",
        "Month": "Месяц",
        "Quarter": "Квартал",
        "Year": "Год",
        "RecorderPosition": "ПозицияРегистратора",
        "Independent": "Независимый",
        "RecorderSubordinate": "ПодчинениеРегистратору",
        "Balance": "Остатки",
        "Turnovers": "Обороты",
        "ShowError": "ВыдаватьОшибку",
        "Index": "Индексировать",
        "IndexWithAdditionalOrder": "ИндексироватьСДопУпорядочиванием",
        "ForFolder": "ДляГруппы",
        "ForFolderAndItem": "ДляГруппыИЭлемента",
        "In": "Входной",
        "Out": "Выходной",
        "InOut": "ВходнойВыходной",
        "Send": "Отправка",
        "Receive": "Получение",
        "SpreadsheetDocument": "ТабличныйДокумент",
        "TextDocument": "ТекстовыйДокумент",
        "HTMLDocument": "HTMLДокумент",
        "DataCompositionSchema": "СхемаКомпоновкиДанных",
        "BinaryData": "ДвоичныеДанные",
        "AddIn": "ВнешняяКомпонента",
        "BeforeWrite": "ПередЗаписью",
        "OnWrite": "ПриЗаписи",
        "BeforeDelete": "ПередУдалением",
        "OnCopy": "ПриКопировании",
        "Posting": "ОбработкаПроведения",
        "UndoPosting": "ОбработкаУдаленияПроведения",
        "Filling": "ОбработкаЗаполнения",
        "FillCheckProcessing": "ОбработкаПроверкиЗаполнения",
        "OnSetNewCode": "ПриУстановкеНовогоКода",
        "OnSetNewNumber": "ПриУстановкеНовогоНомера",
        "FormGetProcessing": "ОбработкаПолученияФормы",
        "ChoiceDataGetProcessing": "ОбработкаПолученияДанныхВыбора",
        "PresentationGetProcessing": "ОбработкаПолученияПредставления",
        "PresentationFieldsGetProcessing": "ОбработкаПолученияПолейПредставления",
        "OnSendDataToMaster": "ПриОтправкеДанныхГлавному",
        "OnSendDataToSlave": "ПриОтправкеДанныхПодчиненному",
        "OnReceiveDataFromMaster": "ПриПолученииДанныхОтГлавного",
        "OnReceiveDataFromSlave": "ПриПолученииДанныхОтПодчиненного",
        "OnSendNodeDataToSlave": "ПриОтправкеДанныхУзлаПодчиненному",
    }
)


def read_properties(kind: str, properties: Mapping[str, etree._Element]) -> dict[str, str]:
    """Russian names and values of what the kind's card shows, in the table's order; defaults are left out."""
    found: dict[str, str] = {}
    for labels in (_LABELS.get(kind, {}), _EVERY_KIND):
        for name, label in labels.items():
            element = properties.get(name)
            if element is None:
                continue
            value = title_of(localized(element), text_of(element))
            if value not in _UNSAID:
                found[label] = _shown(value)
    return found


def localized(element: etree._Element | None) -> dict[str, str]:
    """Language code → text of a `Synonym`-shaped property; languages without a text are left out."""
    texts: dict[str, str] = {}
    for item in () if element is None else element:
        parts = by_name(item)
        if content := text_of(parts.get("content")):
            texts[text_of(parts.get("lang"))] = content
    return texts


def _shown(value: str) -> str:
    if value.startswith("Version8_"):  # a platform, `Version8_3_24`
        return value.removeprefix("Version").replace("_", ".")
    return _VALUES.get(value) or target_of(value) or value
