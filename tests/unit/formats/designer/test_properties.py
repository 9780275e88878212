import pytest
from lxml import etree

from onec_rag.formats.designer.properties import localized, read_properties
from onec_rag.formats.xml import by_name


@pytest.mark.parametrize(
    ("kind", "inside", "card"),
    [
        (
            "CommonModule",
            "<Global>false</Global><Server>true</Server><ServerCall>true</ServerCall>"
            "<ReturnValuesReuse>DuringSession</ReturnValuesReuse>",
            {"Сервер": "Да", "ВызовСервера": "Да", "ПовторноеИспользованиеВозвращаемыхЗначений": "НаВремяСеанса"},
        ),
        (
            "InformationRegister",
            "<WriteMode>Independent</WriteMode><InformationRegisterPeriodicity>RecorderPosition"
            "</InformationRegisterPeriodicity>",
            {"ПериодичностьРегистраСведений": "ПозицияРегистратора", "РежимЗаписи": "Независимый"},
        ),
        ("AccumulationRegister", "<RegisterType>Balance</RegisterType>", {"ВидРегистра": "Остатки"}),
        (
            "ScheduledJob",
            "<MethodName>CommonModule.М.Выполнить</MethodName><Use>true</Use><Key/>",
            {"ИмяМетода": "ОбщийМодуль.М.Выполнить", "Использование": "Да"},
        ),
        (
            "Configuration",
            "<Version>2.0</Version><CompatibilityMode>Version8_3_24</CompatibilityMode>"
            "<ObjectBelonging>Adopted</ObjectBelonging>"
            "<ConfigurationExtensionPurpose>Patch</ConfigurationExtensionPurpose>",
            {
                "Версия": "2.0",
                "НазначениеРасширенияКонфигурации": "Исправление",
                "РежимСовместимости": "8.3.24",
                "ПринадлежностьОбъекта": "Заимствованный",
            },
        ),
        ("Resource", "<Balance>true</Balance><FillChecking>DontCheck</FillChecking>", {"Балансовый": "Да"}),
        ("StyleItem", "<Value>web:Gray</Value>", {}),
    ],
)
def test_a_card_says_in_russian_what_differs_from_the_default(kind: str, inside: str, card: dict[str, str]) -> None:
    properties = by_name(etree.fromstring(f"<Properties>{inside}</Properties>"))
    assert read_properties(kind, properties) == card


def test_texts_come_in_every_language_that_has_one() -> None:
    element = etree.fromstring(
        "<Synonym><item><lang>ru</lang><content>Ёлка</content></item><item><lang>en</lang><content/></item>"
        "<item><lang>de</lang><content>Tanne</content></item></Synonym>"
    )
    assert localized(element) == {"ru": "Ёлка", "de": "Tanne"}
    assert localized(None) == {}
