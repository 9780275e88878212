import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.formats.printed_lines import (
    Line,
    Paragraph,
    clean_text,
    compounds_in,
    paragraphs,
    printed_lines,
    usual_width,
)


def texts(*pages: str) -> list[tuple[str, int]]:
    return [tuple(line) for line in printed_lines(pages)]


def joined(*lines: str, width: int = 20) -> list[str]:
    found = [Line(line, 1) for line in lines]
    return [paragraph.text for paragraph in paragraphs(found, width, compounds_in(found))]


def test_lines_know_their_pages() -> None:
    assert texts(" а  б \n\nв", "", "г") == [("а б", 1), ("в", 1), ("г", 3)]


def test_running_headers_and_footers_go_and_the_same_words_in_the_middle_stay() -> None:
    pages = [f"Лавка\nСтраница {page} из 5\nа{page}\nЛавка\nб\n© Лавка\n{page}" for page in range(1, 6)]
    assert [line for line, _ in texts(*pages)] == [word for page in range(1, 6) for word in (f"а{page}", "Лавка", "б")]


def test_left_and_right_pages_may_have_headers_of_their_own() -> None:
    pages = [f"{'Левая' if page % 2 else 'Правая'}\n{page}\nа{page}\nб{page}\nв\nг" for page in range(10)]
    assert {line for line, _ in texts(*pages)} & {"Левая", "Правая"} == set()


def test_a_line_of_a_few_pages_and_a_page_of_a_few_lines_keep_all() -> None:
    assert [line for line, _ in texts("Глава\nа\nб\nв\nг\nд", "Глава\nа\nб\nв\nг\nд")].count("Глава") == 2
    assert texts("одно", "одно", "одно", "одно") == [("одно", page) for page in range(1, 5)]


def test_lines_of_a_table_of_contents_go() -> None:
    assert texts("Введение ..... 5\nЦена . . . . . 12\nи так далее...\n1.2.3") == [("и так далее...", 1), ("1.2.3", 1)]


def test_signs_become_those_that_are_searched_for() -> None:
    assert clean_text("ﬁle и\u0306 pre\x1dight \x97 а\0б\ud800") == "file й preflight — а б?"


def test_cyrillic_that_a_font_calls_latin_is_mended() -> None:
    said = "Сравнение двух ёмкостей № 5"
    assert texts(said.encode("cp1251").decode("latin-1")) == [(said, 1)]
    assert texts("Überprüfung der Größe à côté") == [("Überprüfung der Größe à côté", 1)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["Отчёт строится по продажам", "за период"], ["Отчёт строится по продажам за период"]),
        (["Отчёт строится по продажам.", "За период"], ["Отчёт строится по продажам.", "За период"]),
        (["Коротко", "за период"], ["Коротко", "за период"]),
        (["почти целая стр", "Новая строка"], ["почти целая стр", "Новая строка"]),
        (["почти целая стр", "и та же"], ["почти целая стр и та же"]),
        (
            ["Отчёт строится по продажам", "• пункт", "2.1 пункт"],
            ["Отчёт строится по продажам", "• пункт", "2.1 пункт"],
        ),
        (["КонецЕсли", "КонецЦикла"], ["КонецЕсли", "КонецЦикла"]),
        ([], []),
    ],
)
def test_a_full_line_goes_on_and_others_do_not(lines: list[str], said: list[str]) -> None:
    assert joined(*lines) == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["принимает това-", "ры"], "принимает товары"),
        (["принимает това\u00ad", "ры"], "принимает товары"),
        (["если кто-", "то пришёл"], "если кто-то пришёл"),
        (["бизнес-процесс и ещё раз бизнес-", "процесс."], "бизнес-процесс и ещё раз бизнес-процесс."),
        (["длинная строка А -", "тире"], "длинная строка А - тире"),
    ],
)
def test_a_word_broken_between_lines_is_one(lines: list[str], said: str) -> None:
    assert joined(*lines) == [said]


def test_a_paragraph_may_go_over_to_the_next_page() -> None:
    lines = [Line("Отчёт строится по продажам", 3), Line("за период", 4), Line("Конец", 4)]
    assert list(paragraphs(lines, 20, frozenset())) == [
        Paragraph("Отчёт строится по продажам за период", 3, 4),
        Paragraph("Конец", 4, 4),
    ]


def test_the_usual_width_is_that_of_filled_lines() -> None:
    assert usual_width([Line("а" * length, 1) for length in [3, 5, *[60] * 8]]) == 60
    assert usual_width([]) == 0


@given(st.lists(st.text(alphabet="аб-. \n", max_size=60), max_size=6))
def test_no_letter_is_lost(pages: list[str]) -> None:
    lines = printed_lines(pages)
    said = "".join(paragraph.text for paragraph in paragraphs(lines, usual_width(lines), compounds_in(lines)))
    kept = "".join(line.text for line in lines)
    assert [sign for sign in said if sign in "аб"] == [sign for sign in kept if sign in "аб"]
