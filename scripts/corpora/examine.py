"""One corpus from its folder to its table: what was found, what is expected, how fast, and what could not be read."""

import resource
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from scripts.corpora.binaries import open_binaries
from scripts.corpora.checks import CHECKS
from scripts.corpora.descriptors import Descriptors, bodies_missing, descriptor_rows, tell
from scripts.corpora.expected import CORPUS_BY_NAME, Corpus
from scripts.corpora.folder import Placed, list_files, placed_files, roots_of
from scripts.corpora.reading import Findings, JsonLines, read_documents, read_names
from scripts.corpora.rows import Row, print_rows

from onec_rag.formats.base import RootKind

MEGABYTE = 1_000_000
SHOWN = 20
"""Places of each kind that are printed."""


def examine(name: str, folder: Path, out: Path | None, checks: Sequence[str]) -> int:
    """Prints the table of a corpus and returns how many figures are off.

    `checks` are names of `CHECKS`; `out` is where JSON lines go. It is meant for a process of its own, whose peak of
    memory is the corpus's.
    """
    corpus, findings = CORPUS_BY_NAME[name], Findings()
    checkout = list_files(folder)
    files = checkout.files
    roots = roots_of(files)
    placed = list(placed_files(files, roots))
    dumps = [item for item in placed if item.root.kind is not RootKind.DOCUMENTATION]
    told, found = tell(files, dumps), Descriptors()
    made = {fault: make() for fault, make in (CHECKS[check] for check in checks)}
    begun = process_time()
    facts = read_names(placed, roots)
    findings.seconds["names"] = process_time() - begun
    with JsonLines(out, name) as lines:
        for item, document in read_documents(placed, facts, made, findings):
            lines.write(item.shown, document)
            found.add_document(item, document)
    binaries, unopened = open_binaries(files)
    print(f"{name}: {corpus.about}")
    print(f"  {len(files):,} files, {len(roots)} roots, {findings.size / MEGABYTE:,.1f} MB read")
    off = print_rows([*_rows(corpus, findings, list(made), dumps, told, found), *binaries])
    _print_figures(corpus, findings)
    _print_places("can't be read", [f"{path}: {_known(corpus, path)}{reason}" for path, reason in findings.problems])
    _print_places("can't be opened", unopened)
    _print_places("protected modules", findings.protected)
    _print_places("left out by Git LFS", checkout.pointers)
    _print_places("descriptors whose other file is not in the folder", bodies_missing(dumps, checkout.pointers))
    for what in made:
        _print_places(what, findings.faults[what])
    return off


def _rows(
    corpus: Corpus, findings: Findings, faults: Sequence[str], dumps: Sequence[Placed], told: Descriptors,
    found: Descriptors,
) -> Iterator[Row]:  # fmt: skip
    yield from (Row(what, findings.counts[what], expected) for what, expected in corpus.expected.items())
    known = [path for path, _ in findings.problems if path.endswith(tuple(corpus.malformed))]
    yield Row("files that can't be read", len(findings.problems) - len(known), 0)
    yield from descriptor_rows(told, found, len(known))
    if not dumps and not findings.size:
        yield Row("roots", 0, 1)  # nothing found is no success
    yield Row("modules that no format reads", sum(item.path.endswith(".bsl") and not item.format for item in dumps), 0)
    yield from (Row(what, len(findings.faults[what]), corpus.faults.get(what, 0)) for what in faults)


def _print_figures(corpus: Corpus, findings: Findings) -> None:
    seconds, speed = findings.seconds, findings.size / MEGABYTE / max(findings.seconds["read and parse"], 0.001)
    both = seconds["read and parse"] + seconds["chunk"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    slow = f", {corpus.seconds:.0f} s wanted" if corpus.seconds is not None and both > corpus.seconds else ""
    print(
        f"  names {seconds['names']:.1f} s; read and parse {seconds['read and parse']:.1f} s ({speed:.1f} MB/s);"
        f" chunk {seconds['chunk']:.1f} s; both {both:.1f} s{slow}; checks {seconds['check']:.1f} s;"
        f" peak {peak / MEGABYTE:,.0f} MB"
    )
    told = sorted((what, count) for what, count in findings.counts.items() if what not in corpus.expected)
    words = " · ".join(f"{what} {count:,}".replace(" ", "\N{NO-BREAK SPACE}") for what, count in told)
    print(textwrap.fill(words, 120, initial_indent="  ", subsequent_indent="  ").replace("\N{NO-BREAK SPACE}", " "))


def _known(corpus: Corpus, path: str) -> str:
    return next((f"known, {why}: " for end, why in corpus.malformed.items() if path.endswith(end)), "")


def _print_places(what: str, places: Sequence[str]) -> None:
    """How many, and the first of them; nothing where there are none."""
    if places:
        print("\n    ".join([f"  {what}: {len(places):,}", *places[:SHOWN]]))
