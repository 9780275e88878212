"""Where dumps of a configuration and of its extensions begin in an upload."""

from collections.abc import Iterable

from onec_rag.formats.base import Root

_SIGN = "Configuration.xml"


def find_roots(paths: Iterable[str]) -> list[Root]:
    """A root for each folder that holds a `Configuration.xml`, ordered by prefix; one inside another is a copy of it.

    A single root has an empty key. Keys of several are their folders below the one that they share: `src/cf/` and
    `src/cfe/Обмен/` → `cf`, `cfe/Обмен`.
    """
    prefixes: list[str] = []
    for prefix in sorted(path.removesuffix(_SIGN) for path in paths if path.rpartition("/")[2] == _SIGN):
        if not prefixes or not prefix.startswith(prefixes[-1]):
            prefixes.append(prefix)
    if len(prefixes) == 1:
        return [Root(prefixes[0], "configuration")]
    shared = _shared_folder(prefixes)
    return [Root(prefix, "configuration", prefix[len(shared) :].rstrip("/")) for prefix in prefixes]


def _shared_folder(prefixes: list[str]) -> str:
    """The longest folder that all prefixes lie in, with its trailing slash, or empty."""
    if not prefixes:
        return ""
    first, last = prefixes[0].split("/"), prefixes[-1].split("/")  # sorted: the ends differ the most
    equal = 0
    while equal < min(len(first), len(last)) - 1 and first[equal] == last[equal]:
        equal += 1
    return "".join(f"{name}/" for name in first[:equal])
