"""`python -m benchmarks.releases GIT [--gold QUESTIONS]`: what releases of БСП cost, and that an old one stays whole.

Loads real releases of `1c-syntax/ssl_3_1` into local services of their own (real PostgreSQL, queues, workers, HTTP API
and CLI; an embedding endpoint that costs nothing and counts), prints each figure beside its bar, writes
`build/bench/releases.json`, and exits with 1 where a bar is missed. Groups: `patch` (first load, patch, an unchanged
folder), `minor` (a minor release, and an old one read back), `ten` (ten releases against the newest alone).
"""

import argparse
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean, median

from benchmarks.as_of import Found, equal, lexical_hits, overlap, vector_hits
from benchmarks.embedding_endpoint import EmbeddingEndpoint
from benchmarks.git_releases import find_releases, list_objects, write_release
from benchmarks.service import Loaded, Row, Service, service

GROUPS = ("patch", "minor", "ten")
BEFORE_PATCH, NEWEST, BEFORE_MINOR = "3.1.12.218", "3.1.12.238", "3.1.11.415"
QUESTIONS = 100
RUNS = 10
"""Of the questions, alternating between two services."""
MEGABYTE = 2**20
OUT = Path("build/bench/releases.json")


Answers = tuple[list[list[Found]], list[list[Found]]]
"""Of all questions, by full text and by exact vectors."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement; `bar` is what it may be at the most (at the least if `least`), None where none is set."""

    group: str
    name: str
    value: float
    bar: float | None = None
    least: bool = False

    @property
    def missed(self) -> bool:
        if self.bar is None:
            return False
        return self.value < self.bar if self.least else self.value > self.bar


@dataclass(slots=True)
class Bench:
    """One run: where releases come from, the questions, and the figures so far."""

    repository: Path
    versions: dict[str, str]
    questions: list[str]
    folder: Path
    endpoint: EmbeddingEndpoint
    figures: list[Figure] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    loads: list[Row] = field(default_factory=list)

    def note(self, group: str, name: str, value: float, bar: float | None = None, *, least: bool = False) -> None:
        """Keeps a figure and prints it."""
        figure = Figure(group, name, round(value, 4), bar, least)
        self.figures.append(figure)
        limit = "" if bar is None else f"{'≥' if least else '≤'} {bar:g}"
        verdict = "MISSED" if figure.missed else "held" if bar is not None else ""
        sys.stdout.write(f"{group:6} {name:62} {figure.value:12,.4g} {limit:>10} {verdict}\n")
        sys.stdout.flush()

    def load(self, opened: Service, version: str, *, at_once: bool = False) -> Loaded:
        """Uploads a release's folder by the CLI and waits for the vectors; the folder then holds that release.

        `at_once`: vectors come without the queue; those of a first load would take longer by it than all the rest.
        """
        self.missing[version] = write_release(self.repository, self.versions[version], self.folder)
        if at_once:
            self.endpoint.gate.clear()
            self.endpoint.arrived.clear()
        embedded = self.endpoint.passages
        loaded = opened.upload(self.folder)
        if at_once:
            opened.fill_vectors()
        vectors = opened.await_vectors()
        self.loads.append(
            {
                "version": version, "seconds": round(loaded.seconds, 1), "vectors_after": round(vectors, 1),
                "processor_seconds": round(loaded.worked), "of_others": round(loaded.others),
                "embedded": self.endpoint.passages - embedded, "counts": loaded.upload and loaded.upload["counts"],
            }
        )  # fmt: skip
        sys.stderr.write(f"{json.dumps(self.loads[-1], ensure_ascii=False)}\n")
        return loaded


def main() -> int:
    """Reads the arguments, runs the groups, writes the figures; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path, help="a git directory of 1c-syntax/ssl_3_1")
    parser.add_argument("--gold", type=Path, help="JSONL with a query in each line; else names of objects are asked")
    parser.add_argument("--only", default=",".join(GROUPS), help=f"groups, of {','.join(GROUPS)}")
    arguments = parser.parse_args()
    groups = arguments.only.split(",")
    if unknown := set(groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that services end with it
    repository = arguments.repository.resolve()
    versions = find_releases(repository)
    if arguments.gold:
        questions = [json.loads(line)["query"] for line in arguments.gold.read_text("utf-8").splitlines()]
    else:
        questions = questions_of(list_objects(repository, versions[NEWEST]))
    with tempfile.TemporaryDirectory(prefix="onec-rag-releases-") as name, EmbeddingEndpoint() as endpoint:
        bench = Bench(repository, versions, questions, Path(name) / "configuration", endpoint)
        steps: dict[str, Callable[[Bench], None]] = {"patch": measure_patch, "minor": measure_minor, "ten": measure_ten}
        for group in GROUPS:
            if group in groups:
                steps[group](bench)
                _write(bench)
    missed = [figure for figure in bench.figures if figure.missed]
    sys.stdout.write(f"bars missed: {len(missed)}\n" if missed else "every bar is held\n")
    return 1 if missed else 0


def questions_of(names: Sequence[str]) -> list[str]:
    """`QUESTIONS` names from all over the list, each split into its words."""
    chosen = [names[place * len(names) // QUESTIONS] for place in range(QUESTIONS)]
    return [re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", name) for name in chosen]


def measure_patch(bench: Bench) -> None:
    """First load, the folder again, and the next patch release."""
    with service(bench.endpoint) as opened:
        first = bench.load(opened, BEFORE_PATCH, at_once=True)
        bench.note("patch", f"first load {BEFORE_PATCH}, seconds to full text", first.seconds, 120)
        for worker, peak in sorted(opened.peaks.items()):
            bench.note("patch", f"largest memory of {worker}, MB", peak / MEGABYTE, 512)
        uploads = opened.value("SELECT count(*) FROM upload")
        again = opened.upload(bench.folder)
        sent = opened.value("SELECT count(*) FROM upload") - uploads
        bench.note("patch", "unchanged folder, uploads made", sent + (again.upload is not None), 0)
        bench.note("patch", "unchanged folder, seconds", again.seconds, 20)
        embedded = bench.endpoint.passages
        patch = bench.load(opened, NEWEST)
        bench.note("patch", f"patch {NEWEST}, procedures new or changed", _new_procedures(opened), 127)
        bench.note("patch", f"patch {NEWEST}, texts embedded", bench.endpoint.passages - embedded)
        bench.note("patch", f"patch {NEWEST}, seconds", patch.seconds)
        bench.note("patch", f"patch {NEWEST}, share of the first load's time", patch.seconds / first.seconds, 0.15)


def measure_minor(bench: Bench) -> None:
    """An old release alone, then the newest over it: what is embedded, and whether the old one is still read whole."""
    with service(bench.endpoint) as opened:
        bench.load(opened, BEFORE_MINOR, at_once=True)
        alone = _read_current(bench, opened)
        embedded = bench.endpoint.passages
        bench.load(opened, NEWEST)
        share = (bench.endpoint.passages - embedded) / opened.source()["chunks"]
        bench.note("minor", f"minor {BEFORE_MINOR} → {NEWEST}, share of chunks embedded", share, 0.08)
        _compare_as_of(bench, opened, "minor", BEFORE_MINOR, alone)


def measure_ten(bench: Bench) -> None:
    """Ten consecutive releases against the newest alone: sizes, times of a search, an old release read back."""
    versions = list(bench.versions)
    begin = versions.index(NEWEST)
    ten = versions[begin : begin + 10][::-1]
    with ExitStack() as stacks:
        one = stacks.enter_context(service(bench.endpoint))
        bench.load(one, NEWEST, at_once=True)
        many = stacks.enter_context(service(bench.endpoint))
        bench.load(many, ten[0], at_once=True)
        first_sizes, alone = many.sizes(), _read_current(bench, many)
        for version in ten[1:]:
            bench.load(many, version)
        for name, newest, oldest, every in zip(
            ("without vectors", "with vectors"), one.sizes(), first_sizes, many.sizes(), strict=True
        ):
            bench.note("ten", f"{NEWEST} alone, MB {name}", newest / MEGABYTE)
            bench.note("ten", f"ten releases, MB {name}", every / MEGABYTE)
            bench.note("ten", f"ten releases / {NEWEST} alone, size {name}", every / newest, 1.6)
            bench.note("ten", f"ten releases / {ten[0]} alone, size {name}", every / oldest)
        for mode in ("lexical", "hybrid"):
            _compare_times(bench, one, many, mode)
        _compare_as_of(bench, many, "ten", ten[0], alone)


def _new_procedures(opened: Service) -> float:
    return float(
        opened.value(
            "SELECT count(DISTINCT (document_id, fqn)) FROM chunk WHERE kind = 'procedure' AND added_in = %s",
            opened.source()["release"],
        )
    )


def _compare_times(bench: Bench, one: Service, many: Service, mode: str) -> None:
    times: dict[str, list[float]] = {"one": [], "many": []}
    pairs = [("one", one), ("many", many)]
    for run in range(RUNS + 1):
        for name, opened in pairs if run % 2 else pairs[::-1]:
            begun = time.perf_counter()
            for question in bench.questions:
                opened.search(question, mode)
            if run:  # the first one warms caches
                times[name].append((time.perf_counter() - begun) / len(bench.questions))
    alone, newest = (median(times[name]) for name in ("one", "many"))
    bench.note("ten", f"{mode} search of the newest alone, ms", alone * 1000)
    bench.note("ten", f"{mode} search of the newest of ten / alone, time", newest / alone, 1.2)


def _read_current(bench: Bench, opened: Service) -> Answers:
    return lexical_hits(opened, bench.questions), vector_hits(opened, bench.questions, exact=True)


def _compare_as_of(bench: Bench, opened: Service, group: str, version: str, alone: Answers) -> None:
    """A release as of the time at which it was ready, with its answers when the database held nothing else."""
    releases = opened.api.get("/v1/releases").raise_for_status().json()
    as_of = next(row["ready_at"] for row in releases if row["label"] == version)
    now = lexical_hits(opened, bench.questions, as_of), vector_hits(opened, bench.questions, as_of, exact=True)
    for name, before, after in zip(("full text", "exact vectors"), alone, now, strict=True):
        what = f"as of {version}, {name}"
        bench.note(group, f"{what}: equal lists of hits, share", _share(before, after, equal), 1, least=True)
        bench.note(group, f"{what}: also in the order of equals, share", _share(before, after, list.__eq__))
    near = vector_hits(opened, bench.questions, as_of, exact=False)
    bench.note(group, f"as of {version}, HNSW: overlap@10", mean(map(overlap, now[1], near)), 0.95, least=True)
    exact, near = (vector_hits(opened, bench.questions, exact=way) for way in (True, False))
    bench.note(group, "the newest release, HNSW: overlap@10", mean(map(overlap, exact, near)))


def _share(
    one: Sequence[list[Found]], other: Sequence[list[Found]], same: Callable[[list[Found], list[Found]], bool]
) -> float:
    return mean(map(same, one, other))


def _write(bench: Bench) -> None:
    """The figures into the file; those of groups that this run has not measured stay as an earlier one left them."""
    OUT.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(OUT.read_text("utf-8"))["figures"] if OUT.exists() else []
    measured = {figure.group for figure in bench.figures}
    written = {
        "figures": [row for row in known if row["group"] not in measured]
        + [asdict(figure) | {"missed": figure.missed} for figure in bench.figures],
        "loads": bench.loads,
        "files_without_content": bench.missing,
        "processors": os.cpu_count(),
    }
    OUT.write_text(json.dumps(written, ensure_ascii=False, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
