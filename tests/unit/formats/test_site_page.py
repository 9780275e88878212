import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.site_page import is_html, read_site_page
from onec_rag.model.document import Document, Prose


def read(text: str, path: str = "сайт/страница.html") -> Document:
    document = read_site_page(path, text.encode())
    assert document is not None
    return document


def words(text: str) -> list[str]:
    content = read(text).content
    assert isinstance(content, Prose)
    return [block.text for section in content.sections for block in section.blocks]


def test_pages_are_told_by_their_extension() -> None:
    assert [is_html(path) for path in ("а.html", "а/Б.HTM", "а.xhtml", "html", "а.htmlx")] == [True] * 3 + [False] * 2


@pytest.mark.parametrize(
    "around",
    [
        "<nav>нет</nav>",
        "<footer>нет</footer>",
        "<header>нет</header>",
        "<aside>нет</aside>",
        "<div role=navigation>нет</div>",
        "<div role=alertdialog>нет</div>",
        "<div id=cookie-bar>нет</div>",
        "<div class='b cookieConsent'>нет</div>",
        "<ol class=breadcrumbs><li>нет</ol>",
        "<div class='theme-doc-breadcrumbs'>нет</div>",
        "<div class=sphinxsidebar><h3>нет</h3></div>",
        "<div class='tableOfContents_bqdL'><ul><li>нет</ul></div>",
        "<ul class=toc><li>нет</ul>",
        "<div id=menu>нет</div>",
        "<a class=skip-link href='#a'>нет</a>",
        "<p hidden>нет</p>",
        "<p style='color: red; display : none'>нет</p>",
        "<p style='visibility:hidden'>нет</p>",
        "<span aria-hidden=true>нет</span>",
        "<button>нет</button><select><option>нет</select><textarea>нет</textarea>",
        "<iframe>нет</iframe><svg><text>нет</text></svg><script>нет</script><style>нет</style><noscript>нет</noscript>",
        "<a href='#место'>¶</a>",
        "<span class=sr-only>нет</span>",
    ],
)
def test_what_stands_around_the_text_is_left_out(around: str) -> None:
    assert words(f"<body>{around}<p>до</p>{around}<p>после</p>{around}") == ["до", "после"]


@pytest.mark.parametrize(
    "content",
    [
        "<main><p>текст</main>",
        "<div role=main><p>текст</div>",
        "<article><p>текст, которого больше всего</article>",
        "<main><article><p>текст, которого больше всего</article><p>мало</main>",
        "<main></main><div class=page><p>текст</div>",
    ],
)
def test_the_main_part_is_the_page(content: str) -> None:
    (text,) = words(f"<body><div class=sidebar><p>сбоку</div>{content}<footer>внизу</footer>")
    assert text.startswith("текст")


def test_an_article_that_is_not_the_most_of_a_page_is_a_part_of_it() -> None:
    assert words("<main><p>Большая страница с длинным текстом</p><article>Отзыв</article></main>") == [
        "Большая страница с длинным текстом",
        "Отзыв",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<body class='no-sidebar menu'><h1>З</h1><p>текст",
        "<form id=menu><main><p>текст</main></form>",
        "<div class=navbar><article><p>текст</article></div>",
        "<header class=banner><h1>З</h1><p>текст</p></header>",
        "<main><article><header><h2>З</h2></header><p>текст</article></main>",
        "<main><section id=cookies><p>текст</section></main>",
        "<main><aside class=note><p>текст</aside></main>",
        "<main><div role=tabpanel hidden><p>текст</div></main>",
        "<main><pre class='line-numbers'>текст</pre></main>",
        "<main><p><span class=menuselection>текст</span></main>",
    ],
)
def test_what_only_looks_like_navigation_stays(page: str) -> None:
    assert words(page) == ["текст"]


def test_code_keeps_its_lines_without_their_numbers() -> None:
    table = (
        "<table class=highlight><tr><td class=linenos><pre>1\n2</pre></td><td class=code><div><pre>Если А Тогда\n"
        "\tБ();</pre></div></td></tr></table>"
    )
    spans = "<pre><code><div class=line>Процедура А()</div><div class=line>&nbsp;&nbsp;Б();<br></div>Конец</code></pre>"
    assert words(f"<main>{table}{spans}</main>") == ["Если А Тогда\n\tБ();", "Процедура А()\n  Б();\nКонец"]


def test_a_table_that_lays_out_the_page_is_no_row_and_the_one_inside_is() -> None:
    page = "<table><tr><td><h2>З</h2><p>а<p>б</td><td><table><tr><th>в<th>г<tr><td>д<td>е</table></td></tr></table>"
    assert words(page) == ["а", "б", "в | г", "д | е"]


@pytest.mark.parametrize(
    ("head", "body", "path", "title", "section"),
    [
        ("<title>Т — Сайт</title>", "<h1>З<a href='#з'>#</a></h1>т", "а/б/в.html", "З", "а"),
        ("<title>Т\n т</title>", "т", "в.html", "Т т", ""),
        ("", "т", "а/глава 1.2.html", "глава 1.2", "а"),
        ("<meta name=section content=' Склад '>", "т", "а/в.html", "в", "Склад"),
        ("<meta property='article:section' content=Склад>", "т", "а/в.html", "в", "Склад"),
    ],
)
def test_title_and_section_come_from_the_page_else_from_its_path(
    head: str, body: str, path: str, title: str, section: str
) -> None:
    document = read(f"<head>{head}</head><body>{body}", path)
    assert (document.title, document.section) == (title, section)


def test_links_are_those_of_the_content() -> None:
    content = read(
        "<nav><a href=a>нет</a></nav><main>т <a href='б.html'>в</a> <a href='javascript:г'>д</a></main>"
    ).content
    assert isinstance(content, Prose)
    assert content.links == ("б.html",)


@pytest.mark.parametrize("text", ["", " ", "<nav>нет</nav>", "<div id=root></div><script>да</script>", "<frameset>"])
def test_a_page_without_text_is_none(text: str) -> None:
    assert read_site_page("а.html", text.encode()) is None


def test_a_page_nested_beyond_reason_is_an_error_with_its_path() -> None:
    with pytest.raises(PermanentError, match="depth") as raised:
        read_site_page("а/б.html", b"<div>" * 100_000)
    assert raised.value.path == "а/б.html"


@pytest.mark.parametrize(
    "part", ["<a href='#x'>т</a>", "<nav>т</nav>", "<p class=toc>т", "<article>т</article>", "<h1>т</h1>"]
)
def test_pages_of_very_many_elements_are_bounded_work(part: str) -> None:
    assert words(f"<p>первое</p>{part * 50_000}<p>последнее</p>")[-1] == "последнее"
