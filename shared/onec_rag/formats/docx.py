"""Documents of Word → pages: mammoth makes HTML of them, after all that it does not need is taken out.

mammoth keeps a whole document in Python objects, about 2 KB for an element of XML, and some of what it does with fields
grows with the square of their number; so only paragraphs, runs, tables, links and pictures are left for it.
Source: ECMA-376 part 1, 17.3 (paragraphs), 17.7 (styles), 17.16 (fields).
"""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from xml.parsers.expat import ExpatError
from zipfile import BadZipFile, ZipFile

import mammoth
from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.html import page_of, parse_html
from onec_rag.formats.package import Package
from onec_rag.formats.pages import page_document, without_lines
from onec_rag.formats.site_page import clean
from onec_rag.formats.xml import local_name
from onec_rag.model.document import Document, Prose

LARGEST_TEXT = 24 << 20
"""Bytes of XML in all parts that are read."""
MOST_ELEMENTS = 400_000
"""Elements that are left for mammoth: a document of some two thousand pages."""

_PARTS = ("styles", "numbering", "footnotes", "endnotes")
_NEEDLESS = (
    *("{*}rPr", "{*}tblPr", "{*}tblGrid", "{*}tblPrEx", "{*}tblStylePr", "{*}sectPr", "{*}sdtPr", "{*}sdtEndPr"),
    *("{*}proofErr", "{*}lastRenderedPageBreak", "{*}bookmarkStart", "{*}bookmarkEnd", "{*}del", "{*}moveFrom"),
    *("{*}commentRangeStart", "{*}commentRangeEnd", "{*}commentReference", "{*}fldChar", "{*}instrText", "{*}Choice"),
    *("{*}latentStyles", "{*}docDefaults", "{*}lvlText", "{*}lvlJc"),
)
_FIELD_LINK = re.compile(r'\s*+HYPERLINK\s++"([^"]++)"')
_HEADING_STYLE = re.compile(r"(?:heading|заголовок) ?([1-9])", re.IGNORECASE)
_TITLE_STYLE = re.compile(r"title|название|заголовок", re.IGNORECASE)
_CODE_STYLE = re.compile(
    r"html preformatted|стандартный html|(?:source |program )?code|(?:программный )?код|листинг", re.IGNORECASE
)
_CONTENTS_STYLE = re.compile(r"(?:toc|оглавление) .*", re.IGNORECASE)
_STYLE_MAP = "p.Code => pre:separator('\\n')\np.Contents => !"
_MALFORMED = (BadZipFile, ExpatError, OSError, LookupError, ValueError, TypeError, AttributeError)


def is_docx(path: str) -> bool:
    """Whether a path is named as a document of Word."""
    return path.lower().endswith(".docx")


def read_docx(path: str, data: bytes) -> Document | None:
    """The page at `path`, `None` for one without text.

    Headings are paragraphs of a style with an outline level, whatever it is called. Blocks have no lines. Raises
    `PermanentError` for what is no DOCX, is encrypted, malformed, or above a limit.
    """
    simplified, links = _simplify(Package(path, data, LARGEST_TEXT))
    try:
        html = mammoth.convert_to_html(
            simplified,
            style_map=_STYLE_MAP,
            include_embedded_style_map=False,
            convert_image=mammoth.images.img_element(lambda image: {}),
        ).value
    except _MALFORMED as error:
        raise PermanentError(f"malformed DOCX: {type(error).__name__} {error}".strip(), path) from None
    except RecursionError:
        raise PermanentError("the document's tables or frames are nested too deep", path) from None
    root = parse_html(html, path)
    if root is None:
        return None
    clean(root)
    page = page_of(root, path)
    if page is None:
        return None
    prose = Prose(page.prose.sections, tuple(dict.fromkeys((*page.prose.links, *links))))
    return page_document(path, without_lines(prose), page.heading)


def _simplify(package: Package) -> tuple[BytesIO, list[str]]:
    """The document with nothing but what becomes text, and the targets of its links that are fields."""
    main = _main_part(package)
    folder = main.rpartition("/")[0]
    styles = f"{folder}/styles.xml"
    roles = dict(_roles(package.xml(styles))) if styles in package else {}
    links: list[str] = []
    elements = 0
    simplified = BytesIO()
    with ZipFile(simplified, "w") as archive:
        for name in dict.fromkeys(_needed_parts(package, main, folder)):
            root = package.xml(name)
            links += (found[1] for text in root.iter("{*}instrText") if (found := _FIELD_LINK.match(text.text or "")))
            _prune(root, roles)
            elements += sum(1 for _ in root.iter())
            if elements > MOST_ELEMENTS:
                raise PermanentError(f"more than the {MOST_ELEMENTS} elements allowed in a document", package.path)
            archive.writestr(name, etree.tostring(root, encoding="utf-8"))
    simplified.seek(0)
    return simplified, links


def _main_part(package: Package) -> str:
    for relationship in package.xml("_rels/.rels"):
        if relationship.get("Type", "").endswith("/officeDocument"):
            return relationship.get("Target", "").lstrip("/")
    return "word/document.xml"


def _needed_parts(package: Package, main: str, folder: str) -> Iterator[str]:
    yield "_rels/.rels"
    for name in (main, *(f"{folder}/{part}.xml" for part in _PARTS)):
        relationships = "{0}/_rels/{2}.rels".format(*name.rpartition("/"))
        yield from (part for part in (name, relationships) if part == main or part in package)
    if "[Content_Types].xml" in package:
        yield "[Content_Types].xml"


def _roles(styles: etree._Element) -> Iterator[tuple[str, str]]:
    """Styles of paragraphs that mean something: id → `Heading1`…`Heading6`, `Code` or `Contents`."""
    facts: dict[str, tuple[str, str, str]] = {}  # name, the style it is based on, its own outline level
    for style in styles:
        if local_name(style) == "style":
            found = {local_name(item): _value(item) for item in style.iter("{*}name", "{*}basedOn", "{*}outlineLvl")}
            names = (found.get("name", ""), found.get("basedOn", ""), found.get("outlineLvl", ""))
            facts.setdefault(_attribute(style, "styleId"), names)
    for style_id, (name, _, _) in facts.items():
        level = _outline_level(style_id, facts)
        if _CODE_STYLE.fullmatch(name):
            yield style_id, "Code"
        elif _CONTENTS_STYLE.fullmatch(name):
            yield style_id, "Contents"
        elif (told := _HEADING_STYLE.fullmatch(name)) or _TITLE_STYLE.fullmatch(name):
            yield style_id, f"Heading{min(int(told[1]), 6) if told else 1}"
        elif level:
            yield style_id, level


def _outline_level(style_id: str, facts: Mapping[str, tuple[str, str, str]]) -> str:
    """The heading that a style's own or inherited outline level makes, or nothing."""
    for _ in range(10):  # Word allows eleven styles in a chain; a circle must end
        _, base, level = facts.get(style_id, ("", "", ""))
        if level:
            return _heading(level)
        style_id = base
    return ""


def _heading(outline_level: str) -> str:
    """Outline levels are numbered from 0; 9 is that of plain text."""
    return f"Heading{min(int(outline_level) + 1, 6)}" if outline_level in tuple("012345678") else ""


def _prune(root: etree._Element, roles: Mapping[str, str]) -> None:
    for hidden in list(root.iter("{*}vanish")):
        properties = hidden.getparent()
        run = None if properties is None else properties.getparent()
        if run is not None and local_name(run) == "r" and _value(hidden) not in ("0", "false"):
            run.clear()
    etree.strip_elements(root, *_NEEDLESS, with_tail=False)
    for paragraph in root.iter("{*}p", "{*}r"):
        paragraph.attrib.clear()
    for properties in root.iter("{*}pPr"):
        _simplify_paragraph(properties, roles)


def _simplify_paragraph(properties: etree._Element, roles: Mapping[str, str]) -> None:
    """Leave its style, under the name that mammoth knows where it means something, else its place in a list too."""
    role = ""
    for item in properties:
        match local_name(item):
            case "pStyle":
                role = role or roles.get(_value(item), "")
            case "outlineLvl":
                role = _heading(_value(item)) or role
    for item in list(properties):
        if role or local_name(item) not in ("pStyle", "numPr"):
            properties.remove(item)
    if role:
        namespace = etree.QName(properties).namespace
        namespace = f"{{{namespace}}}" if namespace else ""
        etree.SubElement(properties, f"{namespace}pStyle").set(f"{namespace}val", role)


def _value(element: etree._Element) -> str:
    return _attribute(element, "val")


def _attribute(element: etree._Element, name: str) -> str:
    """An attribute by its local name: its namespace differs between the two kinds of DOCX."""
    return next((str(value) for key, value in element.attrib.items() if str(key).rpartition("}")[2] == name), "")
