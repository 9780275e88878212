"""The binary files of `tests/data/formats/documentation`: run from the tests' folder, this module writes them anew.

python -m unit.formats.documentation_builder
"""

from pathlib import Path

from unit.formats.docx_builder import docx, link, paragraph, picture, run, style, table
from unit.formats.epub_builder import chapter, epub, nav
from unit.formats.pdf_builder import pdf

DATA = Path(__file__).parents[2] / "data" / "formats" / "documentation"


def documentation_files() -> dict[str, bytes]:
    """Path in the folder → bytes."""
    return {
        "Руководство/приёмка.docx": _word(),
        "Руководство/витрина.epub": _book(),
        "Руководство/отчёты.pdf": _printed(),
        "Руководство/скан.pdf": pdf([[], []]),
        "Журнал/заметки.txt": "\ufeffЗаметки кладовщика\r\n==================\r\n\r\nЁлки сданы.\r\n".encode(
            "utf-16-le"
        ),
    }


def _word() -> bytes:
    styles = style("a1", "Title") + style("1", "heading 1", level=0) + style("af", "Код") + style("10", "toc 1")
    body = (
        paragraph("Приёмка товаров", "a1")
        + paragraph("Накладная 2", "10")
        + paragraph("Накладная", "1")
        + paragraph(
            run("Кладовщик открывает ") + link("документ «Приёмка»", "site") + run(".") + run("тайно", "<w:vanish/>")
        )
        + paragraph("сверяет количество", bullet=True)
        + paragraph("ставит подпись", bullet=True)
        + table(("Реквизит", "Смысл"), ("Склад", "куда принят товар"))
        + paragraph("Если Не Принято Тогда", "af")
        + paragraph("    Сообщить(Номер);", "af")
        + paragraph(picture("Окно приёмки"))
    )
    return docx(body, styles=styles, links={"site": "https://example.org/приёмка"})


def _book() -> bytes:
    contents = (
        '<ol><li><span>Часть первая</span><ol><li><a href="one.xhtml">Витрина</a></li></ol></li>'
        '<li><a href="two.xhtml">Цены</a></li></ol>'
    )
    one = "<h1>Витрина</h1><p>Товары стоят на пол&#173;ках.</p><h2>Свет</h2><p>Лампы горят&#160;днём.</p>"
    two = '<p>Цена видна покупателю.</p><p><a href="one.xhtml#a">К витрине</a></p>'
    return epub("Книга витрин", {"nav.xhtml": nav(contents), "one.xhtml": chapter(one), "two.xhtml": chapter(two)})


def _printed() -> bytes:
    texts = [
        ["Отчёт строится по продажам за период, который выбран в фор-", "ме, и показывает выручку."],
        ["Отбор", "По складу и по кладовщику, у которого есть пра-", "во на отчёт; кто-", "то один."],
        ["Строки отчёта можно раскрыть до документа, а документ от-"],
        ["крыть двойным щелчком."],
    ]
    pages = [["Лавка. Отчёты", "Руководство", *lines, "редакция", str(page)] for page, lines in enumerate(texts, 1)]
    return pdf(pages, bookmarks=[("Продажи", 1), ("Отбор", 2)], link="https://example.org/reports")


if __name__ == "__main__":
    for name, content in documentation_files().items():
        (DATA / name).write_bytes(content)
