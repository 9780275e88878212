import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.text.tokenize import LONGEST_TERM, STEM_MARK, normalize, stem, terms_of

GUID = "44623bf9-fa27-5177-803a-16234f325d16"

TABLE = {
    # Text → its terms in their order.
    "цена": "цена ~цен",
    "ЦЕНА": "цена ~цен",
    "Счётчик": "счетчик ~счетчик",
    "Ёлки": "елки ~елк",
    "ЦенаТовара": "ценатовара цена ~цен товара ~товар",
    "СрезПоследних": "срезпоследних срез ~срез последних ~последн",
    "НДФЛПоСтавке": "ндфлпоставке ндфл ~ндфл по ~по ставке ~ставк",
    "HTTPСоединение": "httpсоединение http ~http соединение ~соединен",
    "getUserName": "getusername get ~get user ~user name ~name",
    "snake_case_name": "snake_case_name snake ~snake case ~case name ~name",
    "_Приватное": "_приватное ~приватн",
    "__Двойное_Имя": "__двойное_имя двойное ~двойн имя ~им",
    "Реквизит1": "реквизит1 реквизит ~реквизит 1",
    "Вариант2Цены": "вариант2цены вариант ~вариант 2 цены ~цен",
    "2024": "2024",
    "ТоварыИУслуги": "товарыиуслуги товары ~товар услуги ~услуг",
    "Справочник.Товары": "справочник ~справочник товары ~товар справочник.товары",
    "А.Б.В": "а ~а б ~б в ~в а.б б.в",
    "ОбщегоНазначения.Значение": (
        "общегоназначения общего ~общ назначения ~назначен значение ~значен общегоназначения.значение"
    ),
    "цена. Товар": "цена ~цен товар ~товар",
    "3.1.12.238": "3.1.12.238",
    "8.3": "8 3",
    "версия 8.3.24": "версия ~верс 8.3.24",
    GUID: GUID,
    GUID.upper(): GUID,
    "&НаКлиенте": "&наклиенте наклиенте на ~на клиенте ~клиент",
    "& НаСервере": "&насервере насервере на ~на сервере ~сервер",
    "#Если": "#если если ~есл",
    "#Область ПрограммныйИнтерфейс": (
        "#область область ~област программныйинтерфейс программный ~программн интерфейс ~интерфейс"
    ),
    "running": "running ~run",
    "Документов": "документов ~документ",
    "а+б": "а ~а б ~б",
    "Цена(Товар)": "цена ~цен товар ~товар",
    "": "",
    "?!…": "",
}


@pytest.mark.parametrize("text", TABLE, ids=lambda text: text or "nothing")
def test_a_text_has_these_terms(text: str) -> None:
    assert list(terms_of(text)) == TABLE[text].split()


def test_a_term_is_repeated_as_often_as_it_occurs() -> None:
    assert list(terms_of("цена цена цены")) == ["цена", "~цен", "цена", "~цен", "цены", "~цен"]


@pytest.mark.parametrize(("one", "other"), [("мой ёж", "МОЙ ЕЖ"), ("Приёмка", "приемка"), ("ЙОД", "йод")])
def test_spellings_of_one_word_are_one(one: str, other: str) -> None:
    assert list(terms_of(one)) == list(terms_of(other))


@given(st.text(alphabet="мойёжЙЁ é.А1_ ", max_size=30))
def test_composed_and_decomposed_texts_are_one(text: str) -> None:
    assert list(terms_of(unicodedata.normalize("NFD", text))) == list(terms_of(unicodedata.normalize("NFC", text)))


@given(st.text())
def test_any_text_has_terms_that_the_database_can_hold(text: str) -> None:
    for term in terms_of(text):
        assert term.strip()
        assert not set(term) & set("\0\"'\\ \n")
        assert len(term) <= 2 * LONGEST_TERM + 1
        term.encode()


@given(st.text(alphabet="аБвГ1_.", max_size=40))
def test_terms_do_not_depend_on_what_was_seen_before(text: str) -> None:
    assert list(terms_of(text)) == list(terms_of(text))


def test_a_very_long_word_is_cut() -> None:
    whole, stemmed = terms_of("я" * 10_000)
    assert whole == "я" * LONGEST_TERM
    assert stemmed.startswith(STEM_MARK)
    assert len(stemmed) <= LONGEST_TERM + 1


def test_normalizing_twice_is_the_same_as_once() -> None:
    assert normalize(normalize("ЁЛКИ и Ёжики")) == normalize("ЁЛКИ и Ёжики") == "елки и ежики"


@pytest.mark.parametrize(
    ("word", "stemmed"), [("реквизитов", "~реквизит"), ("posting", "~post"), ("и", "~и"), ("", "~")]
)
def test_stems_are_marked(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed
