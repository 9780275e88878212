"""`python -m scripts.corpora --bsp DIR …`: reads the checkouts it is given and exits with 1 where a count is off."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from scripts.corpora.checks import CHECKS
from scripts.corpora.examine import examine
from scripts.corpora.expected import CORPORA, CORPUS_BY_NAME
from scripts.corpora.help_pages import examine_help

SLOW = ("oracle", "tokens")


def _folder(text: str) -> Path:
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return Path(text)


def main() -> int:
    """One corpus after another, each in a process of its own, so that its peak of memory is its own."""
    parser = argparse.ArgumentParser(prog="python -m scripts.corpora", description=__doc__)
    for corpus in CORPORA:
        parser.add_argument(f"--{corpus.name}", type=_folder, metavar="DIR", help=corpus.about)
    parser.add_argument(
        "--hbk", type=_folder, nargs="+", default=[], metavar="DIR", help="pages of the platform's help"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write procedures and objects as JSON lines")
    parser.add_argument("--oracle", action="store_true", help="compare procedures with tree-sitter-hbk's grammar")
    parser.add_argument("--tokens", action="store_true", help="count tokens with the model's own tokenizer")
    given = vars(parser.parse_args())
    if not any(given[name] for name in (*CORPUS_BY_NAME, "hbk")):
        parser.error("no checkout is given")
    checks = [name for name in CHECKS if name not in SLOW or given[name]]
    if given["out"]:
        given["out"].mkdir(parents=True, exist_ok=True)
    off = 0
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        for corpus in CORPORA:
            if folder := given[corpus.name]:
                off += processes.submit(examine, corpus.name, folder, given["out"], checks).result()
        off += sum(processes.submit(examine_help, folder).result() for folder in given["hbk"])
    print(f"figures off: {off}" if off else "every figure is as expected")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
