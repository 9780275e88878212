"""A role's rights (`Rights.xml`, in EDT `Rights.rights`: the same schema) → `Rights`.

`object{name, right*{name, value, restrictionByCondition*{field*, condition}}}` and `restrictionTemplate{name,
condition}` in `http://v8.1c.ru/8.2/roles`. Dumps that people have merged by hand repeat what should stand once: nothing
of it is lost. An unknown element is passed over with all that is in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from lxml import etree

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.place import CONFIGURATION, Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import russian_fqn
from onec_rag.model.rights import ObjectRights, Restriction, Rights

RIGHTS: Mapping[str, str] = MappingProxyType(
    {
        "Read": "Чтение",
        "Insert": "Добавление",
        "Update": "Изменение",
        "Delete": "Удаление",
        "View": "Просмотр",
        "Edit": "Редактирование",
        "InputByString": "ВводПоСтроке",
        "Use": "Использование",
        "Get": "Получение",
        "Set": "Установка",
        "Start": "Старт",
        "Execute": "Выполнение",
        "TotalsControl": "УправлениеИтогами",
        "Posting": "Проведение",
        "UndoPosting": "ОтменаПроведения",
        "InteractiveInsert": "ИнтерактивноеДобавление",
        "InteractiveDelete": "ИнтерактивноеУдаление",
        "InteractiveSetDeletionMark": "ИнтерактивнаяПометкаУдаления",
        "InteractiveClearDeletionMark": "ИнтерактивноеСнятиеПометкиУдаления",
        "InteractiveDeleteMarked": "ИнтерактивноеУдалениеПомеченных",
        "InteractiveDeletePredefinedData": "ИнтерактивноеУдалениеПредопределенныхДанных",
        "InteractiveSetDeletionMarkPredefinedData": "ИнтерактивнаяПометкаУдаленияПредопределенныхДанных",
        "InteractiveClearDeletionMarkPredefinedData": "ИнтерактивноеСнятиеПометкиУдаленияПредопределенныхДанных",
        "InteractiveDeleteMarkedPredefinedData": "ИнтерактивноеУдалениеПомеченныхПредопределенныхДанных",
        "InteractivePosting": "ИнтерактивноеПроведение",
        "InteractivePostingRegular": "ИнтерактивноеПроведениеНеОперативное",
        "InteractiveUndoPosting": "ИнтерактивнаяОтменаПроведения",
        "InteractiveChangeOfPosted": "ИнтерактивноеИзменениеПроведенных",
        "InteractiveStart": "ИнтерактивныйСтарт",
        "InteractiveActivate": "ИнтерактивнаяАктивация",
        "InteractiveExecute": "ИнтерактивноеВыполнение",
        "ReadDataHistory": "ЧтениеИсторииДанных",
        "ViewDataHistory": "ПросмотрИсторииДанных",
        "UpdateDataHistory": "ИзменениеИсторииДанных",
        "UpdateDataHistorySettings": "ИзменениеНастроекИсторииДанных",
        "UpdateDataHistoryVersionComment": "ИзменениеКомментарияВерсииИсторииДанных",
        "EditDataHistoryVersionComment": "РедактированиеКомментарияВерсииИсторииДанных",
        "SwitchToDataHistoryVersion": "ПереходНаВерсиюИсторииДанных",
        "ReadDataHistoryOfMissingData": "ЧтениеИсторииДанныхОтсутствующихДанных",
        "UpdateDataHistoryOfMissingData": "ИзменениеИсторииДанныхОтсутствующихДанных",
        "SessionStandardAuthenticationChange": "ИзменениеСтандартнойАутентификацииСеанса",
        "SessionOSAuthenticationChange": "ИзменениеАутентификацииОССеанса",
        "StandardAuthenticationChange": "ИзменениеСтандартнойАутентификации",
        "Administration": "Администрирование",
        "DataAdministration": "АдминистрированиеДанных",
        "ConfigurationExtensionsAdministration": "АдминистрированиеРасширенийКонфигурации",
        "UpdateDataBaseConfiguration": "ОбновлениеКонфигурацииБазыДанных",
        "ExclusiveMode": "МонопольныйРежим",
        "ExclusiveModeTerminationAtSessionStart": "ЗавершениеМонопольногоРежимаПриНачалеСеанса",
        "ActiveUsers": "АктивныеПользователи",
        "EventLog": "ЖурналРегистрации",
        "ThinClient": "ТонкийКлиент",
        "WebClient": "ВебКлиент",
        "MobileClient": "МобильныйКлиент",
        "ThickClient": "ТолстыйКлиент",
        "ExternalConnection": "ВнешнееСоединение",
        "TechnicalSpecialistMode": "РежимТехническогоСпециалиста",
        "CollaborationSystemInfoBaseRegistration": "РегистрацияИнформационнойБазыСистемыВзаимодействия",
        "AnalyticsSystemClient": "КлиентСистемыАналитики",
        "MainWindowModeNormal": "РежимОсновногоОкнаОбычный",
        "MainWindowModeWorkplace": "РежимОсновногоОкнаРабочееМесто",
        "MainWindowModeEmbeddedWorkplace": "РежимОсновногоОкнаВстроенноеРабочееМесто",
        "MainWindowModeFullscreenWorkplace": "РежимОсновногоОкнаПолноэкранноеРабочееМесто",
        "MainWindowModeKiosk": "РежимОсновногоОкнаКиоск",
        "SaveUserData": "СохранениеДанныхПользователя",
        "Output": "Вывод",
        "InteractiveOpenExtDataProcessors": "ИнтерактивноеОткрытиеВнешнихОбработок",
        "InteractiveOpenExtReports": "ИнтерактивноеОткрытиеВнешнихОтчетов",
    }
)
"""Names of rights in a dump → in the language (`ПравоДоступа("Чтение", …)`); unknown ones stay as they are written."""


def read_rights(place: Place, path: str, data: bytes) -> Document | None:
    """The rights of the role at `path` inside a root, `None` for XML that holds none."""
    root = parse_xml(data, path)
    if local_name(root) != "Rights":
        return None
    parts = by_name(root)
    objects: dict[str, _Collected] = {}
    templates: dict[str, str] = {}
    for element in root:
        kind = local_name(element)
        if kind == "object":
            _collect(element, objects)
        elif kind == "restrictionTemplate":
            template = by_name(element)
            templates.setdefault(text_of(template.get("name")), text_of(template.get("condition")))
    rights = Rights(
        objects=tuple(
            ObjectRights(fqn, tuple(found.granted), tuple(found.denied), tuple(found.restrictions))
            for fqn, found in objects.items()
        ),
        templates=templates,
        for_new_objects=text_of(parts.get("setForNewObjects")) == "true",
        for_attributes_by_default=text_of(parts.get("setForAttributesByDefault")) == "true",
        independent_child_rights=text_of(parts.get("independentRightsOfChildObjects")) == "true",
    )
    if rights == Rights():
        return None
    return Document(path, DocumentKind.RIGHTS, place.fqn, place.fqn.rpartition(".")[2], rights)


@dataclass(slots=True)
class _Collected:
    """The rights to one object, each once in the order of the file."""

    granted: dict[str, None] = field(default_factory=dict)
    denied: dict[str, None] = field(default_factory=dict)
    restrictions: dict[Restriction, None] = field(default_factory=dict)


def _collect(element: etree._Element, objects: dict[str, _Collected]) -> None:
    """Adds an `object` to what is known of its FQN: a merged file may have it twice."""
    name = text_of(by_name(element).get("name"))
    if not name:
        return
    found = objects.setdefault(_fqn(name), _Collected())
    for right in element:
        if local_name(right) != "right":
            continue
        names, conditions, granted = [], [], False
        for part in right:
            match local_name(part):
                case "name":
                    names.append(text_of(part))
                case "value":
                    granted = text_of(part) == "true"
                case "restrictionByCondition":
                    conditions.append(part)
        for name in filter(None, names):
            russian = RIGHTS.get(name, name)
            (found.granted if granted else found.denied)[russian] = None
            found.restrictions.update((restriction, None) for restriction in _restrictions(russian, conditions))


def _restrictions(right: str, elements: Iterable[etree._Element]) -> Iterable[Restriction]:
    for element in elements:
        fields = tuple(text_of(part) for part in element if local_name(part) == "field" and text_of(part))
        if condition := text_of(by_name(element).get("condition")):
            yield Restriction(right, condition, fields)


def _fqn(name: str) -> str:
    if name.startswith("Configuration."):
        return CONFIGURATION
    return target_of(name) or russian_fqn(name)
