"""Where configurations, extensions, external files and documentation begin in an upload."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from onec_rag.formats.base import Peek, Root, RootKind
from onec_rag.formats.hbk_pages import BOOK_FOLDER
from onec_rag.model.metadata import KIND_BY_NAME, KIND_BY_PLURAL

PEEKS = 4_000
"""Descriptors that may be looked into for one upload; external files beyond stay unknown."""

_DESCRIPTOR = re.compile(rb"<(?:\w+:)?MetaDataObject[\s>][^<]*<(?:\w+:)?(\w+)")
_FLAT = re.compile(r"([A-Z]\w+)\.[^/]+\.xml")
_PROJECT = re.compile(
    r"(.*/|)(?:Configuration/Configuration\.mdo|External(?:DataProcessors|Reports)/([^/]+)/\2\.mdo)", re.DOTALL
)
_EXTERNAL: Mapping[str, RootKind] = MappingProxyType(
    {"ExternalDataProcessor": RootKind.EXTERNAL_PROCESSOR, "ExternalReport": RootKind.EXTERNAL_REPORT}
)


def find_roots(paths: Iterable[str], peek: Peek, is_page: Callable[[str], bool]) -> list[Root]:
    """Dumps and projects ordered by prefix, then books of the platform's help, then documentation; none where nothing
    is known.

    A dump inside another is a copy of it. The one with the shortest path has an empty key, as if it were alone, so
    that an extension that joins it later moves none of its documents; the keys of the others are their folders below
    the folder that all share: `src/cf/` and `src/cfe/Обмен/` → ``, `cfe/Обмен`. Pages outside all of them are one
    documentation, whose prefix is empty.
    """
    paths = list(paths)
    found = _outermost(_configurations(paths))
    found += _by_content(paths, found, peek)
    roots = _with_keys(sorted(found, key=lambda root: (root.prefix, root.kind)))
    if any(BOOK_FOLDER.match(path) for path in paths):
        roots.append(Root("", RootKind.PLATFORM_HELP, "platform_help" if roots else ""))
    if any(is_page(path) and not any(root.holds(path) for root in roots) for path in paths):
        roots.append(Root("", RootKind.DOCUMENTATION, "documentation" if roots else ""))
    return roots


def _configurations(paths: Sequence[str]) -> Iterator[Root]:
    """Roots that a path alone tells: `Configuration.xml` of a dump, `Configuration.mdo` and external files of EDT."""
    flat = {path.rpartition("/")[0] for path in paths if _is_flat(path.rpartition("/")[2])}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == "Configuration.xml":
            kind = RootKind.PLAIN if folder in flat else RootKind.CONFIGURATION
            yield Root(f"{folder}/" if folder else "", kind)
        elif name.endswith(".mdo") and (project := _PROJECT.fullmatch(path)):
            yield Root(project[1], RootKind.EDT)


def _is_flat(name: str) -> bool:
    found = _FLAT.fullmatch(name)
    return found is not None and found[1] in KIND_BY_NAME


def _outermost(roots: Iterable[Root]) -> list[Root]:
    kept: list[Root] = []
    for root in sorted(set(roots), key=lambda root: root.prefix):
        if not kept or not root.prefix.startswith(kept[-1].prefix):
            kept.append(root)
    return kept


def _by_content(paths: Sequence[str], known: Sequence[Root], peek: Peek) -> list[Root]:
    """External files, and parts of dumps that came without their `Configuration.xml`: their descriptors tell."""
    prefixes = tuple(root.prefix for root in known)
    descriptors = [path for path in paths if path.endswith(".xml") and not path.startswith(prefixes)]
    names: dict[tuple[str, RootKind], set[str]] = {}
    inside: set[str] = set()  # folders of what was found
    peeks = 0
    for path in sorted(descriptors, key=lambda path: (path.count("/"), path)):
        folders = _folders(path)
        if not inside.isdisjoint(folders) or peeks == PEEKS:
            continue
        peeks += 1
        found = _DESCRIPTOR.search(peek(path))
        kind = found[1].decode("ascii", "ignore") if found else ""
        if kind in _EXTERNAL:
            names.setdefault((folders[-1], _EXTERNAL[kind]), set()).add(path.rpartition("/")[2].removesuffix(".xml"))
            inside.add(f"{path.removesuffix('.xml')}/")
        elif kind and len(folders) > 1 and _plural(folders) == kind:
            names[folders[-2], RootKind.CONFIGURATION] = set()
            inside.add(folders[-2])
    return [Root(prefix, kind, names=frozenset(own)) for (prefix, kind), own in names.items()]


def _folders(path: str) -> list[str]:
    """Every folder that a path lies in, outermost (the empty one) first, with trailing slashes."""
    parts = path.split("/")[:-1]
    return ["".join(f"{name}/" for name in parts[:depth]) for depth in range(len(parts) + 1)]


def _plural(folders: Sequence[str]) -> str:
    """The kind whose folder the last one is named as."""
    kind = KIND_BY_PLURAL.get(folders[-1].removeprefix(folders[-2]).rstrip("/"))
    return kind.name if kind else ""


def _with_keys(roots: Sequence[Root]) -> list[Root]:
    shared = _shared_folder([root.prefix for root in roots])
    main = min(roots, key=lambda root: (len(root.prefix), root.prefix), default=None)
    keyed: list[Root] = []
    for root in roots:
        key = "" if root is main else root.prefix[len(shared) :].rstrip("/")
        if root is not main and any(key == other.key for other in keyed):  # external files of both kinds in one folder
            key = f"{key}:{root.kind}"
        keyed.append(Root(root.prefix, root.kind, key, root.names))
    return keyed


def _shared_folder(prefixes: Sequence[str]) -> str:
    """The longest folder that all prefixes lie in, with its trailing slash, or empty."""
    if not prefixes:
        return ""
    first, last = prefixes[0].split("/"), prefixes[-1].split("/")  # sorted: the ends differ the most
    equal = 0
    while equal < min(len(first), len(last)) - 1 and first[equal] == last[equal]:
        equal += 1
    return "".join(f"{name}/" for name in first[:equal])
