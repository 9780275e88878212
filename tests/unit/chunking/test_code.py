import random
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.chunking.base import LONGEST_DOC, Context
from onec_rag.chunking.code import module_chunks, module_owner, signature, summary
from onec_rag.formats.bsl import decode, scan
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.text.budget import estimate_tokens

DATA = Path(__file__).parents[2] / "data"
MODULES = sorted((DATA / "sample").rglob("*.bsl")) + sorted((DATA / "formats").rglob("*.bsl"))
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


def test_the_card_lists_what_is_exported_or_else_everything() -> None:
    text = f"#Область А\n{PROCEDURE}\nПроцедура Внутренняя()\nКонецПроцедуры\n#КонецОбласти\n"
    card = chunks(text)[0]
    assert card.kind is ChunkKind.MODULE
    assert card.text == "Области: А\nЦена: Считает цену"
    assert chunks("Процедура Одна()\nКонецПроцедуры\n")[0].text == "Одна"


def test_code_of_the_module_itself_is_a_chunk() -> None:
    text = f"Перем Кэш;\n\n{PROCEDURE}\nКэш = Новый Соответствие;\n"
    body = [chunk for chunk in chunks(text) if chunk.breadcrumb.endswith("· код модуля")]
    assert "\n".join(chunk.text for chunk in body) == "Перем Кэш;\nКэш = Новый Соответствие;"


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


def test_a_query_is_not_cut_where_it_fits() -> None:
    before = [f"\tПеременная{number} = Посчитать({number});" for number in range(22)]
    query = ['\tЗапрос.Текст = "ВЫБРАТЬ', *[f"\t|\tТаблица.Поле{number} КАК Поле{number}," for number in range(15)],
             "\t|\tТаблица.Последнее", "\t|ИЗ", '\t|\tРегистр.Таблица КАК Таблица";']  # fmt: skip
    after = [f"\tПеременная{number} = Посчитать({number});" for number in range(22)]
    parts = procedures(chunks(long_procedure(*before, *query, *after)))
    assert len(parts) > 2
    assert sum("ВЫБРАТЬ" in part.text and "КАК Таблица" in part.text for part in parts) == 1


def test_a_quote_in_a_comment_opens_no_string() -> None:
    steps = [f'\tСтрока{number} = Разобрать("а", {number}); // знак " в комментарии' for number in range(120)]
    parts = procedures(chunks(long_procedure(*steps)))
    assert len(parts) > 3
    assert all(part.text.lstrip().startswith("Строка") for part in parts[1:])


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


def missing_lines(text: str, found: Sequence[Chunk]) -> list[str]:
    """Lines of procedures and of module-level code that stand in no chunk; a line may be cut into several chunks."""
    module = scan(text, "CommonModule")
    ranges = [(item.first_line, item.last_line) for item in module.procedures] + list(module.body)
    kept = [
        chunk.text for chunk in found if chunk.kind is ChunkKind.PROCEDURE or chunk.breadcrumb.endswith("код модуля")
    ]
    lines, joined = {line for part in kept for line in part.split("\n")}, "".join(kept).replace("\n", "")
    wanted = [line for first, last in ranges for line in module.lines[first - 1 : last] if line.strip()]
    return [line for line in wanted if line not in lines and line not in joined]


@pytest.mark.parametrize("window", [48, 200, 480, 8_000])
@pytest.mark.parametrize("path", MODULES, ids=lambda path: unicodedata.normalize("NFC", path.parts[-3]))
def test_real_modules_are_held_whole_in_chunks_that_fit(path: Path, window: int) -> None:
    text = decode(path.read_bytes(), path.name)
    found = chunks(text, window)
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)


LINES = st.sampled_from([
    "Процедура А(Б, В = 1) Экспорт", "Функция Имя()", "КонецПроцедуры", "КонецФункции", "// Описание. Ещё", "//", "",
    "\tА = 1;", "\tЗапрос = \"ВЫБРАТЬ", "\t|\tПоле", "\t|ИЗ\";", "&НаКлиенте", "#Область Часть", "#КонецОбласти",
    "\tЕсли Истина Тогда", "\tКонецЕсли;", "Перем Кэш Экспорт;", "\tСтрока = \"\"\"\" + 'а'; // \" конец",
    "\tОченьДлинноеИмяПеременнойКотороеНеКончается = ЕщёБолееДлинноеИмяФункции(Параметр1, Параметр2);", "\t",
])  # fmt: skip


@given(st.lists(LINES, max_size=60).map("\n".join), st.sampled_from([48, 120, 480]))
@settings(max_examples=200, deadline=None)
def test_any_module_is_held_whole_in_chunks_that_fit(text: str, window: int) -> None:
    found = chunks(text, window)
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)
    assert all(chunk.text.strip() for chunk in found)
    assert found == chunks(text, window)


@pytest.mark.parametrize("window", [48, 480])
def test_long_names_synonyms_and_signatures_leave_room_for_the_code(window: int) -> None:
    parameters = ", ".join(f"ОченьДлинныйПараметр{number} = Неопределено" for number in range(60))
    lead = f"#Область {'Область' * 100}\n// {'Слово ' * 500}\n"
    text = f"{lead}Процедура {'Имя' * 60}({parameters})\n\tА = 1;\nКонецПроцедуры\n"
    found = chunks(text, window, titles={FQN: "Синоним " * 300})
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)


def test_a_procedure_of_680_000_characters_is_bounded_work() -> None:
    choice = random.Random(1)
    steps = [f"\tОстаток{number} = Получить(Склад, {choice.random()});" for number in range(17_000)]
    text = long_procedure(*steps)
    assert len(text) > 680_000
    found = procedures(chunks(text))
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in found)


def test_a_line_of_a_megabyte_is_bounded_work() -> None:
    data = "".join(map(str, range(170_000)))
    text = long_procedure(f'\tДанные = "{data}";')
    found = procedures(chunks(text))
    assert "".join(chunk.text for chunk in found).replace("\n", "") == text.replace("\n", "")
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in found)


def test_a_comment_of_a_megabyte_does_not_weigh_in_every_part() -> None:
    comment = "\n".join(f"// Строка описания номер {number}" for number in range(30_000))
    found = procedures(chunks(f"{comment}\n{long_procedure()}"))
    assert len(found) > 100
    assert max(len(chunk.doc) for chunk in found) == LONGEST_DOC


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
    ],
)
def test_a_summary_is_the_first_sentence(doc: str, first: str) -> None:
    assert summary(doc) == first


def test_the_owner_of_a_module_is_its_object() -> None:
    assert module_owner("Справочник.Товары.Форма.ФормаЭлемента.Модуль") == "Справочник.Товары"
    assert module_owner("ОбщийМодуль.Цены") == "ОбщийМодуль.Цены"
