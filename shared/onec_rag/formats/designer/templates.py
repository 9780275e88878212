"""A template (макет) of any type that holds words: `Template.xml`, `.txt`, an HTML page; in EDT `.mxlx`, `.dcs` too.

Template.xml is told by its root: a report's schema, a spreadsheet (`http://v8.1c.ru/8.2/data/spreadsheet`, where cells
have texts `tl` or `parameter`), or nothing to search for: appearance, graphical and geographical schemas, and the list
of pages that an HTML template has beside them.
"""

import re
from collections.abc import Iterable

from lxml import etree

from onec_rag.formats.designer.schemas import schema_of
from onec_rag.formats.encoding import decode_text
from onec_rag.formats.html import read_html
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.report import ReportSchema
from onec_rag.model.template import Template

LONGEST = 20_000
"""Characters of texts that are kept: exchange rules and classifiers come as templates of megabytes."""

_PARAMETER = re.compile(r"\[([^\W\d]\w*+)\]")  # inside a text: `Итого [Сумма] руб.`
_WORD = re.compile(r"[^\W\d_]{2}")
_ENCODED = re.compile(r"\S{200}")  # a picture or a program, not a word


def read_template(place: Place, path: str, data: bytes) -> Document | None:
    """The template at `path` inside a root, a report's schema as a `REPORT`; `None` for one without words."""
    content = _content(path, data)
    if content in (Template(), ReportSchema()):
        return None
    kind = DocumentKind.REPORT if isinstance(content, ReportSchema) else DocumentKind.TEMPLATE
    return Document(path, kind, place.fqn, place.fqn.rpartition(".")[2], content)


def _content(path: str, data: bytes) -> Template | ReportSchema:
    if path.endswith(".html"):
        page = read_html(data, path)
        sections = page.prose.sections if page else ()
        return Template(_bounded(block.text for section in sections for block in section.blocks))
    if path.endswith(".txt"):
        return Template(_bounded(decode_text(data, path).splitlines()))
    if not data.strip():
        return Template()
    root = parse_xml(data, path)
    match local_name(root):
        case "DataCompositionSchema":
            return schema_of(root)
        case "document":
            return _spreadsheet(root)
    return Template()


def _spreadsheet(root: etree._Element) -> Template:
    texts: dict[str, None] = {}
    parameters: dict[str, None] = {}
    areas: dict[str, None] = {}
    for element in root.iter("{*}tl", "{*}text", "{*}parameter", "{*}detailParameter", "{*}namedItem"):
        match local_name(element):
            case "tl" | "text":
                for content in element.iter("{*}content"):
                    text = text_of(content)
                    texts[text] = None
                    parameters.update((name, None) for name in _PARAMETER.findall(text))
            case "namedItem":
                areas[text_of(by_name(element).get("name"))] = None
            case _:
                parameters[text_of(element)] = None
    return Template(_bounded(texts), tuple(filter(None, parameters)), tuple(filter(None, areas)))


def _bounded(texts: Iterable[str]) -> tuple[str, ...]:
    """Distinct texts that have words, as many as `LONGEST` characters hold."""
    kept: dict[str, None] = {}
    room = LONGEST
    for text in texts:
        line = " ".join(text.split())[:room]
        if line not in kept and _WORD.search(line) and not _ENCODED.search(line):
            kept[line] = None
            room -= len(line)
        if room <= 0:
            break
    return tuple(kept)
