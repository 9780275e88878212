"""XML that came from outside: parsed safely, read by local names since prefixes and versions of a dump differ."""

from collections.abc import Iterable
from typing import cast

from lxml import etree

from onec_rag.errors import PermanentError


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )


_PARSER = _parser(recover=False)


def parse_xml(data: bytes, path: str) -> etree._Element:
    """The root element, without comments and processing instructions.

    Raises `PermanentError` for XML that is not well-formed, too deep, or has a DOCTYPE (no dump has one, and entities
    are what attacks are made of).
    """
    try:
        root = etree.fromstring(data, _PARSER)
    except etree.XMLSyntaxError as error:
        root = _with_odd_namespaces(data) if getattr(error, "code", None) == etree.ErrorTypes.WAR_NS_URI else None
        if root is None:
            raise PermanentError(f"not well-formed XML: {error.msg}", path, f"line {error.lineno}") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise PermanentError("XML with a DOCTYPE is not read", path)
    return root


def _with_odd_namespaces(data: bytes) -> etree._Element | None:
    """The root of XML whose only fault are namespaces that are no URI: `http://localhost/Обмен` is usual in 1C."""
    parser = _parser(recover=True)
    root = cast("etree._Element | None", etree.fromstring(data, parser))
    return root if all(entry.domain_name == "NAMESPACE" for entry in parser.error_log) else None


def local_name(element: etree._Element) -> str:
    """The element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def by_name(elements: Iterable[etree._Element]) -> dict[str, etree._Element]:
    """Elements by local name; the first one of a name wins."""
    found: dict[str, etree._Element] = {}
    for element in elements:
        found.setdefault(local_name(element), element)
    return found


def text_of(element: etree._Element | None) -> str:
    """The element's own text without the white space around it; empty for no element."""
    return "" if element is None else (element.text or "").strip()
