"""Loads a real configuration into a stack of its own and prints what issue "1 of 9" asks for.

Time until full text is searchable, what was found, peak memory of a worker, size of the database, latency of 200
searches at the HTTP API, and nDCG@10 by file over a gold set (Järvelin and Kekäläinen, 2002; gain 2^grade - 1).
`--vectors` waits for all vectors and measures hybrid search too. It uses the CLI and the API alone, as a user would.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx2
import psutil

from onec_rag_local.processes import free_port
from onec_rag_local.stack import Stack, running

SEARCHES = 200
Row = dict[str, Any]


def main() -> None:
    """Reads the arguments, runs, prints a table and JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", type=Path, help="zip or folder of a configuration export")
    parser.add_argument("--gold", type=Path, help="JSONL with query, type and graded places")
    parser.add_argument("--vectors", action="store_true", help="wait for vectors (about an hour for БСП on 2 cores)")
    parser.add_argument("--data", type=Path, help="data folder to keep; else a temporary one")
    arguments = parser.parse_args()
    gold = [json.loads(line) for line in arguments.gold.read_text("utf-8").splitlines()] if arguments.gold else []
    with tempfile.TemporaryDirectory(prefix="onec-rag-look-") as name:
        folder = arguments.data or Path(name)
        folder.chmod(0o755)
        with running(folder, free_port(), lambda _: None) as stack:
            figures = _look(stack, arguments.dump, gold, arguments.vectors)
    sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")


def _look(stack: Stack, dump: Path, gold: list[Row], vectors: bool) -> Row:
    api = httpx2.Client(base_url=stack.url, headers={"Authorization": f"Bearer {stack.key}"}, timeout=60)
    with _peak_memory(stack) as peak:
        begun = time.monotonic()
        command = [sys.executable, "-m", "onec_rag_client", "upload", str(dump), "--source", "look"]
        environment = {**os.environ, "ONEC_RAG_URL": stack.url, "ONEC_RAG_API_KEY": stack.key}
        subprocess.run(command, env=environment, check=True)
        seconds = time.monotonic() - begun
    upload = api.get("/v1/uploads", params={"source": "look"}).json()[0]
    figures: Row = {
        "seconds_until_full_text": round(seconds, 1),
        "peak_worker_mb": round(max(peak.values()) / 2**20),
        "problems": upload["problems"],
        "counts": api.get("/v1/sources").json()[0]["counts"],
        "database_mb": round(api.get("/v1/status").json()["database_bytes"] / 2**20),
        "lexical": _measure(api, gold, "lexical"),
    }
    if vectors:
        subprocess.run([*command, "--wait", "vectors"], env=environment, check=True)
        figures["seconds_until_vectors"] = round(time.monotonic() - begun)
        figures["hybrid"] = _measure(api, gold, "hybrid")
        figures["database_with_vectors_mb"] = round(api.get("/v1/status").json()["database_bytes"] / 2**20)
    return figures


def _measure(api: httpx2.Client, gold: list[Row], mode: str) -> Row:
    """Latency of `SEARCHES` searches one at a time, and quality over the gold set."""
    questions = [row["query"] for row in gold] or ["как получить значение реквизита объекта"]
    milliseconds = []
    for number in range(SEARCHES):
        body = {"query": questions[number % len(questions)], "mode": mode}
        begun = time.perf_counter()
        api.post("/v1/search", json=body).raise_for_status()
        milliseconds.append((time.perf_counter() - begun) * 1000)
    cuts = quantiles(milliseconds, n=100)
    scores: dict[str, list[float]] = {}
    for row in gold:
        if row["relevant"]:
            hits = api.post("/v1/search", json={"query": row["query"], "mode": mode, "limit": 50}).json()["hits"]
            files = list(dict.fromkeys(hit["place"]["path"] for hit in hits))[:10]
            scores.setdefault(row["type"], []).append(_ndcg(files, row["relevant"]))
    every = [score for rows in scores.values() for score in rows]
    return {
        "p50_ms": round(cuts[49], 1),
        "p95_ms": round(cuts[94], 1),
        "ndcg_at_10": {
            **{name: round(sum(rows) / len(rows), 3) for name, rows in scores.items()},
            **({"all": round(sum(every) / len(every), 3)} if every else {}),
        },
    }


def _ndcg(files: list[str], relevant: list[Row]) -> float:
    grades: dict[str, int] = {}
    for place in relevant:
        grades[place["path"]] = max(grades.get(place["path"], 0), place["grade"])
    gained = sum((2 ** grades.get(file, 0) - 1) / math.log2(rank + 2) for rank, file in enumerate(files))
    best = sorted(grades.values(), reverse=True)[:10]
    return gained / sum((2**grade - 1) / math.log2(rank + 2) for rank, grade in enumerate(best))


@contextmanager
def _peak_memory(stack: Stack) -> Iterator[dict[str, int]]:
    """The largest resident size in bytes that each worker process has had, watched five times a second."""
    peak = {child.name: 0 for child in stack.supervisor.children if child.name.startswith(("indexer", "planner"))}
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            for child in stack.supervisor.children:
                if child.name in peak and child.alive:
                    size = psutil.Process(child.process.pid).memory_info().rss
                    peak[child.name] = max(peak[child.name], size)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    yield peak
    ended.set()
    thread.join()


if __name__ == "__main__":
    main()
