"""Names in a zip archive: from raw bytes in one of three encodings to safe relative paths.

Source: PKWARE APPNOTE.TXT 6.3.10, 4.4.4 (flag bit 11) and 4.6.9 (field 0x7075).
"""

import re
import unicodedata
import zlib
from collections.abc import Sequence
from contextlib import suppress

from onec_rag.formats.zip_directory import Record

_UTF8 = 1 << 11
_RUSSIAN = re.compile("[А-Яа-яЁё]")
_FREQUENT = re.compile("[оеаинтсрвл]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ROOTS = re.compile(r"\A(?:[A-Za-z]:|/|\./)+")


def decode_names(records: Sequence[Record]) -> list[str]:
    """Decode every name: as the archive says, else by the encoding that the archive as a whole seems to be in."""
    told = [_told_name(record) for record in records]
    encodings = _rank_encodings([record.name for record, name in zip(records, told, strict=True) if name is None])
    return [
        _decode(record.name, encodings) if name is None else name for record, name in zip(records, told, strict=True)
    ]


def relative_path(name: str) -> str:
    """Give the name in NFC with `/`, without drive, root and empty steps; `..` stays, for `path_fault` to find."""
    path = unicodedata.normalize("NFC", name).replace("\\", "/")
    return "/".join(step for step in _ROOTS.sub("", path).split("/") if step not in ("", "."))


def path_fault(path: str) -> str:
    """Say why a relative path can't be taken, or nothing."""
    if not path:
        return "the member has no name"
    if _CONTROL.search(path):
        return "the path holds control characters"
    if ".." in path.split("/"):
        return "the path leads out of the archive"
    return ""


def printable(path: str) -> str:
    """Give a path that can be stored and shown: PostgreSQL takes no NUL in a text."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", path)


def is_litter(path: str) -> bool:
    """Tell whether macOS or Windows Explorer left the file there, unasked."""
    return path.startswith("__MACOSX/") or path.rpartition("/")[2] in (".DS_Store", "Thumbs.db")


def _told_name(record: Record) -> str | None:
    """Decode the name where the archive tells how: by a flag, or by a field that was made for this very name."""
    if record.flags & _UTF8:
        with suppress(UnicodeDecodeError):
            return record.name.decode()
    version, checksum, name = record.unicode_path[:1], record.unicode_path[1:5], record.unicode_path[5:]
    if version == b"\1" and checksum == zlib.crc32(record.name).to_bytes(4, "little"):
        with suppress(UnicodeDecodeError):
            return name.decode()
    return None


def _rank_encodings(names: Sequence[bytes]) -> list[str]:
    """Order the encodings to try on names that tell none, for the whole archive: one program wrote them.

    Info-ZIP and macOS write UTF-8, and hardly any archive is valid UTF-8 as a whole by chance. Else Windows wrote it:
    Explorer and 7-Zip in cp866, a few others in cp1251. Almost any bytes are valid in both, but what is Russian in one
    is half box drawing or other alphabets in the other, so the one with more Russian letters is right. Frequent ones
    count twice, since the bytes of `р`…`я` in cp866 are `а`…`п` in cp1251. UTF-8 takes part too: one broken name must
    not spoil the others, and a short word in cp866 may be valid UTF-8 (`тип`) where its neighbours are not.
    """
    odd = [name for name in names if not _is_utf8(name)]
    if not odd:
        return ["utf-8"]
    windows = max(("cp866", "cp1251"), key=lambda encoding: _russian_letters(odd, encoding))
    return sorted(("utf-8", windows), key=lambda encoding: _russian_letters(names, encoding), reverse=True)


def _is_utf8(name: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        name.decode()
        return True
    return False


def _russian_letters(names: Sequence[bytes], encoding: str) -> int:
    sample = names[:: len(names) // 1000 + 1]  # a thousand names tell enough
    text = b"/".join(sample).decode(encoding, errors="ignore")
    return len(_RUSSIAN.findall(text)) + len(_FREQUENT.findall(text))


def _decode(name: bytes, encodings: Sequence[str]) -> str:
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return name.decode(encoding)
    return name.decode("cp866")  # knows every byte
