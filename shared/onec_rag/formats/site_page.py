"""Pages of a site that was saved or exported as HTML: what the page says, without what stands around it on every page.

Which element is the content and which are navigation follows HTML's sectioning elements and ARIA's landmark roles; the
words of classes are those of the generators in use (Sphinx, MkDocs, Docusaurus, mdBook, MediaWiki, Confluence).
"""

import re
from itertools import islice

from lxml import etree

from onec_rag.formats.html import decode_html, page_of, parse_html
from onec_rag.formats.pages import page_document
from onec_rag.model.document import Document

_CONTENT_TAGS = frozenset({"main", "article"})
_NEVER_TEXT = frozenset(
    {"nav", "footer", "button", "select", "textarea", "svg", "iframe", "object", "embed", "audio", "video", "dialog"}
)
_AROUND = frozenset({"header", "aside"})  # inside the content they hold its title and its notes
_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar", "tooltip"}
)
_CLASS = re.compile(
    r"cookie|consent|breadcrumb|pagination|(?<!has-)(?<!with-)(?<!no-)sidebar|navbar|table-?of-?contents|"
    r"skip-?(?:link|to|nav)|header-?link|hash-?link|sr-only|screen-?reader|visually-?hidden|copy-?b(?:tn|utton)|"
    r"edit-?(?:page|this|section)|line-numbers-(?:rows|wrapper)|(?<![a-z])(?:toc|nav|menu|pager)(?![a-z])|"
    r"(?<![\w-])(?:linenos?|lnt|gutter|share|social|advert|banner)(?![\w-])",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)", re.IGNORECASE)
_ANCHORS = frozenset({"¶", "#", "§", "↑", "^", "🔗"})  # the texts of links to the very place they stand at
_NOT_IN_ROWS = ("pre", "table", "h1", "h2", "h3", "h4", "h5", "h6")
_TABLE_PARTS = frozenset({"td", "th", "tr", "tbody", "thead", "table"})
_DROPPED = "dropped"


def is_html(path: str) -> bool:
    """Whether a path is named as a page of HTML."""
    return path.lower().endswith((".html", ".htm", ".xhtml"))


def read_site_page(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one without text. Raises `PermanentError` for what is nested beyond reason.

    The title is the heading that speaks for all of it, else `<title>`, else the file's name; the section is that of
    `<meta name="section">` or `article:section`, else the top folder.
    """
    root = parse_html(decode_html(data), path)
    if root is None:
        return None
    title = " ".join((root.findtext(".//title") or "").split())
    facts = {meta.get("name") or meta.get("property"): meta.get("content", "").strip() for meta in root.iter("meta")}
    clean(root)
    page = page_of(_content(root), path)
    if page is None:
        return None
    return page_document(
        path, page.prose, page.heading or title, facts.get("section") or facts.get("article:section") or ""
    )


def clean(root: etree._Element) -> None:
    """Take navigation, banners, hidden elements and numbers of code lines out of a parsed page."""
    kept = _ancestors_of_content(root)
    open_contents = 0
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if _is_content(element):
            open_contents += 1 if event == "start" else -1
        elif event == "start" and element not in kept and _is_around(element, inside=open_contents > 0):
            element.tag = _DROPPED
            walk.skip_subtree()
    etree.strip_elements(root, _DROPPED, with_tail=False)
    _unfold_layout_tables(root)


def _is_content(element: etree._Element) -> bool:
    return element.tag in _CONTENT_TAGS or element.get("role") == "main"


def _ancestors_of_content(root: etree._Element) -> set[etree._Element]:
    """These stay whatever they are called: `<body class="no-menu">`, `<header>` around the page's only title."""
    kept = {root}
    for element in root.iter():
        if _is_content(element) or element.tag == "h1":
            for ancestor in element.iterancestors():
                if ancestor in kept:
                    break
                kept.add(ancestor)
    return kept


def _is_around(element: etree._Element, *, inside: bool) -> bool:
    if element.tag in _NEVER_TEXT or (element.tag in _AROUND and not inside):
        return True
    if not element.attrib or element.tag in ("head", "body"):
        return False
    role = element.get("role", "")
    # Inside the content an `id` tells nothing: a chapter about cookies is called so.
    names = element.get("class", "") if inside else f"{element.get('class', '')} {element.get('id', '')}"
    return (
        role in _ROLES
        or (role != "tabpanel" and _is_hidden(element))
        or _CLASS.search(names) is not None
        or _is_anchor(element)
    )


def _is_anchor(element: etree._Element) -> bool:
    return (
        element.tag == "a"
        and element.get("href", "").startswith("#")
        and "".join(map(str, islice(element.itertext(), 4))).strip() in _ANCHORS
    )


def _is_hidden(element: etree._Element) -> bool:
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDDEN.search(element.get("style", "")) is not None
    )


def _content(root: etree._Element) -> etree._Element:
    """What holds the page's own text: the main part, in it the article where that is one and the most of it."""
    main = next((element for element in root.iter() if element.tag == "main" or element.get("role") == "main"), root)
    if not _length(main):
        main = root
    articles = list(main.iter("article"))
    if articles and _length(articles[0]) * 2 > _length(main):
        main = articles[0]
    main.tail = None
    return main


def _length(element: etree._Element) -> int:
    return sum(len(text.strip()) for text in element.itertext())


def _unfold_layout_tables(root: etree._Element) -> None:
    """A cell with code, a heading or a table in it lays out the page: it is no cell, and its lines must stay."""
    seen: set[etree._Element] = set()
    for element in root.iter(*_NOT_IN_ROWS):
        outer = element.getparent()
        while outer is not None and outer not in seen:
            seen.add(outer)
            if outer.tag in _TABLE_PARTS:
                outer.tag = "div"
            outer = outer.getparent()
