import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.bsl import scan
from onec_rag.model.code import Query


def queries(text: str) -> tuple[Query, ...]:
    return scan(text, "CommonModule").queries


def texts(text: str) -> list[str]:
    return [query.text for query in queries(text)]


def test_a_query_says_whose_it_is_what_it_reads_and_where_it_stands() -> None:
    text = (
        'Процедура А()\nКонецПроцедуры\nФункция Б()\n\tЗапрос = Новый Запрос("ВЫБРАТЬ\n\t|\tТ.Код\n'
        '\t|ИЗ\n\t|\tСправочник.Ёлки КАК Т");\nКонецФункции\nВ = "ВЫБРАТЬ 1";'
    )
    assert queries(text) == (
        Query("ВЫБРАТЬ\n\tТ.Код\nИЗ\n\tСправочник.Ёлки КАК Т", ("Справочник.Ёлки",), "Б", 4, 7),
        Query("ВЫБРАТЬ 1", (), "", 9, 9),
    )


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"ВЫБРАТЬ ""А"""', 'ВЫБРАТЬ "А"'),
        ('"select 1\n|from"', "select 1\nfrom"),
        ('"\n \t|  ВЫБРАТЬ 1\n\n\t|ИЗ"', "\n  ВЫБРАТЬ 1\nИЗ"),
        ('"ВЫБРАТЬ 1\n// |, ""2\n// "3"\n|, 4"', "ВЫБРАТЬ 1\n, 4"),
        ('"ВЫБРАТЬ 1 // примечание\n|// "" и ещё\n|, 4"', 'ВЫБРАТЬ 1 // примечание\n// " и ещё\n, 4'),
        ('"ВЫБРАТЬ 1\n#Вставка\n|, 2\n#КонецВставки\n|"', "ВЫБРАТЬ 1\n, 2\n"),
        ('"ВЫБРАТЬ 1\n#Удаление\n|, ""2\n// |, 3\n#КонецУдаления\n|, 4"', "ВЫБРАТЬ 1\n, 4"),
        ('"\n# Delete\n|SELECT 1\n# EndDelete\n# Insert\n|SELECT 2\n# EndInsert\n|"', "\nSELECT 2\n"),
        ('"ВЫБРАТЬ 1" ", 2"', "ВЫБРАТЬ 1\n, 2"),
        ('"ВЫБРАТЬ 1" // "примечание"\n\n\t", 2\n|, 3" + 4', "ВЫБРАТЬ 1\n, 2\n, 3"),
        ('"УНИЧТОЖИТЬ А; ВЫБРАТЬ 1"', "УНИЧТОЖИТЬ А; ВЫБРАТЬ 1"),
        ('"ВЫБРАТЬ 1', "ВЫБРАТЬ 1"),
        ('"ВЫБРАТЬ 1\nА = 1;', "ВЫБРАТЬ 1"),
        ('"ВЫБРАТЬ \u2028\x0b 1"', "ВЫБРАТЬ \u2028\x0b 1"),
    ],
)
def test_a_literal_is_what_the_program_has(written: str, text: str) -> None:
    assert texts(f"Запрос.Текст = {written}") == [text]


@pytest.mark.parametrize(
    "text",
    [
        '// "ВЫБРАТЬ 1"',
        'А = 1; // "ВЫБРАТЬ 1"',
        'А = "Не запрос: ""ВЫБРАТЬ 1""";',
        'А = "// ""ВЫБРАТЬ 1";',
        'А = "\n|""ВЫБРАТЬ 1""";',
        'А = "а\n// "ВЫБРАТЬ 1\n|б";',
        'А = "Конец"\nВЫБРАТЬ = 1;',
        'А = "ВЫБРАТЬ1"',
        'А = "ИЗ Справочник.Ёлки";',
    ],
)
def test_what_only_looks_like_a_query_is_none(text: str) -> None:
    assert texts(text) == []


def test_several_literals_of_a_line_are_told_apart() -> None:
    line = 'А = "а ""б"; Б = "ВЫБРАТЬ 1"; В = "//"; Г = "SELECT 2"; // "ВЫБРАТЬ 3"'
    assert texts(f"{line}\n{line}") == ["ВЫБРАТЬ 1", "SELECT 2"] * 2
    assert texts('А = "а\n|б"; Б = "ВЫБРАТЬ 1"; В = "\n|"; Г = "SELECT 2"') == ["ВЫБРАТЬ 1", "SELECT 2"]


@pytest.mark.parametrize("text", ['"ВЫБРАТЬ";', '"//ВЫБРАТЬ', '"ВЫБРАТЬ"//', '"" "', '"\n|ВЫБРАТЬ\n', '"\n#\n|""'])
def test_a_megabyte_of_quotes_is_bounded_work(text: str) -> None:
    """It would take hours if anything were looked at again for every quote."""
    scan(text * (1_000_000 // len(text)), "CommonModule")


PIECES = st.sampled_from(
    [*'";|&# \n\n', '""', "//", "ВЫБРАТЬ ", "#Удаление\n", "#КонецУдаления\n", "Процедура А()\n", "КонецПроцедуры\n"]
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_queries_stand_in_order_inside_the_module(text: str) -> None:
    module = scan(text, "CommonModule")
    behind = 1
    for query in module.queries:
        assert behind <= query.first_line <= query.last_line <= len(module.lines)
        assert "ВЫБРАТЬ" in query.text
        behind = query.last_line


@given(st.lists(st.sampled_from([*"абв \t/;", '"', "\n"]), max_size=30).map("".join))
def test_any_text_written_as_a_literal_is_read_back(value: str) -> None:
    text = f"ВЫБРАТЬ {value}"
    written = text.replace('"', '""').replace("\n", "\n\t|")
    assert texts(f'А = "{written}";\nБ = "ВЫБРАТЬ 1";') == [text, "ВЫБРАТЬ 1"]
