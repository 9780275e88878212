"""The one table of formats, by the kind of root they belong to."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from onec_rag.formats import roots
from onec_rag.formats.base import Format, Peek, Root, RootKind, Wave
from onec_rag.formats.designer.external import external_place_of
from onec_rag.formats.designer.flat import flat_place_of
from onec_rag.formats.designer.objects import read_object
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.help import read_help
from onec_rag.formats.markdown import is_markdown, read_markdown
from onec_rag.formats.modules import read_module
from onec_rag.formats.place import DESCRIPTORS, PlaceOf, Reader, Role
from onec_rag.model.document import Document

_DESIGNER: Mapping[Role, Reader] = {
    Role.OBJECT: read_object,
    Role.MODULE: read_module,
    Role.HELP: read_help,
}


def _dump(place_of: PlaceOf, readers: Mapping[Role, Reader]) -> tuple[Format, ...]:
    """The rows of a layout: it tells what a file is, the readers are those of its role."""
    place_of = lru_cache(maxsize=256)(place_of)  # every row asks about the same path

    def recognises(role: Role) -> Callable[[str], bool]:
        return lambda path: (place := place_of(path)) is not None and place.role is role

    def read(reader: Reader) -> Callable[[str, bytes], Document | None]:
        return lambda path, data: reader(place, path, data) if (place := place_of(path)) is not None else None

    return tuple(
        Format(role, Wave.DESCRIPTORS if role in DESCRIPTORS else Wave.CONTENT, recognises(role), read(reader))
        for role, reader in readers.items()
    )


FORMATS: Mapping[str, tuple[Format, ...]] = {
    RootKind.CONFIGURATION: _dump(place_of, _DESIGNER),
    RootKind.PLAIN: _dump(flat_place_of, _DESIGNER),
    RootKind.EXTERNAL_PROCESSOR: _dump(external_place_of("ExternalDataProcessor"), _DESIGNER),
    RootKind.EXTERNAL_REPORT: _dump(external_place_of("ExternalReport"), _DESIGNER),
    RootKind.DOCUMENTATION: (Format("markdown", Wave.CONTENT, is_markdown, read_markdown),),
}


def find_roots(paths: Iterable[str], peek: Peek) -> list[Root]:
    """What begins where in an upload, empty where nothing is known; see `roots.find_roots`."""
    return roots.find_roots(paths, peek, lambda path: format_of(RootKind.DOCUMENTATION, path) is not None)


def format_of(root_kind: str, path: str) -> Format | None:
    """The format that recognises a path inside a root of that kind; `None` for a file that nobody reads."""
    return next((row for row in FORMATS.get(root_kind, ()) if row.recognises(path)), None)
