from zipfile import ZIP_STORED

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.docx import MOST_ELEMENTS, is_docx, read_docx
from onec_rag.model.document import Document, Prose
from unit.formats.documentation_builder import DATA, documentation_files
from unit.formats.docx_builder import R, W, docx, link, paragraph, picture, run, style, table
from unit.formats.zip_builder import Entry, build


def read(data: bytes) -> Document:
    document = read_docx("папка/имя.docx", data)
    assert document is not None
    return document


def blocks(data: bytes) -> list[tuple[tuple[str, ...], str]]:
    content = read(data).content
    assert isinstance(content, Prose)
    return [(section.headings, block.text) for section in content.sections for block in section.blocks]


def test_documents_are_told_by_their_extension() -> None:
    assert [is_docx(path) for path in ("а.docx", "а/Б.DOCX", "docx", "а.doc")] == [True, True, False, False]


def test_the_fixture_is_what_its_builder_makes() -> None:
    name = "Руководство/приёмка.docx"
    assert (DATA / name).read_bytes() == documentation_files()[name]


@pytest.mark.parametrize(
    "styles",
    [
        style("1", "heading 1", level=0) + style("2", "heading 2", level=1),
        style("1", "Заголовок 1") + style("2", "Заголовок 2"),
        style("1", "Глава", level=0) + style("2", "Раздел", level=1),
        style("1", "Глава", based_on="x") + style("x", "heading 1", level=0) + style("2", "Раздел", level=1),
        style("1", "Название") + style("2", "heading 2"),
    ],
)
def test_headings_are_told_by_what_their_style_means_whatever_it_is_called(styles: str) -> None:
    body = paragraph("А", "1") + paragraph("Б", "2") + paragraph("текст")
    assert blocks(docx(body, styles=styles)) == [(("А", "Б"), "текст")]


def test_a_paragraph_may_have_an_outline_level_of_its_own() -> None:
    heading = f'<w:p><w:pPr><w:outlineLvl w:val="1"/></w:pPr>{run("А")}</w:p>'
    plain = f'<w:p><w:pPr><w:outlineLvl w:val="9"/></w:pPr>{run("текст")}</w:p>'
    assert blocks(docx(heading + plain)) == [(("А",), "текст")]


def test_styles_that_are_based_on_each_other_in_a_circle_are_plain() -> None:
    styles = style("1", "Глава", based_on="2") + style("2", "Раздел", based_on="1")
    assert blocks(docx(paragraph("А", "1") + paragraph("Б", "3"), styles=styles)) == [((), "А"), ((), "Б")]


def test_rows_items_pictures_and_code_are_blocks() -> None:
    body = (
        table(("а", "б"), ("в", ""))
        + paragraph("г", bullet=True)
        + paragraph(picture("План склада"))
        + paragraph("Если Да Тогда", "c")
        + paragraph("  Нет();", "c")
        + paragraph(run("до") + "<w:r><w:br/></w:r>" + run("после"))
    )
    said = ["а | б", "в", "г", "План склада", "Если Да Тогда\n  Нет();", "до\nпосле"]
    assert [text for _, text in blocks(docx(body, styles=style("c", "HTML Preformatted")))] == said


def test_what_is_hidden_deleted_or_a_table_of_contents_is_no_text() -> None:
    body = (
        paragraph("Введение 3", "t")
        + paragraph(run("видно") + run("скрыто", "<w:vanish/>") + run(" всем", '<w:vanish w:val="0"/>'))
        + f"<w:p><w:del>{run('удалено')}</w:del><w:ins>{run('вставлено')}</w:ins></w:p>"
    )
    said = [text for _, text in blocks(docx(body, styles=style("t", "toc 1")))]
    assert said == ["видно всем", "вставлено"]


def test_links_are_kept_those_of_fields_too() -> None:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    code = '<w:r><w:instrText> HYPERLINK "https://example.org/б" </w:instrText></w:r>'
    field = begin + code + separate + run("вторая") + end
    document = read(docx(paragraph(link("первая ", "a") + field), links={"a": "https://example.org/а"}))
    assert isinstance(document.content, Prose)
    assert document.content.links == ("https://example.org/а", "https://example.org/б")
    assert document.content.sections[0].blocks[0].text == "первая вторая"


def test_notes_stand_at_the_end_without_links_back() -> None:
    notes = f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2">{paragraph("сноска")}</w:footnote></w:footnotes>'
    data = docx(
        paragraph(run("текст") + '<w:r><w:footnoteReference w:id="2"/></w:r>'), parts={"word/footnotes.xml": notes}
    )
    assert [text for _, text in blocks(data)] == ["текст[1]", "сноска"]


def test_title_section_and_lines() -> None:
    document = read(docx(paragraph("Инструкция", "a") + paragraph("т"), styles=style("a", "Title")))
    assert (document.title, document.section) == ("Инструкция", "папка")
    assert isinstance(document.content, Prose)
    assert [(block.first_line, block.last_line) for block in document.content.sections[0].blocks] == [(0, 0)]
    assert read(docx(paragraph("т"))).title == "имя"


@pytest.mark.parametrize("body", ["", paragraph(" "), paragraph("З", "1")])
def test_a_document_without_text_is_none(body: str) -> None:
    assert read_docx("а.docx", docx(body, styles=style("1", "heading 1"))) is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0" * 9, "without a password"),
        (b"{\\rtf1}", "zip"),
        (build([Entry(b"a.txt", b"a")]), "lacks a part"),
        (docx("", parts={"_rels/.rels": "<a>"}), "not well-formed"),
        (docx("", parts={"_rels/.rels": f'<a><b Type="{R}/officeDocument" Target="нет.xml"/></a>'}), "lacks a part"),
        (docx("", parts={"word/document.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}), "DOCTYPE"),
        (docx(paragraph('<w:r><w:footnoteReference w:id="7"/></w:r>')), "malformed DOCX"),
        (docx("<w:tbl><w:tr><w:tc>" * 60 + "</w:tc></w:tr></w:tbl>" * 60), "nested too deep"),
        (docx("<w:p>" * 1_000 + "</w:p>" * 1_000), "not well-formed XML: .* depth"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_path(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        read_docx("папка/а.docx", data)
    assert raised.value.path == "папка/а.docx"


def test_elements_are_bounded_before_anything_big_is_made_of_them() -> None:
    document = f'<w:document xmlns:w="{W}"><w:body>{"<w:p/>" * MOST_ELEMENTS}</w:body></w:document>'
    parts = [Entry(b"_rels/.rels", b"<a/>"), Entry(b"word/document.xml", document.encode(), method=0)]
    with pytest.raises(PermanentError, match=f"{MOST_ELEMENTS} elements"):
        read_docx("а.docx", build(parts))


def test_very_many_fields_that_never_end_are_bounded_work() -> None:
    begin, separate = (f'<w:fldChar w:fldCharType="{kind}"/>' for kind in ("begin", "separate"))
    fields = f"<w:r>{begin}<w:instrText>A</w:instrText>{separate}</w:r>" * 20_000
    assert blocks(docx(paragraph(run("текст") + fields), method=ZIP_STORED)) == [((), "текст")]


PIECES = st.sampled_from(
    [
        *(
            paragraph("а"),
            paragraph("б", "1"),
            paragraph("в", bullet=True),
            table(("г",)),
            picture("д"),
            "&#1;",
            "<w:sdt>",
        ),
        *(
            "<w:p>",
            "</w:p>",
            "<w:r>",
            "</w:r>",
            "<w:t>",
            "<w:tbl>",
            "<w:tr>",
            "<w:tc>",
            "<w:numPr/>",
            "<w:bookmarkStart/>",
        ),
        *('<w:sym w:char="x"/>', "<w:sym/>", "<w:hyperlink r:id='no'>", "</w:hyperlink>", "<w:commentReference/>"),
        *('<w:footnoteReference w:id="1"/>', '<w:vMerge w:val="x"/>', "<w:pPr><w:pStyle/></w:pPr>", "<w:instrText/>"),
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join), st.lists(PIECES, max_size=3).map("".join), st.booleans())
@settings(deadline=None)
def test_any_parts_give_a_document_or_nothing_or_a_permanent_error(body: str, styles: str, wrapped: bool) -> None:
    path = "а.docx"
    try:
        document = read_docx(path, docx(paragraph(f"<w:r>{body}</w:r>") if wrapped else body, styles=styles))
    except PermanentError as error:
        told = error.path
    else:
        told = document.path if document else path
    assert told == path


def test_properties_outside_of_any_namespace_do_not_stop_the_reader() -> None:
    """As damaged files have them; found by `make fuzz`."""
    odd = '<pPr xmlns=""><outlineLvl val="0"/></pPr>'
    assert blocks(docx(paragraph("Приёмка") + f"<w:p>{odd}{run('Склад')}</w:p>"))


@pytest.mark.parametrize("part", ["word/_rels/styles.xml.rels", "word/_rels/numbering.xml.rels", "word/numbering.xml"])
def test_a_part_that_is_no_xml_is_named_as_malformed(part: str) -> None:
    with pytest.raises(PermanentError, match=r"malformed|not well-formed"):
        read_docx("имя.docx", docx(paragraph("Приёмка", bullet=True), parts={part: "не XML"}))
