"""Where dumps of a configuration and of its extensions begin in an upload."""

from collections.abc import Iterable

from onec_rag.formats.base import Root

_SIGN = "Configuration.xml"


def find_roots(paths: Iterable[str]) -> list[Root]:
    """A root for each folder that holds a `Configuration.xml`, ordered by prefix; one inside another is a copy of it.

    The one with the shortest path has an empty key, as if it were alone, so that an extension that joins it later
    moves none of its documents; the keys of the others are their folders below the folder that all share:
    `src/cf/` and `src/cfe/Обмен/` → ``, `cfe/Обмен`.
    """
    prefixes: list[str] = []
    for prefix in sorted(path.removesuffix(_SIGN) for path in paths if path.rpartition("/")[2] == _SIGN):
        if not prefixes or not prefix.startswith(prefixes[-1]):
            prefixes.append(prefix)
    shared = _shared_folder(prefixes)
    main = min(prefixes, key=lambda prefix: (len(prefix), prefix), default="")
    return [
        Root(prefix, "configuration", "" if prefix == main else prefix[len(shared) :].rstrip("/"))
        for prefix in prefixes
    ]


def _shared_folder(prefixes: list[str]) -> str:
    """The longest folder that all prefixes lie in, with its trailing slash, or empty."""
    if not prefixes:
        return ""
    first, last = prefixes[0].split("/"), prefixes[-1].split("/")  # sorted: the ends differ the most
    equal = 0
    while equal < min(len(first), len(last)) - 1 and first[equal] == last[equal]:
        equal += 1
    return "".join(f"{name}/" for name in first[:equal])
