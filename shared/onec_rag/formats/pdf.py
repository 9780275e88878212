"""PDF → pages of documentation: the text of its printed pages under the titles of its bookmarks.

A block's lines are page numbers. pypdf has bounds of its own for streams, nesting and circles; here they are set lower,
and pages and time are bounded too.
"""

import logging
import re
import struct
import time
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from pypdf import Configuration, PageObject, PasswordType, PdfReader, apply_configuration
from pypdf.errors import DependencyError, PyPdfError

from onec_rag.errors import PermanentError
from onec_rag.formats.pages import Outline, page_document
from onec_rag.formats.printed_lines import Line, clean_text, compounds_in, paragraphs, printed_lines, usual_width
from onec_rag.model.document import Block, Document

MOST_PAGES = 5_000
MOST_SECONDS = 200.0
"""For all pages of one file; a usual page takes 20 ms, but what draws text may be made to take for ever."""

_BOUNDS = Configuration(
    zlib_maximum_output_length=32 << 20,
    lzw_maximum_output_length=32 << 20,
    run_length_maximum_output_length=32 << 20,
    array_based_stream_maximum_output_length=32 << 20,
    stream_parsing_work_maximum_count=500_000,
    xform_maximum_invocations_per_extraction=500,
    jbig2dec_binary=None,
    disable_legacy_handling=True,
)
_NUMBER = re.compile(
    r"(?:глава|раздел|часть|приложение|chapter|section|part|appendix)?+(?:\d++|[ivxlc]++|[а-яa-z])?+(?:[.:)-]++\d*+)*+"
)
# What pypdf's readers of damaged structures let through, besides its own errors.
_MALFORMED = (
    PyPdfError,
    DependencyError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells every oddity of a file, and there are many


class _Bookmark(NamedTuple):
    level: int
    title: str
    page: int


def is_pdf(path: str) -> bool:
    """Whether a path is named as a PDF."""
    return path.lower().endswith(".pdf")


def read_pdf(path: str, data: bytes, seconds: float = MOST_SECONDS) -> Document | None:
    """The document at `path`; it is called by its file's name, since what PDFs say of their titles is mostly not true.

    Pages that can't be read are left out. Raises `PermanentError` for what is no PDF, is encrypted, has no text on any
    page, is above a limit, or takes longer than the seconds allowed.
    """
    with apply_configuration(_BOUNDS):
        reader = _open(path, data)
        texts, links = _read_pages(path, reader, seconds)
        bookmarks = _bookmarks(reader)
    outline = Outline(path)
    for link in links:
        outline.link(link)
    lines = printed_lines(texts)
    width, compounds = usual_width(lines), compounds_in(lines)
    for bookmark, part in _parts(lines, bookmarks):
        if bookmark:
            outline.open(bookmark.level, bookmark.title)
        for text, first, last in paragraphs(part, width, compounds):
            outline.add(Block(text, first, last))
    return page_document(path, outline.prose())


def _open(path: str, data: bytes) -> PdfReader:
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            raise PermanentError("the PDF is encrypted: save it anew without a password", path)
        pages = len(reader.pages)
    except DependencyError:
        raise PermanentError("the PDF is encrypted (AES): save it anew without protection", path) from None
    except _MALFORMED as error:
        raise PermanentError(f"not a readable PDF: {error}", path) from None
    if pages > MOST_PAGES:
        raise PermanentError(f"the PDF has {pages} pages, more than the {MOST_PAGES} allowed", path)
    return reader


def _read_pages(path: str, reader: PdfReader, seconds: float) -> tuple[list[str], list[str]]:
    """The text of each page, empty where it can't be read, and the addresses that the pages link to.

    Raises `PermanentError` where no page has text.
    """
    deadline = time.monotonic() + seconds

    def watch(*_: object) -> None:
        if time.monotonic() > deadline:
            raise PermanentError(f"reading the PDF takes longer than the {seconds:.0f} seconds allowed", path)

    texts: list[str] = []
    links: list[str] = []
    failure = "no text layer: the pages are pictures, whose text must be recognised first (OCR)"
    for number in range(len(reader.pages)):
        watch()
        texts.append("")
        try:
            page = reader.pages[number]
            texts[-1] = page.extract_text(visitor_operand_before=watch)
            links += _links(page)
        except _MALFORMED as error:
            failure = f"no page can be read: {error}"
    if not any(text.strip() for text in texts):
        raise PermanentError(failure, path)
    return texts, links


def _links(page: PageObject) -> Iterator[str]:
    for annotation in islice(page.get("/Annots", ()), 1_000):
        action = annotation.get_object().get("/A", {})
        target = action.get_object().get("/URI") if action else None
        if isinstance(target, str):
            yield clean_text(target)


def _bookmarks(reader: PdfReader) -> list[_Bookmark]:
    """The bookmarks in their order, none where there are none that can be read."""
    try:
        return list(islice(_walk(reader, reader.outline, 1), 10_000))
    except _MALFORMED:
        return []


def _walk(reader: PdfReader, items: Any, level: int) -> Iterator[_Bookmark]:
    for item in items:
        if isinstance(item, list):
            yield from _walk(reader, item, level + 1)
            continue
        page, title = reader.get_destination_page_number(item), " ".join(clean_text(str(item.title)).split())
        if page is not None and title:
            yield _Bookmark(min(level, 6), title, page + 1)


def _parts(lines: Sequence[Line], bookmarks: Sequence[_Bookmark]) -> Iterator[tuple[_Bookmark | None, Sequence[Line]]]:
    """The lines under each bookmark, first those before all of them."""
    current, start = None, 0
    for bookmark in bookmarks:
        begin, end = _find_heading(lines, bookmark, start)
        yield current, lines[start:begin]
        current, start = bookmark, end
    yield current, lines[start:]


def _find_heading(lines: Sequence[Line], bookmark: _Bookmark, start: int) -> tuple[int, int]:
    """Where the lines that say a bookmark's title begin and end; an empty place at its page's top where none do."""
    top = max(bisect_left(lines, bookmark.page, key=lambda line: line.page), start)
    title = _squeeze(bookmark.title)
    for begin in range(top, min(top + 500, len(lines))):
        if lines[begin].page != bookmark.page:
            break
        said = ""
        for end in range(begin, min(begin + 3, len(lines))):
            said += _squeeze(lines[end].text)
            if _says(said, title):
                return begin, end + 1
    return top, top


def _says(line: str, title: str) -> bool:
    """Whether a line is a title, with its number before it or not; both squeezed."""
    number = line.removesuffix(title)
    return number != line and _NUMBER.fullmatch(number) is not None


def _squeeze(text: str) -> str:
    return "".join(text.split()).casefold()
