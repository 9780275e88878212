import pytest

from onec_rag.formats.help import read_help
from onec_rag.formats.place import Place, Role

PLACE = Place(Role.HELP, "Справочник.Имя.Форма.Выбор", "Form", "Справочник.Имя.Форма.Выбор")


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<h1>Как искать</h1><p>Так.", "Как искать"),
        ("<title>Поиск</title><p>Так.<h3>Подробнее</h3>Ещё.", "Поиск"),
        ("<p>Так.<h3>Подробнее</h3>Ещё.", "Справочник.Имя.Форма.Выбор"),
    ],
)
def test_a_page_is_called_by_its_heading_else_its_title_else_its_owner(page: str, title: str) -> None:
    document = read_help(PLACE, "Catalogs/Имя/Forms/Выбор/Ext/Help/ru.html", page.encode())
    assert document is not None
    assert (document.title, document.fqn) == (title, "Справочник.Имя.Форма.Выбор")


def test_a_page_without_text_is_none() -> None:
    assert read_help(PLACE, "Catalogs/Имя/Forms/Выбор/Ext/Help/ru.html", b"<p>") is None
