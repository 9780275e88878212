import pytest
from lxml import etree

from onec_rag.formats.designer.properties import localized, read_properties
from onec_rag.formats.designer.property_names import PROPERTY_NAMES
from onec_rag.formats.xml import by_name
from onec_rag.model.metadata import FIELD_KINDS, KIND_BY_NAME

_LOCKS = "РежимУправленияБлокировкойДанных"


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
            "<MethodName>CommonModule.М.Выполнить</MethodName><Use>true</Use>"
            "<Key>9f003c2c-0c76-4329-9244-4ab3c7b845b0</Key>",
            {
                "ИмяМетода": "ОбщийМодуль.М.Выполнить",
                "Использование": "Да",
                "Ключ": "9f003c2c-0c76-4329-9244-4ab3c7b845b0",
            },
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
        ("StyleItem", "<Value>web:Gray</Value>", {"Значение": "web:Gray"}),
        ("Form", "<FormType>Ordinary</FormType>", {"ТипФормы": "Обычная"}),
        ("Configuration", "<DataLockControlMode>Managed</DataLockControlMode>", {_LOCKS: "Управляемый"}),
        (
            "Command",
            "<Group>FormCommandBarImportant</Group><ParameterUseMode>Single</ParameterUseMode>"
            "<Shortcut>Ctrl+P</Shortcut>",
            {"Группа": "КоманднаяПанельФормы.Важное", "СочетаниеКлавиш": "Ctrl+P"},
        ),
        (
            "Column",
            "<References><Item>Document.А.Attribute.Б</Item><Item>Document.В.StandardAttribute.Date</Item></References>",
            {"Ссылки": "Документ.А.Реквизит.Б, Документ.В.СтандартныйРеквизит.Дата"},
        ),
        (
            "Attribute",
            "<FillValue>Enum.Виды.EmptyRef</FillValue><ChoiceForm>22222222-0000-4000-8000-000000000000</ChoiceForm>"
            "<MinValue>0</MinValue><MaxValue/><Mask>99-99</Mask>",
            {"МинимальноеЗначение": "0", "Маска": "99-99"},
        ),
        ("Dimension", "<UseInTotals>true</UseInTotals>", {}),
        ("Dimension", "<UseInTotals>false</UseInTotals>", {"ИспользованиеВИтогах": "Нет"}),
        ("Catalog", "<Hierarchical>false</Hierarchical><HierarchyType>HierarchyOfItems</HierarchyType>", {}),
        (
            "Catalog",
            "<HierarchyType>HierarchyOfItems</HierarchyType><Hierarchical>true</Hierarchical>",
            {"Иерархический": "Да", "ВидИерархии": "ИерархияЭлементов"},
        ),
        (
            "WebSocketClient",
            "<ServerURL>wss://a</ServerURL><User>б</User><Password>в</Password><Headers>г: д</Headers>",
            {"АдресСервера": "wss://a"},
        ),
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


def test_the_kinds_whose_properties_are_read_exist_and_no_two_properties_share_a_name() -> None:
    assert PROPERTY_NAMES.keys() <= KIND_BY_NAME.keys() | FIELD_KINDS.keys()
    assert all(len(set(labels.values())) == len(labels) for labels in PROPERTY_NAMES.values())
