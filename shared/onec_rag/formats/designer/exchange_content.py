"""What an exchange plan exchanges (`Ext/Content.xml`) → links of the plan."""

from onec_rag.formats.designer.links import target_of
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document
from onec_rag.model.metadata import Link


def read_exchange_content(place: Place, path: str, data: bytes) -> Document | None:
    """The plan's content at `path` inside a root, `None` where it is empty; objects that vanished are left out.

    An object whose changes are registered by themselves has a second link, `авторегистрация`.
    """
    root = parse_xml(data, path)
    if local_name(root) != "ExchangePlanContent":
        return None
    links: dict[Link, None] = {}
    for item in root:
        parts = by_name(item)
        if target := target_of(text_of(parts.get("Metadata"))):
            links[Link("состав", target)] = None
            if text_of(parts.get("AutoRecord")) == "Allow":
                links[Link("авторегистрация", target)] = None
    return part_of(place, path, links=list(links))
