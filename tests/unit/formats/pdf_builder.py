"""PDFs from lines of text: one font whose codes are told by a ToUnicode map, one stream a page, bookmarks."""

from collections.abc import Iterable, Sequence

Bookmark = tuple[str, int]
"""Title and page, numbered from 1."""


def pdf(
    pages: Sequence[Sequence[str]], *, bookmarks: Sequence[Bookmark] = (), unicode: bool = True, link: str = ""
) -> bytes:
    """A document whose pages have these lines. Without `unicode` its letters are those of Windows-1251, said by nobody;
    `link` is an address that the first page leads to.
    """
    letters = sorted({letter for page in pages for line in page for letter in line})
    codes = {letter: number for number, letter in enumerate(letters, 33)}
    first_page = 6
    numbers = [first_page + 2 * index for index in range(len(pages))]
    first_bookmark = first_page + 2 * len(pages)
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{number} 0 R' for number in numbers)}] >>",
        3: _outlines(first_bookmark, len(bookmarks)),
        4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica"
        + (" /ToUnicode 5 0 R >>" if unicode else " /Encoding /WinAnsiEncoding >>"),
        5: _stream(_to_unicode(codes)),
    }
    for number, lines in zip(numbers, pages, strict=True):
        texts = [bytes(codes[letter] for letter in line) if unicode else line.encode("cp1251") for line in lines]
        shown = " T* ".join(f"<{text.hex()}> Tj" for text in texts)
        annotation = f"/Annots [<< /Subtype /Link /A << /S /URI /URI ({link}) >> >>] " if link else ""
        objects[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {number + 1} 0 R {annotation}"
            "/Resources << /Font << /F 4 0 R >> >> >>"
        )
        objects[number + 1] = _stream(f"BT /F 10 Tf 14 TL 40 800 Td {shown} ET")
        link = ""
    for index, (title, page) in enumerate(bookmarks):
        marked = f"\ufeff{title}".encode("utf-16-be").hex()
        following = f"/Next {first_bookmark + index + 1} 0 R " if index + 1 < len(bookmarks) else ""
        objects[first_bookmark + index] = (
            f"<< /Title <{marked}> /Parent 3 0 R {following}/Dest [{numbers[page - 1]} 0 R /Fit] >>"
        )
    return _file(objects.items())


def _outlines(first: int, count: int) -> str:
    ends = f"/First {first} 0 R /Last {first + count - 1} 0 R " if count else ""
    return f"<< /Type /Outlines {ends}/Count {count} >>"


def _to_unicode(codes: dict[str, int]) -> str:
    pairs = "\n".join(f"<{code:02x}> <{letter.encode('utf-16-be').hex()}>" for letter, code in codes.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange\n<00> <ff>\n"
        f"endcodespacerange\n{len(codes)} beginbfchar\n{pairs}\nendbfchar\nendcmap end end"
    )


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _file(objects: Iterable[tuple[int, str]]) -> bytes:
    body, places = bytearray(b"%PDF-1.4\n"), [0]
    for number, content in objects:
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 {'n' if number else 'f'} \n" for number, place in enumerate(places))
    trailer = f"trailer\n<< /Size {len(places)} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF\n"
    return bytes(body) + f"xref\n0 {len(places)}\n{table}{trailer}".encode()
