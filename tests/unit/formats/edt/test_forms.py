import pytest
from hypothesis import given

from onec_rag.errors import PermanentError
from onec_rag.formats.edt.forms import read_project_form
from onec_rag.formats.place import Place, Role
from onec_rag.model.form import Form, FormAttribute, FormCommand, FormItem, Handler
from unit.formats.edt.trees import check, files

PATH = "Catalogs/Ёлки/Forms/Форма/Form.form"
PLACE = Place(Role.FORM, "Справочник.Ёлки.Форма.Форма", "Form", "Справочник.Ёлки.Форма.Форма")
NAMESPACES = 'xmlns:form="http://g5.1c.ru/v8/dt/form" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'


def form(xml: str) -> Form:
    document = read_project_form(PLACE, PATH, f"<form:Form {NAMESPACES}>{xml}</form:Form>".encode())
    assert document is not None
    assert isinstance(document.content, Form)
    return document.content


def item(kind: str, xml: str) -> str:
    return f'<items xsi:type="form:{kind}"><id>1</id>{xml}</items>'


@pytest.mark.parametrize(
    ("xml", "kind"),
    [
        (item("FormField", "<name>Э</name><type>InputField</type>"), "InputField"),
        (item("FormField", "<name>Э</name><type>SpreadsheetDocumentField</type>"), "SpreadSheetDocumentField"),
        (item("FormGroup", "<name>Э</name><type>UsualGroup</type>"), "UsualGroup"),
        (item("FormGroup", "<name>Э</name>"), "ButtonGroup"),
        (item("Decoration", "<name>Э</name><type>Label</type>"), "LabelDecoration"),
        (item("Decoration", "<name>Э</name>"), "PictureDecoration"),
        (item("Addition", "<name>Э</name>"), "SearchStringAddition"),
        (item("Addition", "<name>Э</name><type>ViewStatusAddition</type>"), "ViewStatusAddition"),
        (item("Button", "<name>Э</name><type>UsualButton</type>"), "Button"),
        (item("Table", "<name>Э</name>"), "Table"),
        (item("Новинка", "<name>Э</name><type>не имя</type>"), "Item"),
    ],
)
def test_an_element_is_of_the_kind_that_a_dump_calls_it(xml: str, kind: str) -> None:
    assert form(xml).items == (FormItem("Э", kind),)


def test_elements_stand_in_reading_order_with_what_they_show_and_run() -> None:
    field = item(
        "FormField",
        "<name>Высота</name><title><key>ru</key><value>Высота, м</value></title><type>InputField</type>"
        '<dataPath xsi:type="form:DataPath"><segments>Объект.Высота</segments></dataPath>'
        "<handlers><event>OnChange</event><name>ВысотаПриИзменении</name></handlers>"
        "<extInfo><handlers><event>StartChoice</event><name>ВысотаНачалоВыбора</name></handlers></extInfo>"
        "<extendedTooltip><name>Подсказка</name><type>Label</type></extendedTooltip>",
    )
    button = item("Button", "<name>Срубить</name><commandName>Form.Command.Срубить</commandName>")
    group = item("FormGroup", f"<name>Группа</name><items/>{field}<type>UsualGroup</type>")
    bar = f"<autoCommandBar><name>Панель</name>{button}</autoCommandBar>"
    assert form(group + bar).items == (
        FormItem("Панель", "AutoCommandBar"),
        FormItem("Срубить", "Button", command="Form.Command.Срубить", depth=1),
        FormItem("Группа", "UsualGroup"),
        FormItem(
            "Высота",
            "InputField",
            titles={"ru": "Высота, м"},
            data_path="Объект.Высота",
            handlers=(
                Handler("ПриИзменении", "ВысотаПриИзменении"),
                Handler("НачалоВыбора", "ВысотаНачалоВыбора"),
            ),
            depth=1,
        ),
    )


def test_a_formatted_title_loses_its_markup() -> None:
    label = "<name>Э</name><title><key>ru</key><value>Ель &lt;b&gt;высока&lt;/&gt;</value></title><type>Label</type>"
    assert form(item("Decoration", f"{label}<formatted>true</formatted>")).items[0].titles == {"ru": "Ель высока"}


def test_events_of_a_form_and_how_an_extension_hooks_into_them() -> None:
    read = form(
        "<title><key>ru</key><value>Ёлка</value></title>"
        '<handlers xsi:type="form:EventHandlerExtension"><event>OnOpen</event><name>После</name>'
        "<callType>After</callType></handlers>"
        "<extInfo><handlers><event>OnReadAtServer</event><name>ПриЧтении</name></handlers></extInfo>"
    )
    assert read.titles == {"ru": "Ёлка"}
    assert read.handlers == (Handler("ПриОткрытии", "После", "After"), Handler("ПриЧтенииНаСервере", "ПриЧтении"))


def test_attributes_with_columns_commands_and_parameters() -> None:
    read = form(
        "<attributes><name>Объект</name><valueType><types>CatalogObject.Ёлки</types></valueType><main>true</main>"
        "<additionalColumns><tablePath><segments>Объект.Ветки</segments></tablePath><columns><name>Номер</name>"
        "<valueType><types>Number</types></valueType></columns></additionalColumns></attributes>"
        "<attributes><name>Таблица</name><valueType><types>ValueTable</types></valueType>"
        "<columns><name>Имя</name></columns></attributes>"
        "<formCommands><name>Срубить</name><toolTip><key>ru</key><value>Под корень</value></toolTip>"
        "<action><handler><name>СрубитьНаКлиенте</name></handler></action></formCommands>"
        "<parameters><name>Высота</name><valueType><types>Number</types></valueType></parameters>"
    )
    assert read.attributes == (
        FormAttribute(
            "Объект",
            types=("СправочникОбъект.Ёлки",),
            main=True,
            columns=(FormAttribute("Объект.Ветки.Номер", types=("Число",)),),
        ),
        FormAttribute("Таблица", types=("ТаблицаЗначений",), columns=(FormAttribute("Имя"),)),
    )
    assert read.commands == (FormCommand("Срубить", tooltip="Под корень", action="СрубитьНаКлиенте"),)
    assert read.parameters == (("Высота", ("Число",)),)


def test_a_dynamic_list_keeps_its_query_and_table() -> None:
    text = "ВЫБРАТЬ\n  Ветки.Ссылка\nИЗ\n  Справочник.Ветки КАК Ветки"
    (attribute,) = form(
        "<attributes><name>Список</name><valueType><types>DynamicList</types></valueType><extInfo>"
        f"<queryText>{text}</queryText><mainTable>Catalog.Ёлки</mainTable></extInfo></attributes>"
    ).attributes
    assert (attribute.types, attribute.main_table) == (("ДинамическийСписок",), "Справочник.Ёлки")
    assert attribute.query is not None
    assert (attribute.query.text, attribute.query.tables) == (text, ("Справочник.Ёлки", "Справочник.Ветки"))


def test_other_xml_is_none() -> None:
    assert read_project_form(PLACE, PATH, b"<Catalog/>") is None


@pytest.mark.parametrize("depth", [80, 250, 100_000])
def test_deep_nesting_is_read_or_refused(depth: int) -> None:
    try:
        read = form("<items><name>а</name>" * depth + "</items>" * depth)
    except PermanentError:
        assert depth > 80
    else:
        assert [one.depth for one in read.items] == list(range(depth))


@given(
    files(
        "Form",
        ("name", "title", "toolTip", "key", "value", "items", "type", "dataPath", "segments", "commandName", "handlers",
         "event", "callType", "extInfo", "autoCommandBar", "extendedTooltip", "contextMenu", "attributes", "valueType",
         "types", "columns", "additionalColumns", "tablePath", "formCommands", "action", "handler", "parameters",
         "formatted", "mainTable", "queryText", "main", "Неизвестно"),
    )
)  # fmt: skip
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(data: bytes) -> None:
    check(read_project_form, PLACE, PATH, data)
