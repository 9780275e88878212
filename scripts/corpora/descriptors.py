"""Descriptors counted by their first words, apart from the readers, so that these are not measured by themselves."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.corpora.folder import Placed, head_of
from scripts.corpora.rows import Row

from onec_rag.formats.base import Root, RootKind
from onec_rag.formats.place import Role
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import KIND_BY_NAME, MetadataObject

_HEAD = re.compile(rb"<MetaDataObject\b[^<]*<(\w+)|<mdclass:(\w+)")
_EXTERNAL = frozenset({"ExternalDataProcessor", "ExternalReport"})
_BODIES = {
    "CommonModules": "Module",
    "CommonForms": "Form",
    "Forms": "Form",
    "Roles": "Rights",
    "CommonTemplates": "Template",
    "Templates": "Template",
}
"""Folders whose descriptors stand beside a file of this name."""
_LAYOUTS = {False: "dumps", True: "projects of EDT"}


@dataclass(slots=True)
class Descriptors:
    """Descriptors of one kind of account: `by_root` how many files each root has, `kinds` the kinds of objects by
    whether they are of EDT, `external` how many external data processors and reports."""

    by_root: Counter[Root] = field(default_factory=Counter)
    kinds: set[tuple[bool, str]] = field(default_factory=set)
    external: int = 0

    def add(self, root: Root | None, kind: str) -> None:
        """`root` is the dump or project, none where the file is outside all of them; `kind` is empty for a descriptor
        of what is not an object: a form, a template."""
        self.external += kind in _EXTERNAL
        if root is not None:
            self.by_root[root] += 1
            if kind in KIND_BY_NAME:
                self.kinds.add((root.kind is RootKind.EDT, kind))

    def add_document(self, item: Placed, document: Document) -> None:
        """Counts what a reader made of a file, where it is a descriptor."""
        if (
            item.format
            and item.format.name in (Role.OBJECT, Role.CHILD)
            and isinstance(document.content, MetadataObject)
        ):
            self.add(item.root, document.content.kind if document.kind is DocumentKind.OBJECT else "")


def tell(files: Mapping[str, Path], dumps: Iterable[Placed]) -> Descriptors:
    """The descriptors among all files by their first words; those in dumps and projects by their root."""
    roots = {item.shown: item.root for item in dumps}
    told = Descriptors()
    for path, file in files.items():
        if path.endswith((".xml", ".mdo")) and (found := _HEAD.search(head_of(file))):
            told.add(roots.get(path), (found[1] or found[2]).decode())
    return told


def descriptor_rows(told: Descriptors, found: Descriptors, broken: int) -> Iterator[Row]:
    """Each descriptor must have been read but for the broken ones, each flat dump's too, and each kind of object."""
    yield Row("descriptors", found.by_root.total(), told.by_root.total() - broken)
    for root in told.by_root:
        if root.kind is RootKind.PLAIN:
            yield Row(f"descriptors in {root.prefix}", found.by_root[root], told.by_root[root])
    if told.external:
        yield Row("external data processors and reports", found.external, told.external)
    for of_edt, where in _LAYOUTS.items():
        expected = {kind for edt, kind in told.kinds if edt is of_edt}
        if expected:
            yield Row(f"kinds in {where}", sum(edt is of_edt for edt, _ in found.kinds), len(expected))


def bodies_missing(dumps: Iterable[Placed], elsewhere: Iterable[str]) -> list[str]:
    """Descriptors of hierarchical dumps whose other file is neither there nor `elsewhere`: a mirror leaves out what is
    large. An object that an extension has adopted may well have none."""
    items = [item for item in dumps if item.root.kind is RootKind.CONFIGURATION]
    present = set()
    for path in (*elsewhere, *(item.shown for item in items)):
        owner, _, inside = path.rpartition("/Ext/")
        present.add(f"{owner}/{inside.rpartition('/')[2].partition('.')[0]}")
    return [
        item.shown
        for item in items
        if (body := _BODIES.get(item.path.rpartition("/")[0].rpartition("/")[2]))
        and item.path.endswith(".xml")
        and f"{item.shown.removesuffix('.xml')}/{body}" not in present
    ]
