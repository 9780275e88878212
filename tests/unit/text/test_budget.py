import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.text.budget import estimate_tokens
from onec_rag_local.embedding.tokenizer import Tokenizer
from onec_rag_local.embedding.weights import find_weights, read_weights

PROCEDURE = """// Заполняет табличную часть остатками со склада.
//
// Параметры:
//  Склад - СправочникСсылка.Склады - откуда берутся товары.
//  НаДату - Дата - по умолчанию текущая.
//
Процедура ЗаполнитьТоварыПоОстаткам(Склад, НаДату = Неопределено) Экспорт

\tЗапрос = Новый Запрос;
\tЗапрос.Текст = ТекстЗапросаОстатков();
\tЗапрос.УстановитьПараметр("Склад", Склад);
\tЗапрос.УстановитьПараметр("НаДату", ?(НаДату = Неопределено, ТекущаяДатаСеанса(), НаДату));
\tВыборка = Запрос.Выполнить().Выбрать();
\tПока Выборка.Следующий() Цикл
\t\tНоваяСтрока = Товары.Добавить();
\t\tЗаполнитьЗначенияСвойств(НоваяСтрока, Выборка);
\t\tНоваяСтрока.Сумма = НоваяСтрока.Количество * НоваяСтрока.Цена;
\tКонецЦикла;

КонецПроцедуры"""
ENGLISH_CODE = """&AtServer
Procedure FillByWarehouse(Warehouse, OnDate = Undefined) Export
\tFor Each Row In GetBalance(Warehouse, OnDate) Do
\t\tNewRow = Goods.Add();
\t\tFillPropertyValues(NewRow, Row);
\tEndDo;
EndProcedure"""
QUERY = """ВЫБРАТЬ
|\tТоварыНаСкладахОстатки.Номенклатура КАК Номенклатура,
|\tСУММА(ТоварыНаСкладахОстатки.КоличествоОстаток) КАК Количество
|ИЗ
|\tРегистрНакопления.ТоварыНаСкладах.Остатки(&НаДату, Склад = &Склад) КАК ТоварыНаСкладахОстатки
|СГРУППИРОВАТЬ ПО
|\tТоварыНаСкладахОстатки.Номенклатура"""
PROSE = """Документ предназначен для отражения продажи товаров и услуг покупателям. Чтобы ввести документ на основании
заказа, откройте список заказов, выделите нужную строку и нажмите кнопку «Создать на основании». Остаток товара на
складе проверяется при проведении; если его не хватает, документ не проводится, а строки с нехваткой подсвечиваются."""
CARD = """Справочник.Валюты — Валюты
Реквизит Наценка (Наценка, %): Число(10, 2)
Реквизит ОсновнаяВалюта (Основная валюта расчёта курса): СправочникСсылка.Валюты
Реквизит СпособУстановкиКурса (Способ установки курса): ПеречислениеСсылка.СпособыУстановкиКурсаВалюты
Формы: ФормаСписка, ФормаЭлемента, ФормаВыбора"""
XML = '<Attribute uuid="5f1c8a2e-0d37-4b5a-9c11-7d2f60a1b3c4"><Name>Цена</Name><Type>xs:decimal</Type></Attribute>'
TEXTS = [PROCEDURE, QUERY, PROSE, PROSE.upper(), CARD, XML, ENGLISH_CODE]


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(read_weights(find_weights()).vocabulary)


@pytest.mark.parametrize("text", TEXTS)
def test_the_estimate_is_above_the_true_count_and_near_it(tokenizer: Tokenizer, text: str) -> None:
    (count,) = tokenizer.count([text])

    assert count <= estimate_tokens(text) <= 1.45 * count


def test_nearly_every_line_of_code_and_prose_is_estimated_high_enough(tokenizer: Tokenizer) -> None:
    lines = [line for text in TEXTS for line in text.splitlines() if line]
    counts = tokenizer.count(lines)

    low = [line for line, count in zip(lines, counts, strict=True) if estimate_tokens(line) < count]

    assert len(low) <= 0.03 * len(lines), low


@pytest.mark.parametrize(
    "text", ["漢字かな交じり文です", "│├──┤ →", "🙂🙂🙂", "\ud800\0\x01", "±°µЂѓ", "a", "Я", "//", " "]
)
def test_unusual_characters_are_counted_too(tokenizer: Tokenizer, text: str) -> None:
    assert estimate_tokens(text) >= tokenizer.count([text])[0]


def test_an_empty_text_costs_nothing() -> None:
    assert estimate_tokens("") == 0


def test_white_space_is_free() -> None:
    assert estimate_tokens("Если Отказ") == estimate_tokens("\tЕсли\r\n\t\t    Отказ\n\n")


@given(st.text(), st.text(min_size=1))
def test_a_longer_text_costs_no_less_and_parts_no_less_than_the_whole(first: str, second: str) -> None:
    whole = estimate_tokens(first + second)

    assert estimate_tokens(first) <= whole <= estimate_tokens(first) + estimate_tokens(second)
