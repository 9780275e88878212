import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.forms import read_form, without_markup
from onec_rag.formats.designer.paths import place_of
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.form import Form, FormAttribute, FormCommand, FormItem, Handler

PATH = "Catalogs/Ёлки/Forms/ФормаЭлемента/Ext/Form.xml"
NAMESPACES = (
    'xmlns="http://v8.1c.ru/8.3/xcf/logform" xmlns:v8="http://v8.1c.ru/8.1/data/core" '
    'xmlns:cfg="http://v8.1c.ru/8.1/data/enterprise/current-config" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)


def document(body: str | bytes, path: str = PATH) -> Document | None:
    data = body if isinstance(body, bytes) else f"<Form {NAMESPACES}>{body}</Form>".encode()
    place = place_of(path)
    assert place is not None
    return read_form(place, path, data)


def form(body: str) -> Form:
    found = document(body)
    assert found is not None
    assert isinstance(found.content, Form)
    return found.content


def title(text: str, tag: str = "Title", attributes: str = "") -> str:
    return f"<{tag}{attributes}><v8:item><v8:lang>ru</v8:lang><v8:content>{text}</v8:content></v8:item></{tag}>"


def items(body: str) -> list[FormItem]:
    return list(form(f"<ChildItems>{body}</ChildItems>").items)


def test_a_form_is_called_by_its_title_else_by_its_name() -> None:
    found = document(title("Ёлка"))
    assert found is not None
    assert (found.kind, found.fqn, found.title) == (DocumentKind.FORM, "Справочник.Ёлки.Форма.ФормаЭлемента", "Ёлка")
    unnamed = document("")
    assert unnamed is not None
    assert unnamed.title == "ФормаЭлемента"


@pytest.mark.parametrize("data", [b"<Help/>", b"<MetaDataObject><Form/></MetaDataObject>", b"<Rights/>"])
def test_xml_that_is_no_form_gives_none_and_no_error(data: bytes) -> None:
    assert document(data) is None


def test_events_are_called_as_the_language_calls_them_and_unknown_ones_as_the_file_does() -> None:
    events = (
        '<Event name="OnOpen">ПриОткрытии</Event><Event name="OnSnow" callType="After">Снег</Event>'
        '<Event name="OnOpen"/>'
    )
    assert form(f"<Events>{events}</Events>").handlers == (
        Handler("ПриОткрытии", "ПриОткрытии"),
        Handler("OnSnow", "Снег", "After"),
    )


def test_the_copy_of_the_base_form_is_left_out() -> None:
    own = '<ChildItems><InputField name="Своё"><DataPath>Своё</DataPath></InputField></ChildItems>'
    base = (
        '<BaseForm><ChildItems><InputField name="Чужое"><DataPath>Чужое</DataPath></InputField></ChildItems>'
        '<Attributes><Attribute name="Чужой"/></Attributes><Events><Event name="OnOpen">Чужая</Event></Events>'
        "</BaseForm>"
    )
    found = form(own + base)
    assert [item.name for item in found.items] == ["Своё"]
    assert (found.attributes, found.handlers) == ((), ())


def test_elements_stand_in_reading_order_with_what_they_show_and_call() -> None:
    field = (
        f'<InputField name="Цена" id="2"><DataPath>Объект.Цена</DataPath>{title("Цена, р.")}'
        f'{title("Без НДС", "ToolTip")}<Events><Event name="OnChange">ЦенаПриИзменении</Event></Events></InputField>'
    )
    button = '<Button name="Пересчёт" id="3"><CommandName>Form.Command.Пересчёт</CommandName></Button>'
    assert items(f'<UsualGroup name="Шапка" id="1"><ChildItems>{field}{button}</ChildItems></UsualGroup>') == [
        FormItem("Шапка", "UsualGroup"),
        FormItem(
            "Цена",
            "InputField",
            {"ru": "Цена, р."},
            "Без НДС",
            "Объект.Цена",
            handlers=(Handler("ПриИзменении", "ЦенаПриИзменении"),),
            depth=1,
        ),
        FormItem("Пересчёт", "Button", command="Form.Command.Пересчёт", depth=1),
    ]


def test_what_the_configurator_makes_for_every_element_is_left_out_unless_somebody_filled_it() -> None:
    empty = (
        '<ContextMenu name="М" id="2"/><ExtendedTooltip name="П" id="3"/>'
        '<AutoCommandBar name="К"><Autofill>false</Autofill></AutoCommandBar>'
    )
    button = '<Button name="Кнопка"><CommandName>Form.Command.К</CommandName></Button>'
    filled = (
        f'<ContextMenu name="Меню"><ChildItems>{button}</ChildItems></ContextMenu>'
        f'<ExtendedTooltip name="Подсказка">{title("Осторожно")}</ExtendedTooltip>'
    )
    tooltip = f'<ExtendedTooltip name="Как искать">{title("По коду")}</ExtendedTooltip>'
    addition = f'<SearchStringAddition name="Строка">{tooltip}</SearchStringAddition>'
    found = items(f'<Table name="Т" id="1">{empty}{filled}{addition}</Table>')
    assert [(item.name, item.depth) for item in found] == [
        ("Т", 0),
        ("Меню", 1),
        ("Кнопка", 2),
        ("Подсказка", 1),
        ("Как искать", 1),
    ]


def test_elements_without_a_name_are_passed_over_but_not_what_is_in_them() -> None:
    inner = '<InputField name="Б"><DataPath>Б</DataPath></InputField>'
    assert [item.name for item in items(f"<UsualGroup><ChildItems>{inner}</ChildItems></UsualGroup>")] == ["Б"]


@pytest.mark.parametrize(
    "number", ["0", "1/0:67e7765c-928b-4839-a1f0-2d24cc09d7b4", "0:67e7765c-928b-4839-a1f0-2d24cc09d7b4"]
)
def test_a_command_or_path_that_is_gone_is_no_reference(number: str) -> None:
    (item,) = items(f'<Button name="К"><CommandName>{number}</CommandName><DataPath>{number}</DataPath></Button>')
    assert (item.command, item.data_path) == ("", "")


def test_a_formatted_title_is_read_without_its_markup_and_another_as_it_is() -> None:
    text = "Код &lt;b&gt;важен&lt;/&gt;, &lt;link e1cib/app&gt;дальше&lt;/&gt;"
    formatted, plain = items(
        "".join(
            "<LabelDecoration name='А'>" + title(text, attributes=f" formatted='{word}'") + "</LabelDecoration>"
            for word in ("true", "false")
        )
    )
    assert formatted.titles == {"ru": "Код важен, дальше"}
    assert plain.titles == {"ru": "Код <b>важен</>, <link e1cib/app>дальше</>"}


@pytest.mark.parametrize("text", ["a < b > c", "цена <не указана>", "<", "<" * 10_000])
def test_what_only_looks_like_markup_stays(text: str) -> None:
    assert without_markup(text) == text


def test_attributes_have_types_and_columns_with_those_added_to_tables_of_an_object() -> None:
    column = '<Column name="Остаток"><Type><v8:Type>xs:boolean</v8:Type></Type></Column>'
    added = f'<AdditionalColumns table="Объект.Товары">{column}</AdditionalColumns>'
    (attribute,) = form(
        '<Attributes><Attribute name="Объект"><Type><v8:Type>cfg:CatalogObject.Ёлки</v8:Type></Type>'
        f"<MainAttribute>true</MainAttribute><Columns>{column}{added}</Columns></Attribute>"
        "<Attribute/><ConditionalAppearance/></Attributes>"
    ).attributes
    assert attribute == FormAttribute(
        "Объект",
        types=("СправочникОбъект.Ёлки",),
        main=True,
        columns=(
            FormAttribute("Остаток", types=("Булево",)),
            FormAttribute("Объект.Товары.Остаток", types=("Булево",)),
        ),
    )


def dynamic_list(settings: str) -> FormAttribute:
    body = f'<Attribute name="Список"><Settings xsi:type="DynamicList">{settings}</Settings></Attribute>'
    return form(f"<Attributes>{body}</Attributes>").attributes[0]


def test_a_dynamic_list_has_its_query_with_the_main_table_first() -> None:
    query = "ВЫБРАТЬ 1 ИЗ РегистрСведений.Цены КАК Ц, Справочник.Ёлки КАК Ё"
    found = dynamic_list(f"<QueryText>{query}</QueryText><MainTable>Catalog.Ёлки</MainTable>")
    assert found.main_table == "Справочник.Ёлки"
    assert found.query is not None
    assert (found.query.text, found.query.symbol) == (query, "Список")
    assert found.query.tables == ("Справочник.Ёлки", "РегистрСведений.Цены")


def test_a_dynamic_list_without_a_text_reads_its_main_table() -> None:
    found = dynamic_list("<MainTable>Task.Задача.TasksByExecutive</MainTable>")
    assert (found.query, found.main_table) == (None, "Задача.Задача.ЗадачиПоИсполнителю")


@pytest.mark.parametrize("reference", ["", "1:b0292983-19e4-4066-b967-e0b1a2872cde", "Ёлки"])
def test_a_table_that_is_gone_has_no_name(reference: str) -> None:
    assert dynamic_list(f"<MainTable>{reference}</MainTable>").main_table == ""


def test_commands_have_actions_and_an_extension_may_add_some() -> None:
    actions = "<Action>Посчитать</Action><Action callType='After'>ИЕщё</Action>"
    command = f'<Command name="Счёт">{title("Посчитать")}{title("Всё сразу", "ToolTip")}{actions}</Command>'
    assert form(f"<Commands>{command}<Command/></Commands>").commands == (
        FormCommand("Счёт", {"ru": "Посчитать"}, "Всё сразу", "Посчитать, ИЕщё"),
    )


def test_parameters_have_types_where_the_form_names_some() -> None:
    typed = '<Parameter name="Дата"><Type><v8:Type>xs:dateTime</v8:Type></Type></Parameter>'
    assert form(f'<Parameters>{typed}<Parameter name="Любой"><Type/></Parameter></Parameters>').parameters == (
        ("Дата", ("Дата",)),
        ("Любой", ()),
    )


def test_a_form_nested_without_an_end_is_refused_with_its_place() -> None:
    deep = "<UsualGroup name='а'><ChildItems>" * 50_000
    with pytest.raises(PermanentError) as caught:
        document(f"<ChildItems>{deep}")
    assert (caught.value.path, caught.value.place) == (PATH, "line 1")


TAGS = [
    *("Form", "ChildItems", "Events", "Attributes", "Attribute", "Columns", "Column", "AdditionalColumns", "Commands"),
    *("Command", "Parameters", "Parameter", "Type", "Settings", "QueryText", "MainTable", "Title", "InputField"),
    *("ContextMenu", "DataPath", "CommandName", "BaseForm", "Action"),
]
XML = st.recursive(
    st.sampled_from(["", "слово", "0", "Catalog.А", "ВЫБРАТЬ 1 ИЗ Справочник.А"]),
    lambda inner: st.builds(
        "<{0}{1}>{2}</{0}>".format,
        st.sampled_from(TAGS),
        st.sampled_from(["", ' name="Имя"', ' name=""', ' table="Т"']),
        st.lists(inner, max_size=4).map("".join),
    ),
)


@given(st.one_of(st.binary(), XML.map(lambda text: f"<Form>{text}</Form>".encode())))
@settings(deadline=None)
def test_any_bytes_give_a_form_or_nothing_or_a_permanent_error(data: bytes) -> None:
    try:
        found = document(data)
    except PermanentError:
        return
    assert found is None or (isinstance(found.content, Form) and all(item.name for item in found.content.items))
