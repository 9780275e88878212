"""Damages the fixtures of every format and reads what comes out: a document, nothing, or a `PermanentError` with the
path, in time and in bounded memory; a document's chunks must then fit the window.

Input N of a seed is always the same, whatever was read before. Inputs are read in a process of their own, which one
that must not be ends: by its traceback, by the watchdog, or by the limit of memory. `--input N` reads that one alone.
"""

import argparse
import faulthandler
import os
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from ctypes import c_longlong
from multiprocessing import get_context
from multiprocessing.sharedctypes import SynchronizedArray
from pathlib import Path

from scripts.fuzz.damage import damage
from scripts.fuzz.seeds import Seed, seeds_of

from onec_rag.chunking.base import Context
from onec_rag.chunking.document import chunks_of
from onec_rag.errors import PermanentError
from onec_rag.text.budget import estimate_tokens

FIXTURES = Path(__file__).parents[2] / "tests" / "data" / "formats"
LONGEST, SHORT = 1_000_000, 50_000
"""Bytes that an input has at most: one in fifty, and the others."""
SECONDS = 30
"""Time that an input has: many times what the largest one takes on a busy machine."""
MEMORY = 4 << 30
"""Bytes of address space for the process that reads."""
KEPT = 3
"""Inputs that are saved of failures that look alike."""
OUTCOMES = ("document", "nothing", "refused")
COLUMNS = (*OUTCOMES, "slowest, ms", "input")
_PLACE = re.compile(r'onec_rag/([\w/]+\.py)", line \d+,? in (\w+)')


def input_of(seeds: Sequence[Seed], seed: int, number: int) -> tuple[Seed, bytes]:
    """Who reads the input of that number, and its bytes."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311
    reader = chance.choice(sorted({item.reader for item in seeds}))
    chosen = chance.choice([item for item in seeds if item.reader == reader])
    longest = LONGEST if chance.random() < 0.02 else SHORT
    return chosen, damage(chance, chosen.data, chance.choice(seeds).data, longest)


class Fault(Exception):
    """A reader or a chunker has not kept its word."""


def read(seed: Seed, data: bytes) -> str:
    """The outcome; raises whatever must not be."""
    try:
        document = seed.read(seed.path, data)
    except PermanentError as error:
        if error.path != seed.path or not error.reason:
            raise Fault(f"an error without path or reason: {error!r}") from error
        return "refused"
    if document is None:
        return "nothing"
    if document.path != seed.path:
        raise Fault("a document with another path")
    context = Context()
    if any(estimate_tokens(chunk.embedded_text) > context.window for chunk in chunks_of(document, context)):
        raise Fault("a chunk above the window")
    return "document"


def run(seed: int, first: int, end: float, current: "SynchronizedArray[int]", log: Path) -> None:
    """Reads inputs from the first number on until the time is over; its dying words go to `log`.

    `current` holds the number that is being read, then `COLUMNS` of each reader: how often it came to each outcome, its
    longest time, and the number of that input.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with log.open("w") as stream:
        os.dup2(stream.fileno(), 2)
    seeds = seeds_of(FIXTURES)
    readers = sorted({item.reader for item in seeds})
    number = first
    while time.monotonic() < end:
        current[0] = number
        chosen, data = input_of(seeds, seed, number)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        begun = time.perf_counter()
        outcome = read(chosen, data)
        milliseconds = int((time.perf_counter() - begun) * 1000)
        faulthandler.cancel_dump_traceback_later()
        row = 1 + readers.index(chosen.reader) * len(COLUMNS)
        current[row + COLUMNS.index(outcome)] += 1
        if milliseconds >= current[row + len(OUTCOMES)]:
            current[row + len(OUTCOMES)], current[row + len(OUTCOMES) + 1] = milliseconds, number
        number += 1
    current[0] = number


def main() -> int:
    """Runs, prints what was run and every failure; 1 where there was one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other inputs (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=10, help="how long (default: %(default)s)")
    parser.add_argument("--input", type=int, metavar="N", help="read the input of this number alone, and save it")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where failing inputs go (%(default)s)")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    seeds = seeds_of(FIXTURES)
    if given.input is not None:
        print(_save(given.out, given.seed, given.input, seeds, "read alone\n"))
        print(read(*input_of(seeds, given.seed, given.input)))
        return 0
    readers = sorted({item.reader for item in seeds})
    current = get_context().Array(c_longlong, 1 + len(readers) * len(COLUMNS), lock=False)
    failures: Counter[str] = Counter()
    end = time.monotonic() + given.minutes * 60
    while time.monotonic() < end:
        log = given.out / "last.log"
        process = get_context().Process(target=run, args=(given.seed, current[0], end, current, log))
        process.start()
        process.join()
        if process.exitcode:
            words = log.read_text("utf-8", "replace") or f"the process ended with {process.exitcode}"
            look = _look(words)
            failures[look] += 1
            if failures[look] <= KEPT:
                print(f"{look}\n  {_save(given.out, given.seed, current[0], seeds, words)}", flush=True)
            current[0] += 1
    _print_table(readers, current, failures, given.seed)
    return 1 if failures else 0


def _look(words: str) -> str:
    """What a failure is called: its last line, and the last place of ours that was in it."""
    lines = words.strip().splitlines()
    places = [found for line in lines if (found := _PLACE.search(line))]
    timeout = lines[0].startswith("Timeout")  # its traceback begins with the last call
    place = places[0 if timeout else -1] if places else None
    said = re.sub(r"\d+", "N", lines[0 if timeout else -1])[:160]
    return f"{said}{f' in {place[1]}, {place[2]}' if place else ''}"


def _save(out: Path, seed: int, number: int, seeds: Sequence[Seed], words: str) -> Path:
    """Writes an input and, beside it, whose it is and what was said of it."""
    chosen, data = input_of(seeds, seed, number)
    file = out / f"{seed}-{number}.{chosen.reader.replace(' ', '.')}"
    file.write_bytes(data)
    file.with_name(f"{file.name}.txt").write_text(f"{chosen.path}\n{words}", encoding="utf-8")
    return file


def _print_table(readers: Sequence[str], current: "SynchronizedArray[int]", failures: Counter[str], seed: int) -> None:
    print(f"seed {seed}: {current[0]:,} inputs\n{'':36}" + "".join(f"{column:>13}" for column in COLUMNS))
    for place, reader in enumerate(readers):
        counts = current[1 + place * len(COLUMNS) :][: len(COLUMNS)]
        print(f"{reader:36}" + "".join(f"{count:>13,}" for count in counts))
    for look, count in failures.most_common():
        print(f"FAILED {count} times: {look}")


if __name__ == "__main__":
    sys.exit(main())
