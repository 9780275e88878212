"""Books in EPUB from chapters: the container, the package document, a table of contents of version 2 or 3."""

from collections.abc import Mapping

from unit.formats.docx_builder import packed

_OPF = (
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<dc:title>{title}</dc:title></metadata><manifest>{items}</manifest><spine>{references}</spine></package>"
)


def chapter(body: str, head: str = "<title/>") -> str:
    """A page of XHTML; its title is closed as XML closes it."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "xhtml11.dtd">'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}</head><body>{body}</body></html>'
    )


def nav(entries: str) -> str:
    """A table of contents of EPUB 3; `entries` is its list."""
    return chapter(f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><h1>Оглавление</h1>{entries}</nav>')


def ncx(points: str) -> str:
    """A table of contents of EPUB 2; `points` are its entries."""
    return (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "ncx-2005-1.dtd">'
        f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
    )


def point(title: str, target: str, inner: str = "") -> str:
    return f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{target}"/>{inner}</navPoint>'


def epub(title: str, chapters: Mapping[str, str], *, parts: Mapping[str, str] = {}) -> bytes:
    """A book; `chapters` are in reading order, but `nav.xhtml` and `toc.ncx` are tables of contents."""
    items = references = ""
    for number, name in enumerate(chapters):
        kind = "application/x-dtbncx+xml" if name == "toc.ncx" else "application/xhtml+xml"
        properties = ' properties="nav"' if name == "nav.xhtml" else ""
        items += f'<item id="i{number}" href="{name}" media-type="{kind}"{properties}/>'
        references += "" if name in ("nav.xhtml", "toc.ncx") else f'<itemref idref="i{number}"/>'
    named = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": _OPF.format(title=title, items=items, references=references),
        **{f"OEBPS/{name}": text for name, text in chapters.items()},
    }
    return packed(named | dict(parts))
