import pytest

from onec_rag.formats.designer.help import read_help


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<h1>Как искать</h1><p>Так.", "Как искать"),
        ("<title>Поиск</title><p>Так.<h3>Подробнее</h3>Ещё.", "Поиск"),
        ("<p>Так.<h3>Подробнее</h3>Ещё.", "Справочник.Имя.Форма.Выбор"),
    ],
)
def test_a_page_is_called_by_its_heading_else_its_title_else_its_owner(page: str, title: str) -> None:
    document = read_help("Catalogs/Имя/Forms/Выбор/Ext/Help/ru.html", page.encode())
    assert document is not None
    assert (document.title, document.fqn) == (title, "Справочник.Имя.Форма.Выбор")


def test_a_page_that_is_no_help_or_has_no_text_is_none() -> None:
    assert read_help("Catalogs/Имя/Templates/М/Ext/Template/ru.html", b"<p>a") is None
    assert read_help("Catalogs/Имя/Ext/Help/ru.html", b"<p>") is None
