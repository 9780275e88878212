"""The one table of formats, by the kind of root they belong to."""

from collections.abc import Callable, Iterable

from onec_rag.formats.base import Format, Root, Wave
from onec_rag.formats.designer import roots
from onec_rag.formats.designer.help import read_help
from onec_rag.formats.designer.modules import read_module
from onec_rag.formats.designer.objects import read_object
from onec_rag.formats.designer.paths import Role, place_of
from onec_rag.formats.markdown import is_markdown, read_markdown


def _has(role: Role) -> Callable[[str], bool]:
    def recognises(path: str) -> bool:
        place = place_of(path)
        return place is not None and place.role is role

    return recognises


FORMATS: dict[str, tuple[Format, ...]] = {
    "configuration": (
        Format("object", Wave.DESCRIPTORS, _has(Role.OBJECT), read_object),
        Format("module", Wave.CONTENT, _has(Role.MODULE), read_module),
        Format("help", Wave.CONTENT, _has(Role.HELP), read_help),
    ),
    "documentation": (Format("markdown", Wave.CONTENT, is_markdown, read_markdown),),
}


def find_roots(paths: Iterable[str]) -> list[Root]:
    """Configurations and extensions, then documentation; empty where nothing is known.

    Pages of Markdown outside the configurations' folders are one documentation, whose prefix is empty; its key is
    `documentation` where it is not alone.
    """
    paths = list(paths)
    found = roots.find_roots(paths)
    prefixes = tuple(root.prefix for root in found)
    if any(is_markdown(path) and not path.startswith(prefixes) for path in paths):
        found.append(Root("", "documentation", "documentation" if found else ""))
    return found


def format_of(root_kind: str, path: str) -> Format | None:
    """The format that recognises a path inside a root of that kind; `None` for a file that nobody reads."""
    return next((row for row in FORMATS.get(root_kind, ()) if row.recognises(path)), None)
