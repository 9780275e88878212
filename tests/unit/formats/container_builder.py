"""v8 containers from raw bytes, with any lie in them; books of help and ordinary forms made of them."""

import struct
from collections.abc import Iterable, Mapping

from unit.formats.zip_builder import Entry, build, deflate

NOWHERE = {32: 0x7FFFFFFF, 64: 0xFFFFFFFFFFFFFFFF}
HEADER = {32: struct.pack("<4I", NOWHERE[32], 0x200, 0, 0), 64: struct.pack("<Q3I", NOWHERE[64], 0x200, 0, 0)}
RECORD = {32: "<3I", 64: "<3Q"}
STUB_BYTES = 0x1359


def page_header(size: int, page: int, following: int, bits: int = 32) -> bytes:
    """The header of a block's page; `size` is told by the first one alone."""
    digits = bits // 4
    return f"\r\n{size:0{digits}x} {page:0{digits}x} {following:0{digits}x} \r\n".encode()


def block(data: bytes, address: int, page: int = 0, bits: int = 32) -> bytes:
    """A block that begins at an address, in neighbouring pages of `page` bytes, or in one."""
    page = page or max(len(data), 1)
    pieces = [data[start : start + page] for start in range(0, len(data), page)] or [b""]
    written = bytearray()
    for number, piece in enumerate(pieces):
        following = address + (number + 1) * (len(page_header(0, 0, 0, bits)) + page)
        last = number + 1 == len(pieces)
        size = 0 if number else len(data)
        written += page_header(size, page, NOWHERE[bits] if last else following, bits) + piece.ljust(page, b"\0")
    return bytes(written)


def container(elements: Mapping[str, bytes | None], *, page: int = 0, bits: int = 32, spare: bytes = b"") -> bytes:
    """A container; an element of `None` has no body, `spare` follows the used records of the table."""
    record = struct.calcsize(RECORD[bits])
    table_bytes = len(elements) * record + len(spare)
    body = b""
    records = b""
    begin = len(HEADER[bits]) + len(block(bytes(table_bytes), 0, bits=bits))
    for name, data in elements.items():
        head = begin + len(body)
        body += block(bytes(20) + name.encode("utf-16-le") + bytes(6), head, page, bits)
        address = NOWHERE[bits] if data is None else begin + len(body)
        records += struct.pack(RECORD[bits], head, address, NOWHERE[bits])
        body += b"" if data is None else block(data, address, page, bits)
    return HEADER[bits] + block(records + spare, len(HEADER[bits]), bits=bits) + body


def behind_stub(wide: bytes) -> bytes:
    """A .cf since 8.3.16: a small 32-bit container, then the one of 64 bits."""
    stub = container({"root": deflate(b"{2}"), "version": deflate(b"{3}"), "versions": deflate(b"{1}")})
    return stub.ljust(STUB_BYTES, b"\0") + wide


def ordinary_form(module: bytes | None) -> bytes:
    """`Form.bin` of a form that looks like nothing."""
    form = {"form": "{27,{18,{0}}}".encode("utf-8-sig")}
    return container(form if module is None else form | {"module": module}, page=0x200)


def contents(entries: Iterable[tuple[int, int, Mapping[str, str], str]]) -> str:
    """A table of contents of (id, parent, titles, path)."""
    rows = list(entries)
    written = []
    for number, parent, titles, path in rows:
        children = [row[0] for row in rows if row[1] == number]
        doubled = {code: title.replace('"', '""') for code, title in titles.items()}
        names = "".join(f',\r\n{{"{code}","{title}"}}' for code, title in doubled.items())
        counted = ",".join(map(str, [number, parent, len(children), *children]))
        written.append(f'{{{counted},\r\n{{0,0,\r\n{{1,{len(titles)}{names}}},"{path}"}}}}')
    return "\ufeff{" + ",\r\n".join([str(len(rows)), *written]) + "}"


def book(pages: Mapping[str, bytes], table: str | None, *, page: int = 0) -> bytes:
    """A book of help (.hbk) with files by their path in it; `page` as in `block`."""
    storage = build([Entry(path.encode(), data) for path, data in pages.items()])
    elements = {
        "Book": '{7,"PlatformHelp",{1,1,{"#","Help"}},1,"CONFIG",{1,0},0}'.encode("utf-8-sig"),
        "FileStorage": storage,
        "IndexMainData": None,
    }
    if table is not None:
        elements["PackBlock"] = packed_table(table)
    return container(elements, page=page)


def packed_table(table: str) -> bytes:
    """The one member of a zip, its central directory left out."""
    whole = build([Entry(b"toc", table.encode())])
    return whole[: whole.index(b"PK\1\2")]
