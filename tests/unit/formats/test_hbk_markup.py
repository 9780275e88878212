import pytest

from onec_rag.formats.hbk_markup import Mark, article_html, parse_page, read_code, read_parts


def parts_of(html: str) -> list[tuple[Mark | None, str, str]]:
    root = parse_page(html)
    assert root is not None
    return [(part.mark, part.label, part.text) for part in read_parts(root)[0]][1:]


def test_a_part_is_a_marked_element_with_the_text_behind_it() -> None:
    html = '<p class="V8SH_chapter">Синтаксис:</p>Взять()<p class="V8SH_chapter">Описание: </p><p>Берёт.<br>Мёд</p>'
    assert parts_of(html) == [(Mark.CHAPTER, "Синтаксис:", "Взять()"), (Mark.CHAPTER, "Описание:", "Берёт.\nМёд")]


def test_open_paragraphs_and_stray_ends_do_no_harm() -> None:
    html = '<div class="V8SH_rubric"> <p>&lt;Имя&gt; (обязательный)</div>Тип: <a>Строка</a>. </font><br>Имя.'
    assert parts_of(html) == [(Mark.RUBRIC, "<Имя> (обязательный)", "Тип: Строка.\nИмя.")]


@pytest.mark.parametrize("name", ["Имя справочника", "Value1", "Code", "Table", "Style", "A1", "имя", "object"])
def test_names_in_bare_brackets_are_text(name: str) -> None:
    html = f'<p class="V8SH_chapter">Тип</p><a href="b">Ссылка.<{name}></a>, <b>Число</b>'
    assert parts_of(html) == [(Mark.CHAPTER, "Тип", f"Ссылка.<{name}>, Число")]


def test_lists_and_tables_are_lines() -> None:
    html = "<h1>Улей</h1><ul><li>мёд</li><li>воск</li></ul><TABLE><TR><TD>а</TD><TD>б</TD></TR></TABLE>"
    assert parts_of(html) == [(Mark.PAGE_TITLE, "Улей", "- мёд\n\n- воск\n\nа | б")]


def test_code_keeps_its_indents_and_text_does_not() -> None:
    html = (
        '<h1>Улей</h1>&nbsp;&nbsp;а&nbsp;&nbsp;б<font face="Courier New"><BR>Если&nbsp;да<BR>&nbsp;&nbsp;Иначе</font>'
    )
    assert parts_of(html) == [(Mark.PAGE_TITLE, "Улей", "а б\nЕсли да\n  Иначе")]


def test_the_empty_line_behind_a_comment_is_taken_away() -> None:
    assert read_code("// а\n\n// б\n\nВ();\n\nГ();") == "// а\n// б\nВ();\n\nГ();"


def test_a_replacement_is_called_with_its_owner() -> None:
    html = '<div class="__DEPRECATED_SHOW_STYLE__">Вместо: <a href="v8help://B/objects/Scales/methods/Weigh8.html">Взять</a></div>'
    assert parts_of(html) == [(Mark.DEPRECATED, "Вместо: Взять (Scales)", "")]


def test_an_article_has_no_titles_and_its_code_is_preformatted() -> None:
    root = parse_page(
        '<h1 class="V8SH_pagetitle">Рой</h1><div class="V8SH_title">рой</div><p>текст</p>'
        '<table><tr><td><font face="Courier New">А<BR>&nbsp;Б</font></td></tr></table><p>конец</p>'
    )
    assert root is not None
    html = article_html(root).decode("utf-8-sig")
    assert "Рой" not in html
    assert "рой" not in html
    assert "<pre>А\n Б</pre><p>конец</p>" in html


@pytest.mark.parametrize("html", ["", " ", "<html><head></head>", "\0"])
def test_a_page_without_a_body_has_no_parts(html: str) -> None:
    root = parse_page(html)
    assert root is None or not any(part.label or part.text for part in read_parts(root)[0])


@pytest.mark.parametrize(
    "html", ["<div>" * 100_000 + "а", "<table><tr><td>" * 30_000, "<" * 100_000, "<p class=V8SH_chapter>" * 20_000]
)
def test_depth_and_length_are_bounded(html: str) -> None:
    root = parse_page(html)
    if root is not None:
        read_parts(root)
        article_html(root)


@pytest.mark.parametrize("sign", ["\0", "\x01", "\x0b", "\ufffe"])
def test_characters_that_no_tree_can_hold_are_spaces(sign: str) -> None:
    root = parse_page(f'<h1 class="V8SH_pagetitle">А</h1>{sign}текст')
    assert root is not None
    assert " ".join("".join(root.itertext()).split()) == "А текст"
