"""Bytes of a text file → its text; the same rule for every format that is plain text."""

import codecs

from onec_rag.errors import PermanentError


def decode_text(data: bytes, path: str) -> str:
    """UTF-16 where its mark says so, UTF-8 with or without a mark, else Windows-1251, in which old files were saved.

    Raises `PermanentError` for bytes that are no text in any of them. A text never holds NUL, which no file of text
    means and PostgreSQL does not take.
    """
    text = decode_utf16(data)
    if text is not None:
        if "\0" in text:
            raise PermanentError("binary data where a text was expected", path, f"byte {text.index(chr(0)) * 2 + 2}")
        return text
    zero = data.find(b"\0")
    if zero >= 0:
        raise PermanentError("binary data where a text was expected", path, f"byte {zero}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1251")
    except UnicodeDecodeError as error:
        raise PermanentError("neither UTF-8 nor Windows-1251", path, f"byte {error.start}") from None


def decode_utf16(data: bytes) -> str | None:
    """The text of bytes that begin with the mark of UTF-16 and are UTF-16, else `None`."""
    if not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError:
        return None
