"""`python -m benchmarks.reading FOLDER`: how fast a checkout is read, and with how much memory.

Prints a table: for every format of the folder its files, megabytes, megabytes a second of one core, and the peak of
Python's memory while its largest file is read; the scanner of modules alone, with and without the queries in them; and
two inputs as long as real ones have been. Times are CPU seconds, the best of three runs.
"""

import argparse
import sys
import tracemalloc
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import process_time

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import HEAD
from onec_rag.formats.base import Format, Root
from onec_rag.formats.bsl import CONTAINER_SIGN, decode, scan
from onec_rag.formats.bsl_literals import queries_of
from onec_rag.formats.table import find_roots, format_of

RUNS = 3
MEGABYTE = 1e6
Read = tuple[Format, str, Path]


def main() -> None:
    """Reads the argument, measures, prints."""
    parser = argparse.ArgumentParser(description="Measure how fast a checkout is read")
    parser.add_argument("folder", type=Path, help="a dump of a configuration, a project of EDT, or several of them")
    folder: Path = parser.parse_args().folder
    files: dict[str, list[Read]] = defaultdict(list)
    for row, path, file in _files(folder):
        files[row.name].append((row, path, file))
    _print("format", "files", "MB", "MB/s", "largest, MB", "its peak, MB")
    for name, reads in sorted(files.items()):
        _print(name, *_measure(reads))
    modules = [data for _, _, file in files["module"] if not (data := file.read_bytes()).startswith(CONTAINER_SIGN)]
    _measure_scanner(modules)
    statement = '\tОстаток = Получить(Склад, "Основной");\n'
    for name, body in {
        "a procedure of 680,000 characters": statement * (680_000 // len(statement) + 1),
        "a line of 1 MB": f'\tДанные = "{"Ёлка12" * 90_000}";\n',
    }.items():
        text = f"Процедура Длинная()\n{body}КонецПроцедуры\n"
        _print(f"{name}: {_best(partial(scan, text, 'CommonModule')):.3f} s")


def _files(folder: Path) -> Iterator[Read]:
    """Every file that somebody reads, with its path inside its root."""
    found = {
        unicodedata.normalize("NFC", file.relative_to(folder).as_posix()): file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and ".git" not in file.parts
    }
    roots = find_roots(found, lambda path: found[path].read_bytes()[:HEAD])
    for path, file in found.items():
        held: list[Root] = [root for root in roots if root.holds(path)]
        if held:
            root = max(held, key=lambda root: len(root.prefix))
            inside = path.removeprefix(root.prefix)
            if row := format_of(root.kind, inside):
                yield row, inside, file


def _measure(reads: Sequence[Read]) -> Iterator[object]:
    size = sum(file.stat().st_size for _, _, file in reads)
    yield from (len(reads), f"{size / MEGABYTE:.1f}")
    times = []
    for _ in range(RUNS):
        seconds = 0.0
        for row, path, file in reads:
            data = file.read_bytes()
            begun = process_time()
            _read(row, path, data)
            seconds += process_time() - begun
        times.append(seconds)
    yield f"{size / MEGABYTE / max(min(times), 1e-6):.0f}"
    row, path, file = max(reads, key=lambda read: read[2].stat().st_size)
    data = file.read_bytes()
    tracemalloc.start()
    _read(row, path, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield from (f"{len(data) / MEGABYTE:.1f}", f"{peak / MEGABYTE:.1f}")


def _read(row: Format, path: str, data: bytes) -> None:
    try:
        row.read(path, data)
    except PermanentError as error:
        sys.stderr.write(f"{error}\n")


def _measure_scanner(modules: Sequence[bytes]) -> None:
    """What `scan` costs behind decoding, and its share for the queries."""
    size = sum(map(len, modules)) / MEGABYTE
    whole, queries = [], []
    for _ in range(RUNS):
        scanning = searching = 0.0
        for data in modules:
            text = decode(data, "")
            begun = process_time()
            module = scan(text, "CommonModule")
            scanning += process_time() - begun
            text = "\n" + "\n".join(module.lines)
            begun = process_time()
            queries_of(text, module.procedures)
            searching += process_time() - begun
        whole.append(scanning)
        queries.append(searching)
    if size:
        without = min(whole) - min(queries)
        _print(f"scanner: {size / min(whole):.1f} MB/s, without queries {size / without:.1f} MB/s")


def _best(run: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        begun = process_time()
        run()
        times.append(process_time() - begun)
    return min(times)


def _print(*cells: object) -> None:
    first, *others = map(str, cells)
    sys.stdout.write(first.ljust(20) + "".join(cell.rjust(14) for cell in others) + "\n")


if __name__ == "__main__":
    main()
