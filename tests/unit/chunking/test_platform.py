import pytest

from onec_rag.chunking.base import Context
from onec_rag.chunking.platform import platform_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.platform import PlatformPage, PlatformParameter, Syntax
from onec_rag.text.budget import estimate_tokens

TITLES = {"ru": "Улей.Заселить", "en": "Hive.Settle"}
METHOD = PlatformPage(
    TITLES,
    headings=("Пчеловодство", "Улей", "Методы"),
    language="ru",
    syntax=(
        Syntax("Заселить(<Имя>)", "По имени", (PlatformParameter("Имя", True, ("Строка",), "Имя роя."),), "Ищет рой."),
        Syntax("Заселить(<Рой>)", "По ссылке", (PlatformParameter("Рой", False),)),
    ),
    returns="Истина - остался.",
    return_types=("Булево",),
    description="Заселяет улей.",
    availability=("Тонкий клиент", "веб-клиент", "сервер"),
    notes="Не зимой.",
    example="Улей.Заселить(1);\nМёд();",
    since="8.3.7",
    deprecated="Не рекомендуется с версии 8.3.26.",
    versions=("Доступен, начиная с версии 8.3.7.",),
    see_also=("Улей, метод Взвесить",),
)


def chunks(page: PlatformPage, window: int = 480, fqn: str = "Улей.Заселить") -> list[Chunk]:
    title = "Улей.Заселить (Hive.Settle)"
    document = Document("shcntx_ru.hbk/a.json", DocumentKind.PLATFORM, fqn, title, page, "shcntx_ru")
    return list(platform_chunks(document, page, Context(window=window)))


def test_a_page_is_one_chunk_under_its_place_in_the_book() -> None:
    (chunk,) = chunks(METHOD)
    assert (chunk.kind, chunk.fqn, chunk.symbol) == (ChunkKind.PLATFORM, "Улей.Заселить", "Заселить")
    assert chunk.breadcrumb == "Пчеловодство / Улей / Методы / Улей.Заселить (Hive.Settle)"
    assert (chunk.title, chunk.doc) == ("Улей.Заселить (Hive.Settle)", "Заселяет улей.")
    assert chunk.text.split("\n") == [
        "Не рекомендуется с версии 8.3.26.",
        "Заселяет улей.",
        "Синтаксис (По имени): Заселить(<Имя>)",
        "Ищет рой.",
        "<Имя> (обязательный): Строка. Имя роя.",
        "Синтаксис (По ссылке): Заселить(<Рой>)",
        "<Рой> (необязательный)",
        "Возвращаемое значение: Булево. Истина - остался.",
        "Примечание: Не зимой.",
        "Доступность: Тонкий клиент, веб-клиент, сервер",
        "Доступен, начиная с версии 8.3.7.",
        "См. также: Улей, метод Взвесить",
        "Пример:",
        "Улей.Заселить(1);",
        "Мёд();",
    ]


def test_facets_tell_language_book_version_and_where_it_is_available() -> None:
    (chunk,) = chunks(METHOD)
    assert chunk.facets == {
        "language": "ru", "section": "shcntx_ru", "since": "8.3.7", "deprecated": True, "thin_client": True,
        "web_client": True, "server": True,
    }  # fmt: skip


def test_an_english_page_speaks_english() -> None:
    page = PlatformPage(
        {"en": "Hive.Take"}, language="en", syntax=(Syntax("Take(<A>)", "", (PlatformParameter("A"),)),),
        return_types=("Honey",), availability=("External connection",),
    )  # fmt: skip
    (chunk,) = chunks(page)
    assert chunk.text == "Syntax: Take(<A>)\n<A> (required)\nReturned value: Honey\nAvailability: External connection"
    assert chunk.facets == {"language": "en", "section": "shcntx_ru", "external_connection": True}


def test_the_type_of_a_property_is_called_a_type() -> None:
    page = PlatformPage({"ru": "Улей.Матка"}, return_types=("Пчела", "Строка"), others=(("Использование", "Чтение."),))
    assert chunks(page)[0].text == "Тип: Пчела, Строка\nИспользование: Чтение."


def test_members_of_a_type_are_parts_of_their_own() -> None:
    names = tuple(f"Метод{number} (Method{number})" for number in range(20))
    page = PlatformPage({"ru": "Улей"}, description="Дом.", members=(("Методы", names), ("События", ("Рой",))))
    about, *lists = chunks(page)
    assert about.text == "Дом."
    rows = [row for chunk in lists for row in chunk.text.split("\n")]
    assert all(row.startswith(("Методы: ", "События: ")) for row in rows)
    assert ", ".join(row.partition(": ")[2] for row in rows) == ", ".join([*names, "Рой"])


def test_a_long_page_is_parts_that_fit_the_window_and_lose_nothing() -> None:
    sentences = [f"Предложение номер {number} о пчёлах и мёде." for number in range(200)]
    found = chunks(PlatformPage(TITLES, description="\n".join(sentences), example="\n".join(sentences)), window=120)
    assert len(found) > 10
    assert all(estimate_tokens(chunk.embedded_text) <= 120 for chunk in found)
    assert [line for chunk in found for line in chunk.text.split("\n")] == [*sentences, "Пример:", *sentences]


def test_a_page_that_has_only_its_title_is_still_found() -> None:
    (chunk,) = chunks(PlatformPage(TITLES))
    assert chunk.text == "Улей.Заселить (Hive.Settle)"


@pytest.mark.parametrize(
    ("fqn", "symbol"),
    [("Улей", "Улей"), ("Рой.<Имя роя>", "Рой.<Имя роя>"), ("", "Улей.Заселить (Hive.Settle)")],
)
def test_the_symbol_is_a_name_that_can_stand_alone(fqn: str, symbol: str) -> None:
    assert chunks(PlatformPage(TITLES), fqn=fqn)[0].symbol == symbol
