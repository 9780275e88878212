"""Bytes of a text file → its text; the same rule for every format that is plain text."""

from onec_rag.errors import PermanentError


def decode_text(data: bytes, path: str) -> str:
    """UTF-8 with or without a byte order mark, else Windows-1251, in which old files were saved.

    Raises `PermanentError` for bytes that are no text in either.
    """
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
