"""v8 containers over ranged reads: books of help (.hbk), ordinary forms, protected modules; .cf, .cfe, .epf, .erf.

A container is a file system of its own: named elements in chains of pages. Every address and size in it is a claim of
whoever made it, so each is checked before it is used: no element gives more bytes than the file has, no chain comes
back to a page it has read, and the pages that one call visits are counted.

Source: real files of public repositories. 32-bit: a header of 16 bytes, then blocks whose pages begin with CR LF, data
size, page size and address of the next page in hex, CR LF; the block behind the header is the table of elements. Since
8.3.16 a .cf is a 32-bit stub with a container of 64-bit addresses behind it, at byte 0x1359.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from onec_rag.errors import PermanentError
from onec_rag.formats.bsl import CONTAINER_SIGN
from onec_rag.formats.zip_directory import ReadRange

LARGEST_ELEMENT = 256 << 20
"""Bytes of an element that is read whole."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """What differs between the two widths of addresses; numbers of a page's header have `digits` hex digits."""

    bits: int
    header: int
    digits: int
    nowhere: int
    record: struct.Struct

    @property
    def page_header(self) -> int:
        return 2 + 3 * (self.digits + 1) + 2


_NARROW = _Layout(32, 16, 8, 0x7FFFFFFF, struct.Struct("<III"))
_WIDE = _Layout(64, 20, 16, 0xFFFFFFFFFFFFFFFF, struct.Struct("<QQQ"))
_WIDE_SIGN = b"\xff" * 8
_WIDE_BEGIN = 0x1359
_PAGE_HEADER = re.compile(rb"\r\n([\da-fA-F]+) ([\da-fA-F]+) ([\da-fA-F]+) \r\n")
_PAGES = 1 << 18  # headers that one call may visit: 128 MiB in pages of the usual 512 bytes
_WINDOW = 1 << 20
_NAME_BEGIN, _NAME_END = 20, 20 + 1024  # of an element's header: two times and flags, then its name


def binary_refusal(head: bytes) -> str:
    """Why a binary file of 1C is not read and how to export it, empty for what is no container.

    `head` is the file's beginning; 8 KiB of it tell the two widths apart.
    """
    if not head.startswith((CONTAINER_SIGN, _WIDE_SIGN)):
        return ""
    wide = head.startswith(_WIDE_SIGN) or head.startswith(_WIDE_SIGN, _WIDE_BEGIN)
    return (
        f"a binary file of 1C (.cf, .cfe, .epf or .erf; {64 if wide else 32}-bit container) is not read: export it to"
        " files and upload these. A configuration or extension: Configurator, menu «Конфигурация → Выгрузить"
        " конфигурацию в файлы», or 1cv8 DESIGNER /DumpConfigToFiles, or ibcmd infobase config export. An external"
        " data processor or report: 1cv8 DESIGNER /DumpExternalDataProcessorOrReportToFiles"
    )


class Container:
    """The elements of a container of `size` bytes by name.

    Raises `PermanentError` with place for what is no container or contradicts itself, `path` names the file in it.
    """

    def __init__(self, read: ReadRange, size: int, path: str = "") -> None:
        self._read, self._size, self.path = read, size, path
        self._begin = 0  # addresses count from here
        self._window, self._window_begin = b"", 0
        self._layout = self._find_layout()
        self._elements = dict(self._read_table())

    @property
    def bits(self) -> int:
        """The width of its addresses: 32 or 64."""
        return self._layout.bits

    def elements(self) -> tuple[str, ...]:
        """Names in the order of the table."""
        return tuple(self._elements)

    def read(self, name: str) -> bytes:
        """The bytes of an element, as they are (those of a .cf or .epf are deflated), nothing for an empty one."""
        element = self.open(name)
        if element.size > LARGEST_ELEMENT:
            raise self._error(f"{name} has {element.size} bytes, more than the {LARGEST_ELEMENT} allowed", 0)
        return element.read(0, element.size)

    def open(self, name: str) -> "Element":
        """An element to be read by ranges."""
        address = self._elements.get(name)
        if address is None:
            raise PermanentError(f"the container has no element {name}", self.path)
        return self._block(address, _PAGES)[0]

    def take(self, offset: int, length: int) -> bytes:
        """Bytes of the file; the last ones are kept, since headers and pages of a book are small and neighbours."""
        if length > _WINDOW:
            return self._read(offset, length)
        if not self._window_begin <= offset <= offset + length <= self._window_begin + len(self._window):
            self._window_begin = offset
            self._window = self._read(offset, min(_WINDOW, self._size - offset))
        start = offset - self._window_begin
        return self._window[start : start + length]

    def _error(self, reason: str, address: int) -> PermanentError:
        return PermanentError(reason, self.path, f"byte {self._begin + address}")

    def _find_layout(self) -> _Layout:
        for begin, layout in ((_WIDE_BEGIN, _WIDE), (0, _WIDE), (0, _NARROW)):
            self._begin, self._layout = begin, layout
            table = begin + layout.header
            if table + layout.page_header <= self._size and (layout is _NARROW or self._is_wide(begin)):
                found = _PAGE_HEADER.fullmatch(self.take(table, layout.page_header))
                if found and {len(number) for number in found.groups()} == {layout.digits}:
                    return layout
        raise PermanentError("not a container of 1C: no table of elements is behind its header", self.path)

    def _is_wide(self, begin: int) -> bool:
        return self.take(begin, len(_WIDE_SIGN)) == _WIDE_SIGN

    def _read_table(self) -> Iterator[tuple[str, int]]:
        """Names and addresses of bodies; the table may be longer than what is used of it."""
        record, header = self._layout.record, self._layout.header
        table, pages = self._block(header, _PAGES)
        if table.size > _PAGES * record.size:
            raise self._error("the table of elements is too long", header)
        data = table.read(0, table.size)
        for position in range(0, len(data) - record.size + 1, record.size):
            head, body, _ = record.unpack_from(data, position)
            if head not in (0, self._layout.nowhere):
                block, pages = self._block(head, pages)
                name = block.read(_NAME_BEGIN, max(0, min(block.size, _NAME_END) - _NAME_BEGIN))
                yield name.decode("utf-16-le", "replace").partition("\0")[0], body

    def _block(self, address: int, pages: int) -> tuple["Element", int]:
        """The block that begins at an address, and how many of the allowed pages are left."""
        element = Element(self, [], [], 0)
        if address == self._layout.nowhere:
            return element, pages
        size, page, following = self._page(address)
        if size > self._size:
            raise self._error(f"a block declares {size} bytes, more than the file has", address)
        seen = {address}
        current = address
        while True:
            pages -= 1
            if pages < 0:
                raise self._error(f"the container visits more than the {_PAGES} pages allowed", address)
            if not page and size:
                raise self._error("a page of a block has no size", current)
            length = min(page, size - element.size)
            begin = self._begin + current + self._layout.page_header
            if begin + length > self._size:
                raise self._error("a page of a block is cut: the file is truncated", current)
            element.starts.append(element.size)
            element.offsets.append(begin)
            element.size += length
            if element.size == size:
                return element, pages
            if following == self._layout.nowhere:
                raise self._error("a block ends before the bytes that it declares", address)
            if following in seen:
                raise self._error("the pages of a block come back to one another", address)
            seen.add(following)
            current = following
            _, page, following = self._page(current)

    def _page(self, address: int) -> tuple[int, int, int]:
        """Data size, page size and the next page's address, as the page's header tells."""
        begin, length = self._begin + address, self._layout.page_header
        found = _PAGE_HEADER.fullmatch(self.take(begin, length)) if begin + length <= self._size else None
        if not found:
            raise self._error("no page begins where the container says", address)
        size, page, following = (int(number, 16) for number in found.groups())
        return size, page, following


@dataclass(slots=True)
class Element:
    """A block as bytes: its pages begin at `starts` inside it, at `offsets` in the file."""

    container: Container
    starts: list[int]
    offsets: list[int]
    size: int

    def read(self, offset: int, length: int) -> bytes:
        """Bytes [offset, offset + length), fewer where the element ends before."""
        pieces: list[bytes] = []
        page = bisect_right(self.starts, offset) - 1
        end = min(offset + length, self.size)
        while offset < end:
            border = self.starts[page + 1] if page + 1 < len(self.starts) else end
            taken = min(end, border) - offset
            pieces.append(self.container.take(self.offsets[page] + offset - self.starts[page], taken))
            offset += taken
            page += 1
        return b"".join(pieces)
