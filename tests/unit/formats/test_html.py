import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.html import MOST_TAGS, decode_html, read_html


def blocks(text: str) -> list[tuple[tuple[str, ...], str]]:
    page = read_html(text.encode())
    assert page is not None
    return [(section.headings, block.text) for section in page.prose.sections for block in section.blocks]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("\ufeffёж".encode(), "ёж"),
        ("ёж".encode(), "ёж"),
        ("ёж".encode("cp1251"), "ёж"),
        ('<meta charset="koi8-r">ёж'.encode("koi8-r"), '<meta charset="koi8-r">ёж'),
        ('<meta charset="utf-8">ёж'.encode("cp1251"), '<meta charset="utf-8">ёж'),
        ('<meta charset="нет-такой">ёж'.encode(), '<meta charset="нет-такой">ёж'),
        ('<meta charset="no-such">ёж'.encode(), '<meta charset="no-such">ёж'),
        ('\ufeff<meta charset="windows-1251">ёж'.encode(), '<meta charset="windows-1251">ёж'),
        ('<?xml version="1.0" encoding="cp1251"?>ёж'.encode("cp1251"), '<?xml version="1.0" encoding="cp1251"?>ёж'),
        ("ёж".encode("utf-16"), "ёж"),
        ("\ufeffёж".encode("utf-16-be"), "ёж"),
        (b"\xff\xfe\xe5", "яюе"),
    ],
)
def test_the_encoding_is_found_by_mark_then_by_word_then_by_trial(data: bytes, text: str) -> None:
    assert decode_html(data) == text


def test_heading_paths_follow_the_levels() -> None:
    text = "<p>0<h2>А</h2><p>1<h4>Б</h4><p>2<h3>В</h3><p>3<h2>Г</h2><p>4"
    assert blocks(text) == [((), "0"), (("А",), "1"), (("А", "Б"), "2"), (("А", "В"), "3"), (("Г",), "4")]


def test_soup_gives_its_words_in_order_and_nothing_else() -> None:
    text = (
        "вне<p>один <b>жир<i>ный</b></i>&nbsp;&lt;А&gt;<!-- нет --><script>нет()</script><style>нет</style>"
        "<ul><li>два<ul><li>три</ul>хвост<li><p>четыре</ul><pre>  код\n    ещё</pre><dl><dt>пять<dd>шесть</dl>"
    )
    words = ["вне", "один жирный <А>", "два", "три", "хвост", "четыре", "  код\n    ещё", "пять", "шесть"]
    assert [block for _, block in blocks(text)] == words


def test_a_row_is_one_block_whatever_its_cells_hold() -> None:
    text = "<table><tr><td><p>а<p>б</td><td><ul><li>в<li>г</ul></td><td></td><td><h1>д<br>е</h1></td></tr></table>"
    assert blocks(text) == [((), "а б | в г | | д е")]


def test_links_are_kept_as_written_without_those_into_the_page() -> None:
    page = read_html("<a href='Catalog.Валюты/Help'>1</a><a href='#x'>2</a><a href='v8help://A/ё'>3</a>".encode())
    assert page is not None
    assert page.prose.links == ("Catalog.Валюты/Help", "v8help://A/ё")


@pytest.mark.parametrize(
    ("text", "heading", "title"),
    [
        ("<title>Т\n т</title><h3>З</h3>текст", "З", "Т т"),
        ("текст<h3>З</h3>текст", "", ""),
        ("текст<h1>З</h1>текст", "З", ""),
        ("<h2> </h2><h2>З</h2>текст", "З", ""),
    ],
)
def test_a_heading_speaks_for_the_page_when_it_opens_it_or_is_of_the_first_level(
    text: str, heading: str, title: str
) -> None:
    page = read_html(text.encode())
    assert page is not None
    assert (page.heading, page.title) == (heading, title)


@pytest.mark.parametrize("text", ["", "  \n", "<p>&nbsp;</p>", "<!-- а -->", "<h1>одно</h1>", "\0"])
def test_a_page_without_text_is_none(text: str) -> None:
    assert read_html(text.encode()) is None


def test_lines_are_those_of_the_source() -> None:
    page = read_html("<p>а\n<p>б\n\n<ul>\n<li>в".encode())
    assert page is not None
    assert [block.first_line for block in page.prose.sections[0].blocks] == [1, 2, 5]


def test_a_word_is_found_whatever_invisible_signs_are_in_it() -> None:
    assert blocks("<h1>З\u200b</h1>то&shy;ва\u00adры\ufeff") == [(("З",), "товары")]


def test_code_is_one_block_whatever_its_lines_are_made_of() -> None:
    text = "<pre>а<br>  б\n<div>в</div><div>г</div><p>д</pre>е<pre>&nbsp;ж</pre>"
    assert [block for _, block in blocks(text)] == ["а\n  б\nв\nг\nд", "е", " ж"]


def test_a_page_of_megabytes_is_read_whole() -> None:
    (_, text), (_, tail) = blocks("<p>" + "слово " * 2_000_000 + "<p>хвост")
    assert (len(text), tail) == (11_999_999, "хвост")


@pytest.mark.parametrize("text", ["<div>" * 100_000, "<table><tr><td>" * 30_000])
def test_what_is_nested_beyond_reason_is_an_error_and_never_an_empty_page(text: str) -> None:
    with pytest.raises(PermanentError, match="depth") as raised:
        read_html(text.encode(), "а.html")
    assert (raised.value.path, raised.value.place) == ("а.html", "line 1")


def test_the_tags_of_a_page_are_bounded() -> None:
    with pytest.raises(PermanentError, match="1000000 tags"):
        read_html(b"<b>" * (MOST_TAGS + 1), "а.html")
