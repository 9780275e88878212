"""The one table of formats, by the kind of root they belong to."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from onec_rag.errors import PermanentError
from onec_rag.formats import roots
from onec_rag.formats.base import Format, Peek, Root, RootKind, Wave
from onec_rag.formats.designer.children import read_child
from onec_rag.formats.designer.command_interface import read_command_interface
from onec_rag.formats.designer.exchange_content import read_exchange_content
from onec_rag.formats.designer.external import external_place_of
from onec_rag.formats.designer.flat import flat_place_of
from onec_rag.formats.designer.flowchart import read_flowchart
from onec_rag.formats.designer.forms import read_form
from onec_rag.formats.designer.objects import read_object
from onec_rag.formats.designer.package import read_package
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.predefined import read_predefined
from onec_rag.formats.designer.rights import read_rights
from onec_rag.formats.designer.schedule import read_schedule
from onec_rag.formats.designer.templates import read_template
from onec_rag.formats.docx import is_docx, read_docx
from onec_rag.formats.edt.command_interface import read_project_command_interface
from onec_rag.formats.edt.forms import read_project_form
from onec_rag.formats.edt.objects import read_project_object
from onec_rag.formats.edt.paths import edt_place_of
from onec_rag.formats.edt.schedule import read_project_schedule
from onec_rag.formats.epub import is_epub, read_epub
from onec_rag.formats.hbk_pages import is_hbk_page, read_hbk_page
from onec_rag.formats.help import read_help
from onec_rag.formats.markdown import is_markdown, read_markdown
from onec_rag.formats.modules import read_module
from onec_rag.formats.ordinary_form import read_ordinary_form
from onec_rag.formats.pdf import is_pdf, read_pdf
from onec_rag.formats.place import DESCRIPTORS, PlaceOf, Reader, Role
from onec_rag.formats.plain_text import is_text, read_text
from onec_rag.formats.site_page import is_html, read_site_page
from onec_rag.model.document import Document

_DESIGNER: Mapping[Role, Reader] = {
    Role.OBJECT: read_object,
    Role.CHILD: read_child,
    Role.PREDEFINED: read_predefined,
    Role.EXCHANGE_CONTENT: read_exchange_content,
    Role.SCHEDULE: read_schedule,
    Role.PACKAGE: read_package,
    Role.FLOWCHART: read_flowchart,
    Role.COMMAND_INTERFACE: read_command_interface,
    Role.MODULE: read_module,
    Role.FORM: read_form,
    Role.ORDINARY_FORM: read_ordinary_form,
    Role.RIGHTS: read_rights,
    Role.TEMPLATE: read_template,
    Role.HELP: read_help,
}

_PROJECT: Mapping[Role, Reader] = {
    **{role: read for role, read in _DESIGNER.items() if role not in (Role.PREDEFINED, Role.EXCHANGE_CONTENT)},
    Role.OBJECT: read_project_object,
    Role.CHILD: read_project_object,
    Role.FORM: read_project_form,
    Role.SCHEDULE: read_project_schedule,
    Role.COMMAND_INTERFACE: read_project_command_interface,
}
"""A project keeps predefined items and the content of exchange plans inside the object's own file."""

_EXTERNAL: Mapping[Role, Reader] = {
    role: _DESIGNER[role]
    for role in (Role.OBJECT, Role.CHILD, Role.MODULE, Role.FORM, Role.ORDINARY_FORM, Role.TEMPLATE, Role.HELP)
}
"""What an external data processor or report has of all this."""

_POINTER = b"version https://git-lfs.github.com/spec/"


def _row(
    name: str, wave: Wave, recognises: Callable[[str], bool], read: Callable[[str, bytes], Document | None]
) -> Format:
    """A format whose files may be pointers of Git LFS, which hold a hash in place of the content."""

    def read_content(path: str, data: bytes) -> Document | None:
        if data.startswith(_POINTER):
            raise PermanentError("a pointer of Git LFS, not the file itself: run `git lfs pull` before packing", path)
        return read(path, data)

    return Format(name, wave, recognises, read_content)


def _dump(place_of: PlaceOf, readers: Mapping[Role, Reader]) -> tuple[Format, ...]:
    """The rows of a layout: it tells what a file is, the readers are those of its role."""
    place_of = lru_cache(maxsize=256)(place_of)  # every row asks about the same path

    def recognises(role: Role) -> Callable[[str], bool]:
        return lambda path: (place := place_of(path)) is not None and place.role is role

    def read(reader: Reader) -> Callable[[str, bytes], Document | None]:
        return lambda path, data: reader(place, path, data) if (place := place_of(path)) is not None else None

    return tuple(
        _row(role, Wave.DESCRIPTORS if role in DESCRIPTORS else Wave.CONTENT, recognises(role), read(reader))
        for role, reader in readers.items()
    )


FORMATS: Mapping[str, tuple[Format, ...]] = {
    RootKind.CONFIGURATION: _dump(place_of, _DESIGNER),
    RootKind.PLAIN: _dump(flat_place_of, _DESIGNER),
    RootKind.EDT: _dump(edt_place_of, _PROJECT),
    RootKind.EXTERNAL_PROCESSOR: _dump(external_place_of("ExternalDataProcessor"), _EXTERNAL),
    RootKind.EXTERNAL_REPORT: _dump(external_place_of("ExternalReport"), _EXTERNAL),
    RootKind.PLATFORM_HELP: (_row("platform", Wave.CONTENT, is_hbk_page, read_hbk_page),),
    RootKind.DOCUMENTATION: (
        _row("markdown", Wave.CONTENT, is_markdown, read_markdown),
        _row("html", Wave.CONTENT, is_html, read_site_page),
        _row("docx", Wave.CONTENT, is_docx, read_docx),
        _row("pdf", Wave.CONTENT, is_pdf, read_pdf),
        _row("epub", Wave.CONTENT, is_epub, read_epub),
        _row("text", Wave.CONTENT, is_text, read_text),
    ),
}


def find_roots(paths: Iterable[str], peek: Peek) -> list[Root]:
    """What begins where in an upload, empty where nothing is known; see `roots.find_roots`."""
    return roots.find_roots(paths, peek, lambda path: format_of(RootKind.DOCUMENTATION, path) is not None)


def format_of(root_kind: str, path: str) -> Format | None:
    """The format that recognises a path inside a root of that kind; `None` for a file that nobody reads."""
    return next((row for row in FORMATS.get(root_kind, ()) if row.recognises(path)), None)
