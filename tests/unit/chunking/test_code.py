from collections.abc import Sequence

import pytest

from onec_rag.chunking.base import Context
from onec_rag.chunking.code import module_chunks, module_owner, signature, summary
from onec_rag.formats.bsl import scan
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind

FQN = "ОбщийМодуль.Цены"

PROCEDURE = """\
// Считает цену. Подробности ниже.
//
// Параметры:
//  Товар - СправочникСсылка.Товары
//
&НаСервере
Функция Цена(Товар, Знач Дата = '20240101', Вид = "Розничная") Экспорт
	Возврат Цены[Товар];
КонецФункции
"""


def chunks(text: str, window: int = 480, fqn: str = FQN, titles: dict[str, str] | None = None) -> list[Chunk]:
    module = scan(text, "CommonModule")
    document = Document("CommonModules/Цены/Ext/Module.bsl", DocumentKind.MODULE, fqn, fqn, module)
    return list(module_chunks(document, module, Context(titles or {}, {}, window)))


def procedures(found: Sequence[Chunk], symbol: str = "") -> list[Chunk]:
    return [chunk for chunk in found if chunk.kind is ChunkKind.PROCEDURE and (not symbol or chunk.symbol == symbol)]


def long_procedure(*lines: str, name: str = "Длинная") -> str:
    return "\n".join([f"Процедура {name}()", *lines, "КонецПроцедуры"])


def test_a_procedure_is_a_chunk_with_its_comment_and_facets() -> None:
    (chunk,) = procedures(chunks(PROCEDURE, titles={FQN: "Цены и скидки"}))
    assert chunk.text == PROCEDURE.strip()
    assert (chunk.fqn, chunk.symbol, chunk.title) == (f"{FQN}.Цена", "Цена", "Цены и скидки")
    assert chunk.breadcrumb == (
        "ОбщийМодуль.Цены (Цены и скидки) · общий модуль\n"
        "Функция Цена(Товар, Знач Дата = '20240101', Вид = \"Розничная\") Экспорт"
    )
    assert chunk.doc.startswith("Считает цену. Подробности ниже.")
    assert chunk.facets == {"module_kind": "CommonModule", "export": True, "directive": "НаСервере"}
    assert (chunk.first_line, chunk.last_line) == (1, 9)


def test_the_region_stands_in_the_breadcrumb() -> None:
    text = f"#Область Внешняя\n#Область Внутренняя\n{PROCEDURE}#КонецОбласти\n#КонецОбласти\n"
    (chunk,) = procedures(chunks(text))
    assert "· Внутренняя\n" in chunk.breadcrumb
    assert chunk.facets["region"] == "Внутренняя"


def cards(text: str) -> list[str]:
    return [chunk.text for chunk in chunks(text) if chunk.breadcrumb.endswith("· общий модуль")]


def bodies(text: str) -> list[str]:
    return [chunk.text for chunk in chunks(text) if chunk.breadcrumb.endswith("· код модуля")]


def test_the_card_lists_regions_and_what_is_exported_or_else_everything() -> None:
    text = f"#Область А\n{PROCEDURE}\n#КонецОбласти\n#Область Б\nПроцедура Своя()\nКонецПроцедуры\n#КонецОбласти\n"
    assert cards(text) == ["#Область А\nЦена: Считает цену\n#Область Б\n#КонецОбласти"]
    assert cards("Процедура Одна()\nКонецПроцедуры\n") == ["Одна"]


def test_the_card_holds_what_stands_between_procedures_and_is_no_code() -> None:
    guard = "#Иначе\n\tВызватьИсключение НСтр(\"ru = 'Недопустимый вызов.'\");\n#КонецЕсли"
    text = f"// (c) 2026\n\n#Если Сервер Тогда\n// Модуль цен.\n\n{PROCEDURE}\n////\n// Раздел\n////\n\n{guard}\n"
    assert cards(text) == [f"Цена: Считает цену\n#Если Сервер Тогда\n// Модуль цен.\n////\n// Раздел\n{guard}"]
    assert bodies(text) == []
    assert cards("// Заготовка\n#Область А\n#КонецОбласти") == ["#Область А\n// Заготовка\n#КонецОбласти"]


def test_code_of_the_module_itself_is_a_chunk_with_what_stands_around_it() -> None:
    text = f"#Область Данные\n// Кэш цен.\nПерем Кэш;\n\n{PROCEDURE}\n// Раздел\n\n{PROCEDURE}Кэш = 1;\n"
    assert bodies(text) == ["#Область Данные\n// Кэш цен.\nПерем Кэш;\nКэш = 1;"]
    assert cards(text) == ["#Область Данные\nЦена: Считает цену\nЦена: Считает цену\n// Раздел"]
    assert cards("#Область А\nПерем Б;\n#КонецОбласти") == []


def test_nothing_of_the_copyright_header_is_in_a_chunk() -> None:
    header = "////////\n// Copyright (c) 2026\n////////\n"
    assert [chunk.text for chunk in chunks(header + PROCEDURE)] == [chunk.text for chunk in chunks(PROCEDURE)]
    assert chunks(header) == []


def test_a_module_of_nothing_gives_nothing() -> None:
    assert chunks("") == chunks("\n\n  \n") == []


def test_a_long_procedure_is_cut_at_statements_and_each_part_says_whose_it_is() -> None:
    steps = [f"\tОстаток{number} = ПолучитьОстаток(Склад, {number});" for number in range(200)]
    parts = procedures(chunks("// Пересчитывает. Долго.\n" + long_procedure(*steps)))
    assert len(parts) > 5
    assert [part.breadcrumb.split("\n")[1] for part in parts] == ["Процедура Длинная()"] * len(parts)
    assert all(part.breadcrumb.endswith("\n// Пересчитывает") for part in parts[1:])
    assert all(part.text.lstrip().startswith("Остаток") for part in parts[1:])
    assert [part.last_line + 1 for part in parts[:-1]] == [part.first_line for part in parts[1:]]


def test_an_inserted_line_changes_the_parts_near_it_alone() -> None:
    steps = [f"\tОстаток{number} = ПолучитьОстаток(Склад, {number * 13});" for number in range(400)]
    before = {chunk.embedded_text for chunk in procedures(chunks(long_procedure(*steps)))}
    steps.insert(150, "\tНовая = Строка(1);")
    after = {chunk.embedded_text for chunk in procedures(chunks(long_procedure(*steps)))}
    assert len(before) > 15
    assert len(after - before) <= 4


def test_an_edit_of_one_procedure_changes_no_other() -> None:
    text = "\n".join(long_procedure(f"\tА = {number};", name=f"П{number}") for number in range(20))
    before = chunks(text)
    after = chunks(text.replace("\tА = 7;", "\tА = 7;\n\tБ = 8;"))
    changed = {key(chunk) for chunk in after} - {key(chunk) for chunk in before}
    assert {symbol for symbol, _ in changed} == {"П7"}


def key(chunk: Chunk) -> tuple[str, str]:
    return chunk.symbol, chunk.embedded_text


# Queries


QUERY = """\
Функция Остатки(Склад) Экспорт
	Запрос = Новый Запрос("ВЫБРАТЬ
	|	Т.Товар КАК Товар
	|ИЗ
	|	РегистрНакопления.Ёлки.Остатки(, Склад = &Склад) КАК Т");
	Возврат Запрос.Выполнить();
КонецФункции
"""


def queries(found: Sequence[Chunk]) -> list[Chunk]:
    return [chunk for chunk in found if chunk.kind is ChunkKind.QUERY]


def test_a_query_is_a_chunk_with_its_tables_behind_its_procedure() -> None:
    found = chunks(f"{QUERY}{PROCEDURE}", titles={FQN: "Цены и скидки"})
    assert [(chunk.kind, chunk.symbol) for chunk in found[1:]] == [
        (ChunkKind.PROCEDURE, "Остатки"),
        (ChunkKind.QUERY, "Остатки"),
        (ChunkKind.PROCEDURE, "Цена"),
    ]
    (query,) = queries(found)
    assert query.fqn == f"{FQN}.Остатки"
    assert query.breadcrumb == (
        "ОбщийМодуль.Цены (Цены и скидки) · общий модуль · Остатки · запрос\nТаблицы: РегистрНакопления.Ёлки.Остатки"
    )
    assert query.text.startswith("ВЫБРАТЬ\n\tТ.Товар КАК Товар\nИЗ\n")
    assert (query.first_line, query.last_line, query.title) == (2, 5, "Цены и скидки")
    assert query.facets == {"module_kind": "CommonModule"}


def test_a_query_of_module_level_code_belongs_to_the_module() -> None:
    (query,) = queries(chunks('Запрос = "ВЫБРАТЬ 1 ИЗ Константы";'))
    assert (query.fqn, query.symbol) == (FQN, "")
    assert query.breadcrumb == "ОбщийМодуль.Цены · общий модуль · запрос\nТаблицы: Константы"


@pytest.mark.parametrize(
    ("literal", "count"),
    [
        ("ВЫБРАТЬ 1 ИЗ ВТОстатки", 1),
        ("select A from &Table", 1),
        ("Выбрать", 0),
        ("ВЫБРАТЬ РАЗРЕШЕННЫЕ", 0),
        ("УНИЧТОЖИТЬ ВТ", 0),
    ],
)
def test_what_names_no_source_is_left_to_the_code_around_it(literal: str, count: int) -> None:
    assert len(queries(chunks(f'А = "{literal}";'))) == count


# Extensions


@pytest.mark.parametrize(
    ("annotation", "hook"),
    [
        ('Перед("Цена")', "Перед"),
        ('after ( "Цена")', "После"),
        ('Around("Цена")', "Вместо"),
        ('ChangeAndValidate("Цена")', "ИзменениеИКонтроль"),
    ],
)
def test_every_part_of_a_hooking_method_says_which_method_it_hooks(annotation: str, hook: str) -> None:
    steps = [f"\tОстаток{number} = ПолучитьОстаток(Склад, {number});" for number in range(80)]
    parts = procedures(chunks(f"&НаСервере\n&{annotation}\n" + long_procedure(*steps, name="Расш_Цена")))
    assert len(parts) > 2
    assert {part.facets["hook"] for part in parts} == {hook}
    assert all(part.breadcrumb.endswith(f"\n&{annotation} Процедура Расш_Цена()") for part in parts)


def test_other_annotations_are_no_hooks() -> None:
    (chunk,) = procedures(chunks('&Аннотация("Цена")\n' + long_procedure()))
    assert "hook" not in chunk.facets
    assert chunk.breadcrumb.endswith("\nПроцедура Длинная()")


# Names


@pytest.mark.parametrize(
    ("fqn", "kind", "breadcrumb"),
    [
        ("Справочник.Ёлки.МодульОбъекта", "ObjectModule", "Справочник.Ёлки (Ёлки и ели) · модуль объекта"),
        (
            "Справочник.Ёлки.Форма.ФормаСписка.Модуль",
            "FormModule",
            "Справочник.Ёлки (Ёлки и ели) · форма ФормаСписка · модуль формы",
        ),
        (
            "Справочник.Ёлки.Команда.Печать.МодульКоманды",
            "CommandModule",
            "Справочник.Ёлки (Ёлки и ели) · команда Печать · модуль команды",
        ),
        ("Конфигурация.МодульСеанса", "SessionModule", "Конфигурация · модуль сеанса"),
        ("Неведомое.Имя.Модуль", "OtherModule", "Неведомое.Имя · модуль"),
    ],
)
def test_the_breadcrumb_names_object_form_and_kind_of_module(fqn: str, kind: str, breadcrumb: str) -> None:
    module = scan("Перем А;", kind)
    document = Document("путь", DocumentKind.MODULE, fqn, fqn, module)
    (chunk,) = module_chunks(document, module, Context({"Справочник.Ёлки": "Ёлки и ели"}))
    assert chunk.breadcrumb == f"{breadcrumb} · код модуля"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Процедура А() КонецПроцедуры", "Процедура А()"),
        ("Функция А(Знач Б,В=2) Экспорт\nКонецФункции", "Функция А(Знач Б, В = 2) Экспорт"),
        ("Procedure A(Val B) Export\nEndProcedure", "Процедура A(Знач B) Экспорт"),
    ],
)
def test_a_signature_is_one_line(text: str, written: str) -> None:
    assert signature(scan(text, "CommonModule").procedures[0]) == written


@pytest.mark.parametrize(
    ("doc", "first"),
    [
        ("Одно. Два.", "Одно"),
        ("Одно.\nДва.", "Одно"),
        ("Версия 3.1 нужна", "Версия 3.1 нужна"),
        ("", ""),
        ("\n\nА", "А"),
        ("См. ОбщийМодуль.Цена. И ещё", "См. ОбщийМодуль.Цена"),
        ("Параметры:\n Товар - Строка", ""),
    ],
)
def test_a_summary_is_the_first_sentence(doc: str, first: str) -> None:
    assert summary(doc) == first


@pytest.mark.parametrize(
    ("fqn", "owner"),
    [
        ("Справочник.Товары.Форма.ФормаЭлемента.Модуль", "Справочник.Товары"),
        ("Справочник.Товары.Форма.ФормаЭлемента", "Справочник.Товары"),
        ("Справочник.Товары.Команда.Печать.МодульКоманды", "Справочник.Товары"),
        ("Справочник.Товары.МодульОбъекта", "Справочник.Товары"),
        ("ОбщийМодуль.Цены", "ОбщийМодуль.Цены"),
        ("ОбщаяФорма.Выбор.Модуль", "ОбщаяФорма.Выбор"),
        ("Конфигурация.МодульСеанса", "Конфигурация"),
        ("Конфигурация", "Конфигурация"),
        ("Подсистема.Торговля.Подсистема.Розница", "Подсистема.Торговля.Подсистема.Розница"),
        ("ВнешнийИсточникДанных.Мир.Таблица.Ёлки.Форма.Список.Модуль", "ВнешнийИсточникДанных.Мир.Таблица.Ёлки"),
        ("РегистрРасчета.Начисления.Перерасчет.Все.МодульНабораЗаписей", "РегистрРасчета.Начисления.Перерасчет.Все"),
        ("", ""),
    ],
)
def test_the_owner_of_a_module_is_its_object(fqn: str, owner: str) -> None:
    assert module_owner(fqn) == owner
