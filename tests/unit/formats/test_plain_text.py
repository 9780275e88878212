import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.plain_text import is_text, read_text
from onec_rag.model.document import Prose


def blocks(text: str, encoding: str = "utf-8") -> list[tuple[tuple[str, ...], str, int, int]]:
    document = read_text("папка/имя.txt", text.encode(encoding))
    assert document is not None
    assert isinstance(document.content, Prose)
    return [
        (section.headings, block.text, block.first_line, block.last_line)
        for section in document.content.sections
        for block in section.blocks
    ]


def test_texts_are_told_by_their_extension() -> None:
    assert [is_text(path) for path in ("а.txt", "а/LICENSE.TXT", "txt", "а.text")] == [True, True, False, False]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_paragraphs_stand_between_blank_lines_and_keep_theirs(encoding: str) -> None:
    assert blocks("Ёлка\r\n  й  \r\n\r\n \t\r\nв\r\n", encoding) == [((), "Ёлка\n  й", 1, 2), ((), "в", 5, 5)]


def test_only_an_underlined_line_is_a_heading() -> None:
    text = "====\nСчёт\n====\nа\n\nЗаказ\n-----\n\nб\n\nНЕ ЗАГОЛОВОК\n\nв\n\n1. Нет\n\n---\n\nСчёт\n~~~~\nг\n"
    assert [(headings, said) for headings, said, _, _ in blocks(text)] == [
        (("Счёт",), "а"),
        (("Счёт", "Заказ"), "б"),
        (("Счёт", "Заказ"), "НЕ ЗАГОЛОВОК"),
        (("Счёт", "Заказ"), "в"),
        (("Счёт", "Заказ"), "1. Нет"),
        (("Счёт", "Заказ"), "---"),
        (("Счёт", "Заказ", "Счёт"), "г"),
    ]


@pytest.mark.parametrize(
    "text", ["а | б\n-----\nв | г", "длинный абзац без черты под ним\n---\nб", "---\n---\nа", "а\n---b"]
)
def test_lines_of_signs_elsewhere_are_text(text: str) -> None:
    assert [(headings, said) for headings, said, _, _ in blocks(text)] == [((), text)]


def test_the_heading_that_speaks_for_the_page_is_its_title() -> None:
    document = read_text("папка/имя.txt", "Заметки\n=======\n\nа".encode())
    assert document is not None
    assert (document.title, document.section) == ("Заметки", "папка")


def test_a_report_of_the_configurator_is_read_as_it_is() -> None:
    text = '- Справочники.Валюты\r\n\tИмя: "Валюты"\r\n\tСиноним: "Валюты"\r\n'
    assert blocks(text, "utf-16") == [((), '- Справочники.Валюты\n\tИмя: "Валюты"\n\tСиноним: "Валюты"', 1, 3)]


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xff\xfe"])
def test_a_text_of_nothing_is_none(data: bytes) -> None:
    assert read_text("а.txt", data) is None


def test_binary_data_are_an_error_with_their_path() -> None:
    with pytest.raises(PermanentError, match="binary data") as raised:
        read_text("а.txt", b"PK\3\4\0")
    assert raised.value.path == "а.txt"


@given(st.text(alphabet="аб| \n\r\t", max_size=200))
def test_every_line_is_in_the_page(text: str) -> None:
    document = read_text("а.txt", text.encode())
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.strip()]
    content = document.content if document else Prose(())
    assert isinstance(content, Prose)
    assert [line for part in content.sections for block in part.blocks for line in block.text.split("\n")] == lines
