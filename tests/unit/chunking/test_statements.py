import pytest

from onec_rag.chunking.base import pack
from onec_rag.chunking.statements import statement_pieces


def borders(text: str, signature_last_line: int = 0) -> list[int]:
    """The lines, numbered from 1, that a part may begin with."""
    pieces = statement_pieces(text.split("\n"), 1, signature_last_line)
    return [piece.first_line for piece in pieces if piece.border]


def test_lines_keep_their_text_and_numbers() -> None:
    pieces = [*statement_pieces(["А = 1;", "", "  Б();"], 7)]
    assert [(piece.text, piece.first_line, piece.last_line) for piece in pieces] == [
        ("А = 1;", 7, 7), ("", 8, 8), ("  Б();", 9, 9),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("А = 1;\nБ = 2;", [1, 2]),
        ("А = 1; // хвост; и ещё\nБ = 2;", [1, 2]),
        ("А = Б(1,\n\tВ(2),\n\tГ = 3);\nД();", [1, 4]),
        ("Если А\n\tИ Б Тогда\n\tВ();\nИначе\n\tГ();\nКонецЕсли;\nД();", [1, 3, 4, 5, 6, 7]),
        ("For Each A In B Do\n\tC();\nEndDo;", [1, 2, 3]),
        ("Попытка\n\tА();\nИсключение\n\tБ();\nКонецПопытки;", [1, 2, 3, 4, 5]),
        ("~Метка:\nА();", [1, 2]),
        ("А();\n\n\nБ();", [1, 4]),
        ("А();\n// О Б\n// и ещё\nБ();", [1, 2]),
        ("// О Б\n//\n// Параметры:\n//  В\n//\nБ();", [1, 3, 6]),
        ("А(1, // первый;\n// второй;\n2);\nБ();", [1, 4]),
        ("А = НеТогда\n+ 1;", [1]),
    ],
)
def test_a_part_begins_with_a_statement_or_the_comment_above_it(text: str, expected: list[int]) -> None:
    assert borders(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('А = "а;\n|б;\n|в";\nБ();', [1, 4]),
        ('А = "а"";\n|""б;\n\n// |"в;\n|г"; // "\nБ();', [1, 6]),
        ('А = "http://а;\n|б";\nБ();', [1, 3]),
        ('А = """";\nБ = "а" + "//;";\nВ();', [1, 2, 3]),
        ('А(); // знак " в комментарии\nБ();', [1, 2]),
        ('А = "никогда не закрыта;\nБ();\nВ();', [1, 3]),
        ('А = "ВЫБРАТЬ\n#Вставка\n|1;\n#КонецВставки\n#Удаление\n|2;\n#КонецУдаления\n|ИЗ";\nБ();', [1, 9]),
    ],
)
def test_no_part_begins_inside_a_literal(text: str, expected: list[int]) -> None:
    assert borders(text) == expected


def test_edits_of_an_extension_inside_a_condition_begin_no_part() -> None:
    text = "Если А\n#Вставка\n\tИ Б\n#КонецВставки\n\tТогда\n#Удаление\n\tВ();\n#КонецУдаления\nКонецЕсли;"
    assert borders(text) == [1, 6, 7, 8, 9]


def test_the_first_statement_of_a_procedure_begins_a_part() -> None:
    text = "// О ней\nПроцедура А(Б,\n\tВ)\n\tГ();\nКонецПроцедуры"
    assert borders(text, 3) == [1, 4, 5]


def test_a_query_is_not_cut_where_it_fits() -> None:
    before = [f"\tПеременная{number} = Посчитать({number});" for number in range(22)]
    query = ['\tЗапрос.Текст = "ВЫБРАТЬ', *[f"\t|\tТаблица.Поле{number} КАК Поле{number}," for number in range(15)],
             "\t|\tТаблица.Последнее", "\t|ИЗ", '\t|\tРегистр.Таблица КАК Таблица";']  # fmt: skip
    parts = pack(list(statement_pieces([*before, *query, *before], 1)), 400)
    texts = ["\n".join(piece.text for piece in part) for part in parts]
    assert len(parts) > 2
    assert sum("ВЫБРАТЬ" in text and "КАК Таблица" in text for text in texts) == 1
