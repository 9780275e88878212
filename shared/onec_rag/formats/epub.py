"""Books in EPUB → pages: its chapters in reading order, under the titles of the table of contents.

Source: EPUB 3.3 (W3C), "Open Container Format", "Package document", "Navigation document"; NCX of EPUB 2.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from urllib.parse import unquote

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.html import add_to, decode_html, parse_html
from onec_rag.formats.package import Package
from onec_rag.formats.pages import MOST_BLOCKS, Outline, page_document, without_lines
from onec_rag.formats.site_page import clean
from onec_rag.formats.xml import text_of
from onec_rag.model.document import Document, Prose, Section

LARGEST_TEXT = 64 << 20
"""Bytes of all chapters and of what tells their order."""

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FONT_OBFUSCATION = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_CHAPTERS = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_CLOSED = re.compile(r"<(title|script|style|a|p|div|span|td|th|li|b|i|em|strong|h[1-6])\b((?:[^<>/]|/(?!>))*+)/>")


def is_epub(path: str) -> bool:
    """Whether a path is named as a book in EPUB."""
    return path.lower().endswith(".epub")


def read_epub(path: str, data: bytes) -> Document | None:
    """The book at `path` as one page, `None` for one without text; blocks have no lines.

    A section's path is that of its chapter in the table of contents, then its own headings. Raises `PermanentError` for
    what is no EPUB, is protected (DRM), malformed, or above a limit.
    """
    package = Package(path, data, LARGEST_TEXT)
    if _ENCRYPTION in package and _is_encrypted(package.xml(_ENCRYPTION)):
        raise PermanentError("the book is protected (DRM)", path)
    opf = _package_document(package)
    folder = posixpath.dirname(opf)
    root = package.xml(opf)
    manifest = {item.get("id", ""): item for item in root.iter("{*}item")}
    contents = _contents(package, folder, manifest)
    sections: list[Section] = []
    links: dict[str, None] = {}
    blocks = 0
    for chapter in dict.fromkeys(_spine(root, folder, manifest)):
        if chapter in package:
            prose = _chapter(package, chapter)
            blocks += sum(len(section.blocks) for section in prose.sections)
            if blocks > MOST_BLOCKS:
                raise PermanentError(f"more than the {MOST_BLOCKS} paragraphs allowed in a document", path)
            sections += _under(contents.get(chapter, ()), prose)
            links.update(dict.fromkeys(prose.links))
    title = next((text_of(item) for item in root.iter("{*}title")), "")
    return page_document(path, without_lines(Prose(tuple(sections), tuple(links))), title)


def _is_encrypted(root: etree._Element) -> bool:
    """Whether more than fonts are; fonts are obfuscated in books that anybody may read."""
    return any(method.get("Algorithm") not in _FONT_OBFUSCATION for method in root.iter("{*}EncryptionMethod"))


def _package_document(package: Package) -> str:
    name = next((item.get("full-path", "") for item in package.xml(_CONTAINER).iter("{*}rootfile")), "")
    return posixpath.normpath(name)


def _target(folder: str, reference: str) -> str:
    """The part that a reference inside a part of `folder` leads to, without its fragment."""
    return posixpath.normpath(posixpath.join(folder, unquote(reference.partition("#")[0])))


def _spine(root: etree._Element, folder: str, manifest: Mapping[str, etree._Element]) -> Iterator[str]:
    for reference in root.iter("{*}itemref"):
        item = manifest.get(reference.get("idref", ""))
        if item is not None and item.get("media-type", "") in _CHAPTERS:
            yield _target(folder, item.get("href", ""))


def _contents(package: Package, folder: str, manifest: Mapping[str, etree._Element]) -> dict[str, tuple[str, ...]]:
    """The path of titles of each chapter; where all its entries lead to places inside it, only what is above them."""
    part, entries = _table_of_contents(package, folder, manifest)
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for reference, titles in entries:
        found.setdefault(_target(posixpath.dirname(part), reference), []).append((reference, titles))
    return {
        chapter: titles[:-1] if others and "#" in reference else titles
        for chapter, [(reference, titles), *others] in found.items()
    }


def _table_of_contents(
    package: Package, folder: str, manifest: Mapping[str, etree._Element]
) -> tuple[str, Iterator[tuple[str, tuple[str, ...]]]]:
    """The part that holds it and its entries: reference, titles from the outermost; of EPUB 3 before that of EPUB 2."""
    parts = [(_target(folder, item.get("href", "")), item) for item in manifest.values()]
    for part, item in parts:
        if part in package and "nav" in item.get("properties", "").split():
            return part, _entries_of_nav(_parse(package, part))
    for part, item in parts:
        if part in package and item.get("media-type") == "application/x-dtbncx+xml":
            return part, _entries_of_ncx(package.xml(part))
    return "", iter(())


def _entries_of_ncx(root: etree._Element) -> Iterator[tuple[str, tuple[str, ...]]]:
    titles: list[str] = []
    for event, point in etree.iterwalk(root, events=("start", "end"), tag="{*}navPoint"):
        if event == "end":
            titles.pop()
            continue
        titles.append(" ".join(text_of(point.find("{*}navLabel/{*}text")).split()))
        target = point.find("{*}content")
        if target is not None:
            yield target.get("src", ""), tuple(filter(None, titles))


def _entries_of_nav(root: etree._Element | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Of `<nav epub:type="toc">`: a link or a span in a list item, whose inner list is below it."""
    navs = [] if root is None else list(root.iter("nav"))
    nav = next((nav for nav in navs if "toc" in nav.get("epub:type", "").split()), next(iter(navs), None))
    titles: list[str] = []
    for event, item in () if nav is None else etree.iterwalk(nav, events=("start", "end"), tag="li"):
        if event == "end":
            titles.pop()
            continue
        label = next((child for child in item if child.tag in ("a", "span")), None)
        texts = () if label is None else islice(map(str, label.itertext()), 50)
        titles.append(" ".join("".join(texts).split()))
        if label is not None and label.get("href"):
            yield label.get("href", ""), tuple(filter(None, titles[:6]))


def _parse(package: Package, part: str) -> etree._Element | None:
    # XHTML closes what HTML does not: `<title/>` would swallow the whole page.
    return parse_html(_CLOSED.sub(r"<\1\2></\1>", decode_html(package.read(part))), package.path)


def _chapter(package: Package, part: str) -> Prose:
    outline = Outline(package.path)
    root = _parse(package, part)
    if root is not None:
        clean(root)
        add_to(outline, root)
    return outline.prose()


def _under(titles: tuple[str, ...], prose: Prose) -> Iterator[Section]:
    """The sections of a chapter under its titles; a heading that repeats the last title is said once."""
    for section in prose.sections:
        own = section.headings[1:] if titles and section.headings[:1] == titles[-1:] else section.headings
        yield Section(titles + own, section.blocks)
