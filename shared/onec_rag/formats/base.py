"""The table of formats: who recognises a member of an upload, and who reads it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from onec_rag.model.document import Document


class Wave(IntEnum):
    """Descriptors are loaded first: names and synonyms that the content's breadcrumbs show."""

    DESCRIPTORS = 1
    CONTENT = 2


@dataclass(frozen=True, slots=True)
class Format:
    """A row of `FORMATS`.

    `recognises` decides by the path inside the root alone (a plan never inflates a member); `read` takes that
    path and the bytes, and returns the document, or `None` where the file holds nothing (an empty module). It
    raises `PermanentError` with reason, path and place for what can't be read, and nothing else.
    """

    name: str
    wave: Wave
    recognises: Callable[[str], bool]
    read: Callable[[str, bytes], Document | None]


@dataclass(frozen=True, slots=True)
class Root:
    """A place in an upload where one thing begins.

    `prefix` is the folder with its trailing slash, or empty; `kind` is `configuration` or `documentation`; `key`
    tells roots of one upload apart in stored paths; it is empty for the main one, so that a renamed top folder
    changes nothing.
    """

    prefix: str
    kind: str
    key: str = ""


FindRoots = Callable[[Iterable[str]], list[Root]]
