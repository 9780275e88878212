import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.chunking.base import Context
from onec_rag.chunking.document import chunks_of
from onec_rag.formats.table import format_of
from onec_rag.indexing.prepare import document_id, document_row, membership_rows, name_rows, storable
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Module
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import ADOPTED, BELONGING, Field, Link, MetadataObject
from onec_rag.model.rows import ChunkRow, DocumentRow, NameRow

SAMPLE = Path(__file__).parents[2] / "data" / "sample" / "configuration" / "src" / "cf"
DOCUMENT = Document("А.bsl", DocumentKind.MODULE, "ОбщийМодуль.А", "А", Module("CommonModule", (), ()))
CHUNK = Chunk(
    ChunkKind.PROCEDURE, "ОбщийМодуль.А.Б", "Б", "крошки", "текст", 3, 5, "синоним", "описание", {"export": True}
)


def row(*chunks: Chunk, row_id: int = 1, data: bytes = b"") -> DocumentRow:
    return document_row(row_id, "", data, DOCUMENT, chunks)


def key(chunk: Chunk, row_id: int = 1) -> ChunkRow:
    return row(chunk, row_id=row_id).chunks[0]


def test_a_document_has_the_same_number_in_every_release() -> None:
    assert document_id("", "Catalogs/Товары.xml") == document_id("", "Catalogs/Товары.xml") > 0
    assert document_id("", "Catalogs/Товары.xml").bit_length() <= 63
    assert document_id("", "a") != document_id("a", "")
    assert document_id("cfe", "x") != document_id("", "cfe/x")


def test_lines_are_in_no_key_but_in_the_outline() -> None:
    one, other = row(CHUNK), row(replace(CHUNK, first_line=30, last_line=50))
    assert one.chunks[0].row_key == other.chunks[0].row_key
    assert one.chunks[0].embed_hash == other.chunks[0].embed_hash
    assert one.outline_hash != other.outline_hash
    assert one.places == {one.chunks[0].row_key.hex[:12]: (3, 5)}


def test_what_has_no_lines_is_not_in_the_outline() -> None:
    assert row(replace(CHUNK, first_line=0, last_line=0)).places == {}


@pytest.mark.parametrize(
    "changed",
    [{"text": "x"}, {"breadcrumb": "x"}, {"symbol": "x"}, {"fqn": "x"}, {"title": "x"}, {"doc": "x"}, {"facets": {}},
     {"kind": ChunkKind.MODULE}],
    ids=lambda changed: next(iter(changed)),
)  # fmt: skip
def test_everything_else_of_a_chunk_is_in_its_key(changed: dict[str, object]) -> None:
    assert key(replace(CHUNK, **changed)).row_key != key(CHUNK).row_key  # type: ignore[arg-type]


def test_another_document_is_another_key() -> None:
    assert key(CHUNK, 1).row_key != key(CHUNK, 2).row_key
    assert key(CHUNK, 1).embed_hash == key(CHUNK, 2).embed_hash


@pytest.mark.parametrize("changed", [{"title": "x"}, {"doc": "x"}, {"fqn": "x"}, {"first_line": 9}], ids=str)
def test_the_embedded_text_alone_is_in_the_hash_of_the_vector(changed: dict[str, object]) -> None:
    assert key(replace(CHUNK, **changed)).embed_hash == key(CHUNK).embed_hash  # type: ignore[arg-type]
    assert key(replace(CHUNK, text="x")).embed_hash != key(CHUNK).embed_hash
    assert key(replace(CHUNK, breadcrumb="x")).embed_hash != key(CHUNK).embed_hash


def test_equal_chunks_of_one_document_are_told_apart_by_their_order() -> None:
    three = row(CHUNK, CHUNK, CHUNK)
    assert len({chunk.row_key for chunk in three.chunks}) == 3
    two = row(CHUNK, CHUNK)
    assert {chunk.row_key for chunk in two.chunks} < {chunk.row_key for chunk in three.chunks}


def test_the_separator_of_a_key_is_in_no_text() -> None:
    one = replace(CHUNK, symbol="а\0б", breadcrumb="в")
    other = replace(CHUNK, symbol="а", breadcrumb="б\0в")
    assert key(one).row_key != key(other).row_key


def test_frequencies_are_by_field_with_trailing_zeros_left_out() -> None:
    chunk = Chunk(ChunkKind.PROCEDURE, "А.Цена", "Цена", "крошки", "цена товар товар", title="синоним", doc="описание")
    terms = key(chunk).terms
    assert terms["цена"] == "1,0,0,2"
    assert terms["товар"] == "2"
    assert terms["описание"] == "0,1"
    assert terms["синоним"] == "0,0,1"
    assert terms["крошки"] == "0,0,1"


@given(st.text(), st.text(), st.text(), st.text(alphabet="аБ1.", max_size=20))
def test_length_is_the_sum_of_all_frequencies(text: str, doc: str, title: str, symbol: str) -> None:
    made = key(Chunk(ChunkKind.PAGE, "", symbol, "", text, title=title, doc=doc))
    assert made.length == sum(int(count) for counts in made.terms.values() for count in counts.split(","))
    assert made.tokens > 0 or not made.chunk.embedded_text.strip()


def test_what_a_database_can_not_hold_is_replaced() -> None:
    odd = Chunk(ChunkKind.PAGE, "а\0", "\ud800", "б\0", "в\udfff", 1, 2, "\0", "\0", {"section": "x"})
    clean = storable(odd)
    for text in (clean.fqn, clean.symbol, clean.breadcrumb, clean.text, clean.title, clean.doc):
        assert "\0" not in text
        text.encode()
    assert (clean.first_line, clean.last_line, clean.facets) == (1, 2, {"section": "x"})
    assert storable(CHUNK) is CHUNK


def test_other_bytes_are_another_file() -> None:
    assert row(data=b"a").file_hash != row(data=b"b").file_hash
    assert row(data=b"a").outline_hash == row(data=b"b").outline_hash


def owner(**facts: object) -> MetadataObject:
    return MetadataObject("Catalog", "Товары", "Справочник.Товары", **facts)  # type: ignore[arg-type]


def names(content: MetadataObject, kind: DocumentKind = DocumentKind.OBJECT) -> list[NameRow]:
    document = Document("Catalogs/Товары.xml", kind, content.fqn, content.title, content)
    return list(name_rows(7, "cfe", document, content))


def test_names_are_the_object_and_its_fields_once() -> None:
    column = Field("Attribute", "Код", {"ru": "Штрихкод"})
    twice = Field("Attribute", "Артикул")
    section = Field("TabularSection", "Коды", fields=(column,))
    rows = names(owner(synonyms={"en": "Goods", "ru": "Товар"}, fields=(twice, twice, section)))
    assert [(item.fqn, item.kind, item.title) for item in rows] == [
        ("Справочник.Товары", "Catalog", "Товар"),
        ("Справочник.Товары.Реквизит.Артикул", "Attribute", "Артикул"),
        ("Справочник.Товары.ТабличнаяЧасть.Коды", "TabularSection", "Коды"),
        ("Справочник.Товары.ТабличнаяЧасть.Коды.Реквизит.Код", "Attribute", "Штрихкод"),
    ]
    assert rows[0].synonyms == '{"en": "Goods", "ru": "Товар"}'


def test_an_empty_synonym_is_no_title() -> None:
    field = Field("Attribute", "Код", {"ru": "", "en": "Code"})
    assert [item.title for item in names(owner(fields=(field,)))] == ["Товары", "Code"]


def test_a_part_gives_the_names_of_its_fields_alone() -> None:
    form = Field("Form", "ФормаСписка", {"ru": "Список"})
    rows = names(owner(fields=(form,)), DocumentKind.PART)
    assert [(item.fqn, item.title) for item in rows] == [("Справочник.Товары.Форма.ФормаСписка", "Список")]


def test_what_an_extension_has_adopted_is_told_of_each_name() -> None:
    adopted = {BELONGING: ADOPTED}
    taken, own = Field("Attribute", "Артикул", properties=adopted), Field("Attribute", "Розн_Полка")
    rows = names(owner(fields=(taken, own), properties=adopted))
    assert [(item.root, item.adopted) for item in rows] == [("cfe", True), ("cfe", True), ("cfe", False)]


def test_properties_of_packages_are_no_names() -> None:
    of_type = Field("ObjectType", "Заказ", fields=(Field("Property", "Номер"),))
    assert [item.fqn for item in names(owner(fields=(of_type,)))][1:] == ["Справочник.Товары.ТипОбъекта.Заказ"]


def test_memberships_are_declared_once() -> None:
    link = Link("состав", "Справочник.Склады")
    assert [item.other_fqn for item in membership_rows(7, owner(links=(link, link)))] == ["Справочник.Склады"]


def test_no_two_chunks_of_a_whole_configuration_share_a_key() -> None:
    keys = []
    for file in sorted(path for path in SAMPLE.rglob("*") if path.is_file()):
        path = unicodedata.normalize("NFC", file.relative_to(SAMPLE).as_posix())
        known = format_of("configuration", path)
        document = known.read(path, file.read_bytes()) if known else None
        if document is not None:
            chunks = chunks_of(document, Context())
            made = document_row(document_id("", path), "", b"", document, chunks)
            keys += [chunk.row_key for chunk in made.chunks]
            assert len(made.places) == sum(bool(chunk.first_line) for chunk in chunks)
    assert len(keys) > 800
    assert len(set(keys)) == len(keys)
