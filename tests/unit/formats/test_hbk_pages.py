import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.hbk_pages import is_hbk_page, read_hbk_page
from onec_rag.model.document import Document, DocumentKind, Prose
from onec_rag.model.platform import PlatformPage, Syntax

PATH = "shcntx_ru.hbk/objects/catalog7/Hive/methods/Settle5.html.json"
SYNTAX = '<p class="V8SH_chapter">Синтаксис:</p>Взять()'


def envelope(html: str, **facts: object) -> bytes:
    book = {"book": "shcntx_ru", "id": "B", "language": "ru", "titles": {}, "headings": [{"ru": "Раздел"}]}
    return json.dumps({**book, "html": html, **facts}).encode()


def read(html: str, path: str = PATH, **facts: object) -> Document:
    document = read_hbk_page(path, envelope(html, **facts))
    assert document is not None
    return document


def page_of(html: str, language: str = "ru") -> PlatformPage:
    content = read(html, language=language).content
    assert isinstance(content, PlatformPage)
    return content


def chapter(name: str, text: str) -> str:
    return f'<p class="V8SH_chapter">{name}</p>{text}'


def named(title: str, heading: str = "") -> str:
    member = f'<p class="V8SH_heading">{heading}</p>' if heading else ""
    return f'<h1 class="V8SH_pagetitle">не отсюда</h1><p class="V8SH_title">{title}</p>{member}'


@pytest.mark.parametrize(
    ("path", "known"),
    [
        (PATH, True),
        ("8.3.27/SHLANG_RU.HBK/def_Bee.json", True),
        ("улей.hbk/а.html", False),
        ("json", False),
        ("а.json", False),
    ],
)
def test_a_page_is_json_in_the_folder_of_a_book(path: str, known: bool) -> None:
    assert is_hbk_page(path) is known


@pytest.mark.parametrize(
    ("title", "heading", "titles"),
    [
        ("Улей (Hive)", "", {"ru": "Улей", "en": "Hive"}),
        ("Улей (Hive)", "Заселить (Settle)", {"ru": "Улей.Заселить", "en": "Hive.Settle"}),
        ("Улей (Hive)", "По числу рамок", {"ru": "Улей.По числу рамок", "en": "Hive.По числу рамок"}),
        ("Расширение (зимнее)", "Взять (Take)", {"ru": "Расширение (зимнее).Взять", "en": "Take"}),
        ("Рой.&lt;Имя (роя)&gt; (Swarm.&lt;Name (it)&gt;)", "", {"ru": "Рой.<Имя (роя)>", "en": "Swarm.<Name (it)>"}),
        ("COMУлей", "Взять", {"ru": "COMУлей.Взять"}),
        ("(Hive)", "", {"ru": "(Hive)"}),
        ("Улей)", "", {"ru": "Улей)"}),
    ],
)
def test_titles_are_those_of_owner_and_member(title: str, heading: str, titles: dict[str, str]) -> None:
    document = read(named(title, heading) + SYNTAX)
    assert isinstance(document.content, PlatformPage)
    assert document.content.titles == titles
    assert document.fqn == titles["ru"]


def test_a_page_is_called_in_both_languages_and_belongs_to_its_book() -> None:
    document = read(named("Улей (Hive)", "Заселить (Settle)") + SYNTAX)
    assert (document.kind, document.path, document.section) == (DocumentKind.PLATFORM, PATH, "shcntx_ru")
    assert document.title == "Улей.Заселить (Hive.Settle)"


def test_an_english_book_has_english_titles_alone() -> None:
    document = read(named("Hive (old)", "Settle") + chapter("Syntax:", "Settle()"), language="en")
    assert (document.fqn, document.title) == ("Hive (old).Settle", "Hive (old).Settle")


def test_a_page_without_titles_has_those_of_the_table_of_contents_or_its_files_name() -> None:
    assert read(SYNTAX, titles={"ru": "Улей", "en": "Hive"}).title == "Улей (Hive)"
    assert read(SYNTAX, titles={"ru": ""}).title == "Settle5"


def test_a_page_of_a_group_is_nobodys() -> None:
    assert read(named("Улей") + SYNTAX, "shcntx_ru.hbk/objects/catalog7.html.json").fqn == ""


def test_parameters_belong_to_their_variant_of_syntax() -> None:
    rubric = '<div class="V8SH_rubric"> <p>&lt;{}&gt; ({})</div>Тип: Строка, <a>Число</a>; что угодно, ещё. <br>Мёд.'
    page = page_of(
        chapter("Вариант синтаксиса: По имени", "")
        + chapter("Синтаксис:", "Взять(&lt;Имя&gt;)")
        + chapter("Параметры:", rubric.format("Имя", "обязательный"))
        + chapter("Описание варианта метода:", "По имени.")
        + chapter("Вариант синтаксиса: Весь", "")
        + chapter("Синтаксис:", "Взять(&lt;Ещё&gt;)")
        + chapter("Параметры:", rubric.format("Ещё", "необязательный"))
    )
    by_name, whole = page.syntax
    assert (by_name.variant, by_name.text, by_name.description) == ("По имени", "Взять(<Имя>)", "По имени.")
    assert (whole.variant, whole.text, whole.description) == ("Весь", "Взять(<Ещё>)", "")
    (first,), (second,) = by_name.parameters, whole.parameters
    assert (first.name, first.required, second.name, second.required) == ("Имя", True, "Ещё", False)
    assert first.types == ("Строка", "Число", "что угодно, ещё")
    assert first.description == "Мёд."


def test_a_type_is_a_sentence_and_the_rest_of_its_line_a_description() -> None:
    page = page_of(SYNTAX + chapter("Возвращаемое значение:", "Тип: Ссылка.<Имя>. Улей или ничего.<br>Ещё."))
    assert (page.return_types, page.returns) == (("Ссылка.<Имя>",), "Улей или ничего.\nЕщё.")
    assert page_of(SYNTAX + chapter("Возвращаемое значение:", "Улей.")).returns == "Улей."


def test_the_type_of_a_property_is_in_its_description() -> None:
    page = page_of(chapter("Использование:", "Только чтение.") + chapter("Описание:", "Тип: Пчела. <br>Хозяйка."))
    assert (page.return_types, page.description, page.syntax) == (("Пчела",), "Хозяйка.", ())
    assert page.others == (("Использование", "Только чтение."),)


def test_availability_is_a_list_and_what_follows_it_a_note() -> None:
    page = page_of(chapter("Доступность: ", "<p>Сервер, приложение (сервер). <BR>Сериализуется.</p>") + SYNTAX)
    assert (page.availability, page.notes) == (("Сервер", "приложение (сервер)"), "Сериализуется.")


def test_versions_tell_since_when_and_until_when() -> None:
    lines = (
        "Доступен, начиная с версии 8.3.6 (с 8.3.5).",
        "Изменено в версии 8.3.20.",
        "Не рекомендуется с версии 8.3.26.",
    )
    page = page_of(
        chapter("Использование в версии:", "".join(f"<p class='V8SH_versionInfo'>{line}</p>" for line in lines))
    )
    assert (page.since, page.deprecated, page.versions) == ("8.3.6", lines[2], lines)
    assert page_of('<div class="__SINCE_SHOW_STYLE__"><p>Доступен с версии 8.1.</p></div>' + SYNTAX).since == "8.1"


def test_an_example_is_code_with_its_lines() -> None:
    code = "А&nbsp;=&nbsp;1;<BR>&nbsp;&nbsp;//&nbsp;мёд<BR><BR>&nbsp;&nbsp;Б();"
    table = f"<TABLE><TBODY><TR><TD><font face='Courier New'> {code}</font></font></TD></TR></TBODY></TABLE>"
    assert page_of(chapter("Пример:", table)).example == "А = 1;\n  // мёд\n  Б();"


def test_lists_of_members_links_and_what_to_see_are_kept() -> None:
    page = page_of(
        chapter("Методы:", '<a href="Hive/methods/Take.html">Взять (Take)</a><br><a>Дать (Give)</a><br>')
        + chapter("См. также:", '<a href="v8help://B/a.html">Улей</a>, метод <a href="v8help://B/b.html">Дать</a><br>')
    )
    assert page.members == (("Методы", ("Взять (Take)", "Дать (Give)")),)
    assert page.see_also == ("Улей, метод Дать",)
    assert page.links == ("v8help://B/a.html", "v8help://B/b.html")


def test_a_rubric_of_an_unknown_chapter_is_its_text() -> None:
    page = page_of(chapter("Параметры формы:", '<div class="V8SH_rubric"> <p>&lt;Имя&gt;</div>Тип: Строка.'))
    assert (page.syntax, page.others) == ((), (("Параметры формы", "<Имя>\nТип: Строка."),))
    assert page_of('<div class="V8SH_rubric">&lt;Имя&gt;</div>мёд' + SYNTAX).syntax[0].parameters[0].name == "Имя"


def test_english_chapters_are_read_like_russian_ones() -> None:
    page = page_of(
        chapter("Syntax variant: By name", "")
        + chapter("Syntax:", "Take()")
        + chapter("Returned value:", "Type: Arbitrary. ")
        + chapter("Description:", "Takes.")
        + chapter("Availability: ", "Server.")
        + chapter("Note:", "Bees.")
        + chapter("Available since:", "Available since version 8.3.5."),
        language="en",
    )
    assert page.syntax == (Syntax("Take()", "By name"),)
    assert (page.return_types, page.description, page.availability) == (("Arbitrary",), "Takes.", ("Server",))
    assert (page.notes, page.since, page.others) == ("Bees.", "8.3.5", ())


def test_an_article_is_prose_under_the_headings_of_the_book() -> None:
    document = read('<h1 class="V8SH_pagetitle">Рой (Swarm)</h1><p>Ищет.</p><h2><a name="x"></a>Поиск</h2><p>Улей.</p>')
    assert (document.fqn, document.title, document.kind) == ("", "Рой (Swarm)", DocumentKind.PLATFORM)
    assert isinstance(document.content, Prose)
    assert [section.headings for section in document.content.sections] == [("Раздел",), ("Раздел", "Поиск")]
    assert [block.first_line for section in document.content.sections for block in section.blocks] == [0, 0]


@pytest.mark.parametrize("html", ["", "<html><body></body></html>", '<h1 class="V8SH_pagetitle">Одно название</h1>'])
def test_a_page_that_says_nothing_is_none(html: str) -> None:
    assert read_hbk_page(PATH, envelope(html)) is None


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"{}", b"\xff", b"[" * 100_000, b'{"book": 1}', envelope("", titles=[])]
)
def test_what_is_no_page_is_an_error_with_its_path(data: bytes) -> None:
    with pytest.raises(PermanentError, match="not a page of the platform's help") as raised:
        read_hbk_page(PATH, data)
    assert raised.value.path == PATH


WORDS = (
    "<p/class='V8SH_chapter'> Синтаксис: Описание: Параметры: Доступность: Тип: <div/class='V8SH_rubric'> <h1>"
    " </p> </div> <p/class='V8SH_title'> <p/class='V8SH_heading'> (обязательный) <table> <tr><td> <font/face='Courier'>"
    " &nbsp; <br> < > ( ) . , (B) <li> 8.3 й"
)
SNIPPETS = st.sampled_from([*WORDS.split(), " ", "\n", "\0", "\ud800"])


@given(
    st.lists(SNIPPETS, max_size=30).map("".join),
    st.sampled_from(["ru", "en", ""]),
    st.dictionaries(st.text(), st.text()),
)
@settings(deadline=None)
def test_any_page_gives_a_document_or_nothing(html: str, language: str, titles: dict[str, str]) -> None:
    document = read_hbk_page(PATH, envelope(html, language=language, titles=titles, headings=[titles, "а", 1]))
    assert document is None or document.title


@given(
    st.binary()
    | st.recursive(st.none() | st.text(), lambda part: st.lists(part) | st.dictionaries(st.text(), part)).map(
        lambda value: json.dumps(value).encode()
    )
)
def test_any_bytes_give_a_document_or_a_permanent_error(data: bytes) -> None:
    try:
        document = read_hbk_page(PATH, data)
    except PermanentError:
        return
    assert document is None or document.title
