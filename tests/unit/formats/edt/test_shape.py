import pytest
from lxml import etree

from onec_rag.formats.designer.properties import localized
from onec_rag.formats.designer.types import read_types
from onec_rag.formats.edt.shape import XSI_TYPE, dump_name, grouped, property_of

XSI = XSI_TYPE.partition("}")[0][1:]


def shaped(xml: str) -> etree._Element:
    """The property that the elements of `xml`, siblings of one name, make."""
    groups = grouped(etree.fromstring(f'<o xmlns:xsi="{XSI}">{xml}</o>'))
    ((tag, group),) = groups.items()
    return property_of(tag, group)


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("objectBelonging", "ObjectBelonging"),
        ("rootURL", "RootURL"),
        ("httpMethod", "HTTPMethod"),
        ("xdtoValueType", "XDTOValueType"),
        ("precision", "Digits"),
        ("", ""),
    ],
)
def test_names_begin_with_a_capital_or_are_the_known_exceptions(tag: str, name: str) -> None:
    assert dump_name(tag) == name


def test_a_value_stays_as_it_is_written() -> None:
    made = shaped("<codeLength>9</codeLength>")
    assert (made.tag, made.text, len(made)) == ("CodeLength", "9", 0)


def test_siblings_with_a_key_are_a_text_in_languages() -> None:
    made = shaped(
        "<synonym><key>ru</key><value>Ёлка</value></synonym><synonym><key>en</key><value>Fir</value></synonym>"
        "<synonym><key>de</key></synonym>"
    )
    assert localized(made) == {"ru": "Ёлка", "en": "Fir"}


def test_siblings_of_one_name_are_items_of_a_list() -> None:
    made = shaped("<owners>Catalog.А</owners><owners>Catalog.Б</owners>")
    assert made.tag == "Owners"
    assert [(item.tag, item.text) for item in made] == [("Item", "Catalog.А"), ("Item", "Catalog.Б")]


def test_a_list_of_elements_with_names_is_one_even_where_it_has_one_element() -> None:
    made = shaped("<standardAttributes><name>Code</name><comment>Номер</comment></standardAttributes>")
    assert [(item.get("name"), item.findtext("Comment")) for item in made] == [("Code", "Номер")]


@pytest.mark.parametrize(
    ("xml", "types"),
    [
        (
            "<types>String</types><types>CatalogRef.Ёлки</types><stringQualifiers><length>50</length></stringQualifiers>",
            ("Строка(50)", "СправочникСсылка.Ёлки"),
        ),
        (
            "<types>Number</types><numberQualifiers><precision>15</precision><scale>2</scale></numberQualifiers>",
            ("Число(15,2)",),
        ),
        ("<types>Number</types><numberQualifiers><precision>10</precision></numberQualifiers>", ("Число(10,0)",)),
        ("<types>Date</types><dateQualifiers/>", ("Дата",)),
        (
            "<types>Date</types><dateQualifiers><dateFractions>Time</dateFractions></dateQualifiers>",
            ("Время",),
        ),
        ("<types>Boolean</types><types>ValueList</types>", ("Булево", "СписокЗначений")),
        ("<types>DefinedType.Деньги</types>", ("ОпределяемыйТип.Деньги",)),
        ("<types><state>Checked</state><type>EnumRef.Виды</type></types>", ("ПеречислениеСсылка.Виды",)),
        ("", ()),
    ],
)
def test_types_read_as_those_of_a_dump(xml: str, types: tuple[str, ...]) -> None:
    assert read_types(shaped(f"<type>{xml}</type>")) == types


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ('<v xsi:type="core:StringValue"><value>00-1</value></v>', "00-1"),
        ('<v xsi:type="core:ReferenceValue"><value>Catalog.А.EmptyRef</value></v>', "Catalog.А.EmptyRef"),
        ('<v xsi:type="core:UndefinedValue"/>', None),
        ("<v><name>string</name><nsUri>http://www.w3.org/2001/XMLSchema</nsUri></v>", "string"),
        ('<v><value xsi:type="core:ColorDef"><red>192</red><blue>32</blue></value></v>', "#C00020"),
        ('<v><value xsi:type="core:ColorDef"/></v>', "#000000"),
        ('<v><value xsi:type="core:ColorDef"><red>красный</red><green>999</green></value></v>', "#00FF00"),
        (f'<v><value xsi:type="core:ColorDef"><red>{"9" * 5000}</red></value></v>', "#000000"),
        ('<v><value xsi:type="core:ColorRef"><color>Web.Green</color></value></v>', "web:Green"),
        ('<v><value xsi:type="core:FontRef"><font>Style.TextFont</font></value></v>', None),
    ],
)
def test_values_lose_their_wrapping(xml: str, text: str | None) -> None:
    assert shaped(xml).text == text
