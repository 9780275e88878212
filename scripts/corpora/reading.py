"""A checkout read and chunked as the indexing does it, with what was found, what went wrong and what it cost."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import TextIO

from scripts.corpora.checks import WINDOW, Check
from scripts.corpora.folder import Placed

from onec_rag.chunking.base import Context
from onec_rag.errors import PermanentError, ProtectedError
from onec_rag.formats.base import Root, Wave
from onec_rag.indexing.facts import Facts
from onec_rag.indexing.prepare import membership_rows, name_rows
from onec_rag.model.code import Module
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import MetadataObject, walk_fields
from onec_rag.model.rows import MembershipRow, NameRow


@dataclass(slots=True)
class Findings:
    """`counts` by what is counted; `faults` are places by what must not be. `problems` are (path, reason) of files that
    can't be read, `protected` modules that their author has locked. `seconds` are of one core, by step; `size` is
    bytes read."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    problems: list[tuple[str, str]] = field(default_factory=list)
    protected: list[str] = field(default_factory=list)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    size: int = 0


def read_names(placed: Sequence[Placed], roots: Sequence[Root]) -> Facts:
    """The first wave: names and relations that the chunks of other files show. Problems are told by the second."""
    names: list[NameRow] = []
    relations: set[MembershipRow] = set()
    for item in placed:
        if item.format is None or item.format.wave is not Wave.DESCRIPTORS:
            continue
        try:
            document = item.format.read(item.path, item.file.read_bytes())
        except PermanentError:
            continue
        if document is not None and isinstance(document.content, MetadataObject):
            names += name_rows(0, item.root.key, document, document.content)
            relations.update(membership_rows(0, document.content))
    inverse: dict[str, list[tuple[str, str]]] = {}
    for row in sorted(relations, key=lambda row: (row.other_fqn, row.relation, row.fqn)):
        inverse.setdefault(row.other_fqn, []).append((row.relation, row.fqn))
    return Facts(
        {root.key: Context(_titles(names, root.key), inverse, WINDOW) for root in roots},
        frozenset(name.root for name in names if name.adopted and name.kind == "Configuration"),
        frozenset((name.root, name.fqn) for name in names if name.adopted),
    )


def _titles(names: Iterable[NameRow], root: str) -> dict[str, str]:
    """A root's own names last, so that they win; a title that only repeats the name does not hide another root's."""
    ordered = sorted(names, key=lambda name: (name.title != name.fqn.rpartition(".")[2], name.root == root))
    return {name.fqn: name.title for name in ordered}


def read_documents(
    placed: Iterable[Placed], facts: Facts, checks: Mapping[str, Check], findings: Findings
) -> Iterator[tuple[Placed, Document]]:
    """The second wave: every file that has a format, read, chunked and checked; one is in memory at a time."""
    for item in placed:
        if item.format is None:
            continue
        begun = process_time()
        data = item.file.read_bytes()
        try:
            document = item.format.read(item.path, data)
        except ProtectedError:
            findings.protected.append(item.shown)
            continue
        except PermanentError as error:
            findings.problems.append((item.shown, ": ".join(filter(None, (error.place, error.reason)))))
            continue
        finally:
            findings.size += len(data)
            findings.seconds["read and parse"] += process_time() - begun
            findings.counts[f"{item.format.name} files"] += 1
        if document is None:
            findings.counts[f"empty {item.format.name} files"] += 1
            continue
        begun = process_time()
        chunks = facts.chunks(item.root.key, document)
        findings.seconds["chunk"] += process_time() - begun
        count(document, findings.counts)
        findings.counts.update(f"{chunk.kind} chunks" for chunk in chunks)
        findings.counts["chunks"] += len(chunks)
        begun = process_time()
        for what, check in checks.items():
            findings.faults[what] += [f"{item.shown}: {where}" for where in check(document, chunks)]
        findings.seconds["check"] += process_time() - begun
        yield item, document


def count(document: Document, counts: Counter[str]) -> None:
    """Adds what a 1C developer counts; fields are those of objects, without what stands in files of its own."""
    counts[f"{document.kind} documents"] += 1
    match document.content:
        case MetadataObject() as owner if document.kind is DocumentKind.OBJECT:
            counts["objects"] += 1
            counts.update(f"{item.kind} fields" for _, item in walk_fields(owner))
        case Module() as module:
            counts["procedures"] += len(module.procedures)
            counts["exported procedures"] += sum(procedure.export for procedure in module.procedures)
            counts["queries in modules"] += len(module.queries)


class JsonLines:
    """Procedures and objects as JSON lines, `<corpus>.procedures.jsonl` and `<corpus>.objects.jsonl` of a folder;
    nothing where there is no folder."""

    def __init__(self, folder: Path | None, corpus: str) -> None:
        self._names = {name: folder / f"{corpus}.{name}.jsonl" for name in ("procedures", "objects")} if folder else {}
        self._files: dict[str, TextIO] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "JsonLines":
        for name, file in self._names.items():
            self._files[name] = self._stack.enter_context(file.open("w", encoding="utf-8"))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def write(self, path: str, document: Document) -> None:
        match document.content:
            case MetadataObject() as owner if document.kind is DocumentKind.OBJECT:
                self._write(
                    "objects", path=path, kind=owner.kind, fqn=owner.fqn, title=owner.title, adopted=owner.adopted
                )
            case Module() as module:
                for item in module.procedures:
                    self._write(
                        "procedures",
                        path=path, symbol=item.name, start=item.line, end=item.last_line, export=item.export,
                    )  # fmt: skip

    def _write(self, name: str, **row: str | int) -> None:
        if name in self._files:
            self._files[name].write(json.dumps(row, ensure_ascii=False) + "\n")
