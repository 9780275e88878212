import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.query import is_query, tables_of, tokens

PACKAGE = """
// Остатки и цены; ИЗ Справочник.Комментарий
ВЫБРАТЬ РАЗРЕШЕННЫЕ
    Остатки.Товар,
    ВЫРАЗИТЬ(Остатки.Товар КАК Справочник.НеТаблица).Код КАК ИЗ,
    "ИЗ Справочник.Строка" КАК Строка
ПОМЕСТИТЬ ВТОстатки
ИЗ РегистрНакопления.Ёлки.Остатки(&Дата, Склад В (ВЫБРАТЬ Т.Ссылка ИЗ справочник.Склады КАК Т)) КАК Остатки
    ЛЕВОЕ СОЕДИНЕНИЕ РегистрСведений.Цены.СрезПоследних(, Вид = ЗНАЧЕНИЕ(Справочник.Виды.Розница)) КАК Цены
        ВНУТРЕННЕЕ СОЕДИНЕНИЕ Документ.Заказ.Товары КАК Товары
        ПО Товары.Товар = Цены.Товар
    ПО Остатки.Товар ССЫЛКА Справочник.Тоже, Константы КАК Константы, &Параметр КАК П
ГДЕ Остатки.Товар В ИЕРАРХИИ (ВЫБРАТЬ Г.Ссылка ИЗ Справочник.Группы КАК Г), Справочник.НеИсточник
;
ВЫБРАТЬ * ИЗ ВТОстатки КАК Документ, (ВЫБРАТЬ 1 КАК Один ИЗ Перечисление.Виды
    ОБЪЕДИНИТЬ ВСЕ ВЫБРАТЬ 2 ИЗ Справочник.Склады) КАК В
УПОРЯДОЧИТЬ ПО Документ.Ссылка, Документ.Номер
ИТОГИ ПО Документ.Дата
;
УНИЧТОЖИТЬ ВТОстатки
"""


def test_a_package_reads_the_tables_of_all_its_queries_each_once() -> None:
    assert tables_of(PACKAGE) == (
        "РегистрНакопления.Ёлки.Остатки",
        "Справочник.Склады",
        "РегистрСведений.Цены.СрезПоследних",
        "Документ.Заказ.Товары",
        "Константы",
        "Справочник.Группы",
        "Перечисление.Виды",
    )


@pytest.mark.parametrize(
    ("source", "table"),
    [
        ("AccumulationRegister.Sales.Turnovers", "РегистрНакопления.Sales.Обороты"),
        ("accumulationregister.Sales.BALANCEANDTURNOVERS(,,Month)", "РегистрНакопления.Sales.ОстаткиИОбороты"),
        ("InformationRegister.Rates.SliceLast(&Date)", "РегистрСведений.Rates.СрезПоследних"),
        ("AccountingRegister.Main.DrCrTurnovers", "РегистрБухгалтерии.Main.ОборотыДтКт"),
        ("CalculationRegister.Pay.ScheduleData", "РегистрРасчета.Pay.ДанныеГрафика"),
        ("Task.Task.TasksByExecutive", "Задача.Task.ЗадачиПоИсполнителю"),
        ("Sequence.Docs.Boundaries", "Последовательность.Docs.Границы"),
        ("Catalog.Users.Changes", "Справочник.Users.Изменения"),
        ("Document.Order.Turnovers", "Документ.Order.Turnovers"),
        ("ChartOfAccounts.Main.ExtDimensionTypes", "ПланСчетов.Main.ВидыСубконто"),
        ("BusinessProcess.Deal.Points", "БизнесПроцесс.Deal.Точки"),
        ("Constants", "Константы"),
        ("Constant.Name", "Константа.Name"),
        ("КритерийОтбора.Связанные(&Ссылка)", "КритерийОтбора.Связанные"),
        ("ЖурналДокументов.Склад", "ЖурналДокументов.Склад"),
        ("ПланОбмена . Филиалы", "ПланОбмена.Филиалы"),
        ("ВнешнийИсточникДанных.Мир.Таблица.Ёлки", "ВнешнийИсточникДанных.Мир.Таблица.Ёлки"),
        ("ExternalDataSource.World.Table.Firs", "ВнешнийИсточникДанных.World.Таблица.Firs"),
        (
            "externaldatasource.World.Cube.Sales.DimensionTable.Firs",
            "ВнешнийИсточникДанных.World.Куб.Sales.ТаблицаИзмерения.Firs",
        ),
    ],
)
def test_tables_have_one_name_in_both_languages(source: str, table: str) -> None:
    assert tables_of(f"ВЫБРАТЬ 1 ИЗ {source} КАК Т") == (table,)
    assert tables_of(f"select 1 from\n//\n{source} as T") == (table,)
    assert tables_of(f"ЛЕВОЕ СОЕДИНЕНИЕ {source}") == (table,)


@pytest.mark.parametrize(
    "text",
    [
        "ВЫБРАТЬ 1 ИЗ ВТОстатки, &Таблица КАК Т, #Таблица, Документ КАК Документ",
        "ВЫБРАТЬ 1 ИЗ Справочник.%1, Документ.&Имя, Документ.Заказ%1 КАК З, Справочник.[Имя], Справочник.",
        "ВЫБРАТЬ Справочник.А КАК Б, Справочник.В",
        "ВЫБРАТЬ Т.ИЗ, Справочник.А",
        "ВЫБРАТЬ 1 КАК ИЗ, Справочник.А",
        "ВЫБРАТЬ 1 ИЗ Т ДЛЯ ИЗМЕНЕНИЯ Справочник.А, Справочник.Б",
        "ВЫБРАТЬ 1 ИЗ Неведомое.А, Т.Товары",
        "ВЫБРАТЬ 1 ИЗ; Справочник.А",
        'ВЫБРАТЬ 1 ИЗ "Справочник.А"',
        "",
    ],
)
def test_what_is_no_table_of_the_configuration_is_left_out(text: str) -> None:
    assert tables_of(text) == ()


def test_a_report_may_leave_out_what_braces_enclose() -> None:
    text = """ВЫБРАТЬ Т.А {ВЫБРАТЬ Т.Б} ИЗ РегистрНакопления.Ёлки.Обороты({(&Начало)}, , , {Товар.*}) КАК Т
        {ЛЕВОЕ СОЕДИНЕНИЕ Справочник.Склады КАК С ПО Т.Склад = С.Ссылка}, {Справочник.Товары КАК Н}
        {ГДЕ Т.А, Справочник.Поле}
        {ХАРАКТЕРИСТИКИ ТИП(Справочник.Тип) ВИДЫХАРАКТЕРИСТИК ПланВидовХарактеристик.Свойства
        ЗНАЧЕНИЯХАРАКТЕРИСТИК РегистрСведений.Значения ПОЛЕОБЪЕКТА Объект}"""
    assert tables_of(text) == (
        "РегистрНакопления.Ёлки.Обороты",
        "Справочник.Склады",
        "Справочник.Товары",
        "ПланВидовХарактеристик.Свойства",
        "РегистрСведений.Значения",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ВЫБРАТЬ РАЗРЕШЕННЫЕ 1", True),
        ("select", True),
        ("\n  // остатки\n;\n////\nВыбрать 1", True),
        ("УНИЧТОЖИТЬ ВТ", True),
        ("DROP T", True),
        ("ВЫБРАТЬВСЕ", False),
        ("Текст ВЫБРАТЬ", False),
        ("// ВЫБРАТЬ", False),
        ("", False),
    ],
)
def test_a_query_is_told_by_its_first_word(text: str, expected: bool) -> None:
    assert is_query(text) is expected


def test_tokens_are_told_by_kind() -> None:
    found = [(token.lastgroup, token[0]) for token in tokens('А.Б >= &В + 1.5 // да\n"Г""Д"')]
    assert found == [
        ("name", "А.Б"), ("mark", ">"), ("mark", "="), ("parameter", "&В"), ("mark", "+"), ("number", "1"),
        ("mark", "."), ("number", "5"), ("comment", "// да"), ("string", '"Г"'), ("string", '"Д"'),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["А.", "(", "А . ", "// ИЗ ", '"', " ", ";", "ИЗ Справочник.А, "])
def test_a_megabyte_of_one_thing_is_bounded_work(text: str) -> None:
    long = text * (1_000_000 // len(text))
    tables_of(long)
    is_query(long)


def test_the_deepest_nesting_is_bounded_work() -> None:
    deep = "ИЗ " + "(" * 500_000 + "Справочник.Глубокий" + ")" * 500_001 + "ИЗ (Справочник.Следующий"
    assert tables_of(deep) == ("Справочник.Глубокий", "Справочник.Следующий")


WORDS = st.sampled_from(
    ["ИЗ ", "Справочник.А ", "КАК ", "ВТ ", *"(){},;.&\"'\n", "//", "ВЫБРАТЬ ", "ГДЕ ", "СОЕДИНЕНИЕ "]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=40).map("".join)))
def test_any_text_is_read_and_nothing_is_a_table_that_it_does_not_name(text: str) -> None:
    found = tables_of(text)
    assert len(set(found)) == len(found)
    assert all(table.startswith("Справочник.А") for table in found)
    is_query(text)
