"""What an archive holds: its roots, the members that some format reads, and what its main root says of itself."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import HEAD, Limits, Member, ReadRange, read_head, read_member
from onec_rag.formats.base import Root, RootKind
from onec_rag.formats.table import find_roots, format_of
from onec_rag.indexing.grouping import Placed
from onec_rag.indexing.prepare import document_id
from onec_rag.model.metadata import MetadataObject
from onec_rag.model.tasks import TaskMember

_BLOCK = 1 << 20
"""Bytes that are read at once when many members are looked into: they lie near each other."""

_EXTENSION = "НазначениеРасширенияКонфигурации"
_SOURCE_KINDS: Mapping[RootKind, str] = MappingProxyType(
    {
        RootKind.EXTERNAL_PROCESSOR: "external",
        RootKind.EXTERNAL_REPORT: "external",
        RootKind.PLATFORM_HELP: "platform_help",
        RootKind.DOCUMENTATION: "documentation",
    }
)


@dataclass(frozen=True, slots=True)
class SelfDescription:
    """The kind of source that an archive makes, its title and version; the last two are empty where nothing is said."""

    kind: str
    title: str = ""
    version: str = ""


def roots_of(members: Sequence[Member], read: ReadRange) -> list[Root]:
    """The roots of an archive; members whose path does not tell what they are get looked into."""
    by_path = {member.path: member for member in members}
    end = max((member.end for member in members), default=0)

    @lru_cache(maxsize=16)
    def block(number: int) -> bytes:
        return read(number * _BLOCK, min(_BLOCK, end - number * _BLOCK))

    def peek(path: str) -> bytes:
        member = by_path[path]
        first, last = member.offset, min(member.end, member.offset + HEAD)
        blocks = b"".join(map(block, range(first // _BLOCK, (last - 1) // _BLOCK + 1)))
        start = first - first // _BLOCK * _BLOCK
        return read_head(blocks[start : start + last - first], member)

    return find_roots(by_path, peek)


def known_members(members: Sequence[Member], roots: Sequence[Root]) -> Iterator[Placed]:
    """Members that some format reads, each under the innermost root that holds it."""
    inner_first = sorted(roots, key=lambda root: -len(root.prefix))
    for member in members:
        root = next((root for root in inner_first if root.holds(member.path)), None)
        if root is None:
            continue
        path = member.path.removeprefix(root.prefix)
        if format_of(root.kind, path) is None:
            continue
        row_id = document_id(root.key, path)
        yield Placed(
            TaskMember(
                row_id, root.key, root.kind, path, member.offset, member.compressed_size, member.size,
                member.method, member.crc, member.encrypted,
            ),
            member.end,
        )  # fmt: skip


def describe(members: Sequence[Member], roots: Sequence[Root], read: ReadRange, limits: Limits) -> SelfDescription:
    """What the main root's own descriptor says; a descriptor that can't be read is told of when its task reads it."""
    main = next((root for root in roots if not root.key), roots[0])
    kind = _SOURCE_KINDS.get(main.kind, "configuration")
    found = next(filter(None, map(_descriptor_of(main), members)), None)
    if found is None:
        return SelfDescription(kind)
    member, path = found
    known = format_of(main.kind, path)
    try:
        span = read(member.offset, member.end - member.offset)
        document = known.read(path, read_member(span, member.offset, member, limits)) if known else None
    except PermanentError:
        return SelfDescription(kind)
    if document is None or not isinstance(document.content, MetadataObject):
        return SelfDescription(kind)
    properties = document.content.properties
    if document.content.kind.startswith("External"):
        kind = "external"
    elif _EXTENSION in properties:
        kind = "extension"
    return SelfDescription(kind, document.title, properties.get("Версия", ""))


def _descriptor_of(root: Root) -> Callable[[Member], tuple[Member, str] | None]:
    """Tells whether a member is the root's own descriptor, by its path."""
    names = {f"{name}.xml" for name in root.names} or {"Configuration.xml", "Configuration/Configuration.mdo"}

    def descriptor(member: Member) -> tuple[Member, str] | None:
        path = member.path.removeprefix(root.prefix)
        own = path in names or (root.kind is RootKind.EDT and path.startswith("External") and path.endswith(".mdo"))
        return (member, path) if own and root.holds(member.path) else None

    return descriptor
