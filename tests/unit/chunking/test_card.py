from onec_rag.chunking.base import Context
from onec_rag.chunking.card import breadcrumb_of, called, card_chunks, rows_of
from onec_rag.model.chunk import ChunkKind
from onec_rag.text.budget import estimate_tokens

FORM = "Справочник.Ёлки.Форма.ФормаЭлемента"
CONTEXT = Context({"Справочник.Ёлки": "Ёлки и сосны", FORM: "Ёлка", "ОбщаяФорма.Выбор": "Выбор даты"})


def test_a_breadcrumb_names_the_owner_and_the_thing_with_their_synonyms() -> None:
    assert breadcrumb_of(FORM, CONTEXT) == "Справочник.Ёлки (Ёлки и сосны) · форма ФормаЭлемента (Ёлка)"
    assert breadcrumb_of(FORM, Context()) == "Справочник.Ёлки · форма ФормаЭлемента"
    assert breadcrumb_of("ОбщаяФорма.Выбор", CONTEXT) == "ОбщаяФорма.Выбор (Выбор даты)"
    table = "ВнешнийИсточникДанных.Склад.Таблица.Товары.Макет.Этикетка"
    assert breadcrumb_of(table, Context()) == "ВнешнийИсточникДанных.Склад.Таблица.Товары · макет Этикетка"


def test_a_title_is_said_where_it_says_more_than_the_name_on_one_line() -> None:
    assert called("Цвет", {"ru": "Цвет\nшара", "en": "Colour"}) == "Цвет (Цвет шара)"
    assert called("Цвет", {"ru": "Цвет"}) == called("Цвет", {}) == "Цвет"


def test_rows_hold_so_many_words_each() -> None:
    assert list(rows_of("Поля", "АБВ", 2)) == ["Поля: А, Б", "Поля: В"]
    assert list(rows_of("Поля", ())) == []


def test_a_card_is_cut_between_rows_and_every_part_is_called_the_same() -> None:
    rows = [f"Реквизит Поле{number}: Строка" for number in range(100)]
    parts = list(card_chunks(ChunkKind.FORM, FORM, rows, "Форма", Context(), "Ёлка"))
    assert len(parts) > 1
    assert "\n".join(part.text for part in parts).split("\n") == rows
    for part in parts:
        assert (part.kind, part.fqn, part.symbol, part.title) == (ChunkKind.FORM, FORM, "ФормаЭлемента", "Ёлка")
        assert estimate_tokens(part.embedded_text) <= 480
    assert list(card_chunks(ChunkKind.FORM, FORM, (), "Форма", Context())) == []
