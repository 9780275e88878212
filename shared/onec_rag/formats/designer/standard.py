"""What the platform gives objects by itself, as the language calls it: dumps name it in English."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_ATTRIBUTES: Mapping[str, str] = MappingProxyType(
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
        "AccountDr": "СчетДт",
        "AccountCr": "СчетКт",
        "PeriodAdjustment": "УточнениеПериода",
        "ExtDimensionType": "ВидСубконто",
        "TurnoversOnly": "ТолькоОбороты",
        "CalculationType": "ВидРасчета",
        "RegistrationPeriod": "ПериодРегистрации",
        "ActionPeriod": "ПериодДействия",
        "BegOfActionPeriod": "ПериодДействияНачало",
        "EndOfActionPeriod": "ПериодДействияКонец",
        "BegOfBasePeriod": "БазовыйПериодНачало",
        "EndOfBasePeriod": "БазовыйПериодКонец",
        "ActionPeriodIsBasic": "ПериодДействияБазовый",
        "ReversingEntry": "Сторно",
        "RecalculationObject": "ОбъектПерерасчета",
        "Started": "Стартован",
        "Completed": "Завершен",
        "HeadTask": "ВедущаяЗадача",
        "BusinessProcess": "БизнесПроцесс",
        "RoutePoint": "ТочкаМаршрута",
        "Executed": "Выполнена",
        "ThisNode": "ЭтотУзел",
        "SentNo": "НомерОтправленного",
        "ReceivedNo": "НомерПринятого",
        "ExchangeDate": "ДатаОбмена",
    }
)
_NUMBERED: Mapping[str, str] = MappingProxyType({"ExtDimension": "Субконто", "ExtDimensionType": "ВидСубконто"})
_NUMBER = re.compile(r"(ExtDimension(?:Type)?+)(Dr|Cr)?+([0-9]++)")
_SIDES: Mapping[str | None, str] = MappingProxyType({"Dr": "Дт", "Cr": "Кт", None: ""})
_TABLES: Mapping[str, str] = MappingProxyType(
    {
        "ExtDimensionTypes": "ВидыСубконто",
        "LeadingCalculationTypes": "ВедущиеВидыРасчета",
        "DisplacingCalculationTypes": "ВытесняющиеВидыРасчета",
        "BaseCalculationTypes": "БазовыеВидыРасчета",
    }
)


def standard_attribute(kind: str, name: str) -> str:
    """The Russian name of a standard attribute of an object of that kind; an unknown one stays as it is."""
    if kind == "DocumentJournal" and name == "Type":  # of a document, not of an account
        return "Тип"
    if found := _NUMBER.fullmatch(name):
        return _NUMBERED[found[1]] + _SIDES[found[2]] + found[3]
    return _ATTRIBUTES.get(name, name)


def standard_table(name: str) -> str:
    """The Russian name of a standard tabular section; an unknown one stays as it is."""
    return _TABLES.get(name, name)
