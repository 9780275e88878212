import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.templates import LONGEST, read_template
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.report import ReportSchema
from onec_rag.model.template import Template

FOLDER = "Catalogs/Ёлки/Templates/Ценник/Ext/"
XML, TEXT, PAGE = f"{FOLDER}Template.xml", f"{FOLDER}Template.txt", f"{FOLDER}Template/ru.html"


def document(path: str, data: str | bytes) -> Document | None:
    place = place_of(path)
    assert place is not None
    return read_template(place, path, data if isinstance(data, bytes) else data.encode())


def template(path: str, data: str | bytes) -> Template:
    found = document(path, data)
    assert found is not None
    assert (found.kind, found.fqn) == (DocumentKind.TEMPLATE, "Справочник.Ёлки.Макет.Ценник")
    assert isinstance(found.content, Template)
    return found.content


def text(words: str, tag: str = "tl") -> str:
    return f"<{tag}><v8:item><v8:lang>ru</v8:lang><v8:content>{words}</v8:content></v8:item></{tag}>"


def spreadsheet(*cells: str, rest: str = "") -> str:
    row = "".join(f"<c><c><f>1</f>{cell}</c></c>" for cell in cells)
    return (
        '<document xmlns="http://v8.1c.ru/8.2/data/spreadsheet" xmlns:v8="http://v8.1c.ru/8.1/data/core">'
        f"<rowsItem><row>{row}</row></rowsItem>{rest}</document>"
    )


def test_a_spreadsheet_has_texts_parameters_and_areas_each_once() -> None:
    cells = (
        text("Цена  на\n[Дата] и [1]"),
        "<parameter>Товар</parameter><detailParameter>Ссылка</detailParameter>",
        text("Итого"),
        text("Итого"),
        "<parameter>Товар</parameter>",
        "<tl/>",
    )
    rest = (
        "<namedItem><name>Шапка</name><area/></namedItem>"
        f"<drawing>{text('Ёлка', 'text')}</drawing>"
        f"<format>{text('ЧДЦ=2', 'format')}</format>"
    )
    assert template(XML, spreadsheet(*cells, rest=rest)) == Template(
        ("Цена на [Дата] и [1]", "Итого", "Ёлка"), ("Дата", "Товар", "Ссылка"), ("Шапка",)
    )


def test_a_schema_of_a_report_is_a_document_of_its_own_kind() -> None:
    found = document(XML, "<DataCompositionSchema><dataSet><name>А</name></dataSet></DataCompositionSchema>")
    assert found is not None
    assert found.kind is DocumentKind.REPORT
    assert isinstance(found.content, ReportSchema)


@pytest.mark.parametrize(
    "data",
    [
        '<AppearanceTemplate xmlns="http://v8.1c.ru/8.1/data-composition-system/appearance-template"/>',
        "<GraphicalSchema><text>А</text></GraphicalSchema>",
        "<Help><Page>ru</Page></Help>",
        "<GeographicalScheme/>",
        "<DataCompositionSchema/>",
        spreadsheet("<f>1</f>", text("42"), text("№")),
        " \r\n",
        "",
    ],
)
def test_a_template_without_words_gives_none_and_no_error(data: str) -> None:
    """Case B3: what a file is, its root says."""
    assert document(XML, data) is None


def test_a_page_gives_its_blocks() -> None:
    page = (
        "<HTML><HEAD><TITLE>т</TITLE><STYLE>P{}</STYLE></HEAD><BODY><P>Здравствуйте!<P>До ёлки<BR>три дня</BODY></HTML>"
    )
    assert template(PAGE, page).texts == ("Здравствуйте!", "До ёлки три дня")
    assert document(PAGE, "<HTML><BODY> </BODY></HTML>") is None


def test_a_text_gives_distinct_lines_that_have_words() -> None:
    lines = ["<Правило>", "", "  <Код>001</Код>", "  <Код>001</Код>", "----", "17"]
    assert template(TEXT, "\r\n".join(lines)).texts == ("<Правило>", "<Код>001</Код>")
    assert document(TEXT, "\r\n\t17") is None


def test_of_a_long_text_the_beginning_is_kept() -> None:
    long = template(TEXT, "\n".join(f"строка номер {number}" for number in range(100_000))).texts
    assert long[0] == "строка номер 0"
    assert LONGEST - 30 < sum(map(len, long)) <= LONGEST
    assert template(TEXT, "слово " * 100_000).texts == (("слово " * 100_000)[:LONGEST],)


def test_all_parameters_of_a_large_sheet_are_kept_though_not_all_texts() -> None:
    cells = [text(f"Текст ячейки {number} [Параметр{number}]") for number in range(3_000)]
    found = template(XML, spreadsheet(*cells))
    assert len(found.parameters) == 3_000
    assert sum(map(len, found.texts)) <= LONGEST


def test_a_picture_written_as_text_is_no_word() -> None:
    assert template(TEXT, f"Картинка ёлки\n{'QUJD' * 1_000}\n").texts == ("Картинка ёлки",)


@pytest.mark.parametrize(("path", "data"), [(TEXT, b"a\0b"), (XML, b"<document>"), (XML, "текст".encode("utf-16"))])
def test_what_can_not_be_read_is_refused_with_its_path(path: str, data: bytes) -> None:
    with pytest.raises(PermanentError) as caught:
        document(path, data)
    assert caught.value.path == path


TAGS = [
    *("document", "tl", "text", "parameter", "namedItem", "name", "DataCompositionSchema", "dataSet", "item", "query"),
    *("field", "nestedSchema", "schema"),
]
MARKUP = st.recursive(
    st.sampled_from(["", "слово", "[Имя]", "&#10;", "ВЫБРАТЬ 1 ИЗ Справочник.А"]),
    lambda inner: st.builds("<{0}>{1}</{0}>".format, st.sampled_from(TAGS), st.lists(inner, max_size=4).map("".join)),
)


@pytest.mark.parametrize("path", [XML, TEXT, PAGE])
@given(
    data=st.one_of(
        st.binary(), MARKUP.map(str.encode), MARKUP.map(lambda text: f"<document>{text}</document>".encode())
    )
)
@settings(deadline=None)
def test_any_bytes_give_a_template_or_nothing_or_a_permanent_error(path: str, data: bytes) -> None:
    try:
        found = document(path, data)
    except PermanentError:
        return
    assert found is None or isinstance(found.content, Template | ReportSchema)
