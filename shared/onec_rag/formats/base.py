"""The table of formats: who recognises a member of an upload, and who reads it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

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


class RootKind(StrEnum):
    """What begins at a root: a dump in one of its layouts, external files, or pages.

    `configuration` is a hierarchical dump of a configuration or extension, `plain` a flat one, `edt` a project of EDT
    of any of these, `external_*` the dump of an external data processor or report.
    """

    CONFIGURATION = "configuration"
    PLAIN = "plain"
    EDT = "edt"
    EXTERNAL_PROCESSOR = "external_processor"
    EXTERNAL_REPORT = "external_report"
    PLATFORM_HELP = "platform_help"
    DOCUMENTATION = "documentation"


@dataclass(frozen=True, slots=True)
class Root:
    """A place in an upload where one thing begins.

    `prefix` is the folder with its trailing slash, or empty; `key` tells roots of one upload apart in stored paths;
    it is empty for the main one, so that a renamed top folder changes nothing. `names` are the external objects of
    the folder that are the root's own; empty where everything below the folder is.
    """

    prefix: str
    kind: RootKind
    key: str = ""
    names: frozenset[str] = frozenset()

    def holds(self, path: str) -> bool:
        """Whether a member of the upload belongs to this root (or to one inside it)."""
        if not path.startswith(self.prefix):
            return False
        first = path[len(self.prefix) :].partition("/")[0]
        return not self.names or first in self.names or first.removesuffix(".xml") in self.names


Peek = Callable[[str], bytes]
"""The first bytes of a member, for the few whose path does not tell what they are."""
