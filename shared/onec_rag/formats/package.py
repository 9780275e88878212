"""A zip archive that is one document (DOCX, EPUB): its parts by name, with the bounds of any other archive."""

import re

from lxml import etree

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, Member, list_members, read_member
from onec_rag.formats.xml import parse_xml

_LIMITS = Limits(entries=50_000, inflated_bytes=1 << 30, member_bytes=64 << 20)
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_DOCTYPE = re.compile(rb"<!DOCTYPE[^<>\[]*+>")


class Package:
    """Parts of the document at `path`; all errors are `PermanentError` with that path and the part as their place.

    `text_bytes` bounds what all reads together may inflate; pictures are never read.
    """

    def __init__(self, path: str, data: bytes, text_bytes: int) -> None:
        if data.startswith(_COMPOUND_FILE):
            raise PermanentError("encrypted, or of an old binary format: save it anew without a password", path)
        try:
            members, _ = list_members(lambda offset, length: data[offset : offset + length], len(data), _LIMITS)
        except PermanentError as error:
            raise PermanentError(error.reason, path, error.place) from None
        self.path = path
        self._data = data
        self._text_bytes = text_bytes
        self._left = text_bytes
        self._members: dict[str, Member] = {member.path: member for member in members}

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str) -> bytes:
        """The bytes of a part."""
        member = self._members.get(name)
        if member is None:
            raise PermanentError("the document lacks a part", self.path, name)
        self._left -= member.size
        if self._left < 0:
            raise PermanentError(f"the document's text has more than the {self._text_bytes} bytes allowed", self.path)
        try:
            return read_member(self._data, 0, member, _LIMITS)
        except PermanentError as error:
            raise PermanentError(error.reason, self.path, name) from None

    def xml(self, name: str) -> etree._Element:
        """The root of a part in XML; a DOCTYPE that only names a standard is passed over."""
        try:
            return parse_xml(_DOCTYPE.sub(b"", self.read(name), count=1), name)
        except PermanentError as error:
            place = f"{name}, {error.place}" if error.place and error.path == name else error.place or name
            raise PermanentError(error.reason, self.path, place) from None
