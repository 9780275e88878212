"""`onec-rag upload`: a folder or file to the bucket, then its way into the index."""

import tempfile
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal
from rich.progress import Progress

from onec_rag_client.api import OnecRag
from onec_rag_client.archive import LARGEST, Skipped, list_folder, write_zip
from onec_rag_client.cli.options import AsJson, connect
from onec_rag_client.cli.output import ERR, OUT, number, plain, print_json
from onec_rag_client.cli.stages import begin_bytes, begin_count, make_progress, show_upload, show_vectors
from onec_rag_client.cli.tables import count_rows, facts_table, problems_table, upload_rows
from onec_rag_client.cli.vectors import tell_cost
from onec_rag_client.errors import ApiError, LoadFailed, LoadHeld, UploadRefused
from onec_rag_client.language import text
from onec_rag_client.results import Problem, Upload
from onec_rag_client.transfer import send_parts
from onec_rag_client.waiting import find_source, wait_for_text, wait_for_vectors

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".hbk")
PAGES = (".md", ".markdown", ".html", ".htm", ".docx", ".pdf", ".epub", ".txt")
BINARIES = (".cf", ".cfe", ".epf", ".erf")
"""What the Designer must export to files first; the service says so too."""
SHOWN_PROBLEMS = 10


class Wait(StrEnum):
    """What an upload is waited for."""

    TEXT = "text"
    VECTORS = "vectors"


def upload(
    path: Annotated[Path, typer.Argument(metavar="PATH", exists=True, help=text("upload.path"))],
    source: Annotated[str, typer.Option("--source", "-s", metavar="NAME", help=text("upload.source"))],
    label: Annotated[str | None, typer.Option(metavar="LABEL", help=text("upload.label"))] = None,
    wait: Annotated[Wait, typer.Option(help=text("upload.wait"))] = Wait.TEXT,
    no_wait: Annotated[bool, typer.Option("--no-wait", help=text("upload.no_wait"))] = False,
    confirm: Annotated[bool, typer.Option("--confirm", help=text("upload.confirm"))] = False,
    as_json: AsJson = False,
) -> None:
    """Sends, waits as asked, and sums up; a load that failed is an error."""
    begun = time.monotonic()
    with connect() as api:
        with make_progress() as progress:
            sent, skipped = _send(api, progress, path, source, label, confirm)
        for item in skipped:
            ERR.print(text(f"upload.{item.reason}", name=plain(item.name), size=decimal(LARGEST)), soft_wrap=True)
        loaded = sent if no_wait else _wait(api, sent["id"], wait)
        problems = api.problems(loaded["id"]) if loaded["problems"] else []
        if as_json:
            names = [{"path": item.name, "reason": item.reason} for item in skipped]
            seconds = round(time.monotonic() - begun, 2)
            print_json({"upload": loaded, "problems": problems, "skipped": names, "seconds": seconds})
        elif no_wait:
            OUT.print(text("upload.sent", id=loaded["id"]))
        else:
            _show_summary(api, loaded, problems, time.monotonic() - begun)
    if loaded["state"] == "failed":
        raise LoadFailed(loaded["reason"] or "")
    if loaded["state"] == "held":
        raise LoadHeld(text("upload.held", reason=plain(loaded["reason"] or ""), id=loaded["id"]))


def _send(
    api: OnecRag, progress: Progress, path: Path, source: str, label: str | None, confirm: bool
) -> tuple[Upload, tuple[Skipped, ...]]:
    with tempfile.TemporaryDirectory(prefix="onec-rag-") as folder:
        file, name = path, path.name
        skipped: tuple[Skipped, ...] = ()
        if path.is_dir():
            file, name = Path(folder) / "upload.zip", f"{path.resolve().name or 'upload'}.zip"
            skipped = _pack(progress, path, file)
        elif path.name.lower().endswith(BINARIES):
            raise UploadRefused(text("upload.binary", path=plain(str(path))))
        elif not path.name.lower().endswith((*ARCHIVES, *PAGES)):
            kinds = ", ".join((*ARCHIVES, *PAGES))
            raise UploadRefused(text("upload.kind", path=plain(str(path)), kinds=kinds))
        size = file.stat().st_size
        if not size:
            raise UploadRefused(text("upload.empty", path=plain(str(path))))
        links = api.announce(source, name, size, label, confirm=confirm)
        if links["multipart_id"] is None or links["part_size"] is None:
            raise ApiError(200, "the service gave no links for the parts of the upload")
        on_bytes = begin_bytes(progress, "stage.send", size)
        etags = send_parts(api, file, links["parts"], links["part_size"], on_bytes)
        return api.complete(links["id"], links["multipart_id"], etags), skipped


def _pack(progress: Progress, folder: Path, target: Path) -> tuple[Skipped, ...]:
    listing = list_folder(folder)
    if not listing.files:
        raise UploadRefused(text("upload.empty", path=plain(str(folder))))
    write_zip(listing, target, begin_bytes(progress, "stage.pack", listing.size))
    return listing.skipped


def _wait(api: OnecRag, upload_id: str, wait: Wait) -> Upload:
    try:
        with make_progress() as progress:
            tasks = begin_count(progress, "stage.receiving")
            loaded = wait_for_text(api, upload_id, lambda seen: show_upload(progress, tasks, seen))
            if wait is Wait.VECTORS and loaded["state"] in ("ready", "unchanged"):
                chunks = begin_count(progress, "stage.vectors")
                tell = tell_cost(api, loaded["source"])
                wait_for_vectors(api, loaded["source"], lambda seen: (show_vectors(progress, chunks, seen), tell(seen)))
            return loaded
    except KeyboardInterrupt:
        ERR.print(text("upload.interrupted", id=upload_id), soft_wrap=True)
        raise


def _show_summary(api: OnecRag, loaded: Upload, problems: list[Problem], seconds: float) -> None:
    counts = loaded["counts"]
    if loaded["state"] == "unchanged" and not counts:
        counts = find_source(api.sources(), loaded["source"])["counts"]
    rows = [
        *upload_rows(loaded),
        *(count_rows(counts) if loaded["state"] in ("ready", "unchanged") else []),
        ("files_skipped", number(loaded["files_skipped"])),
        ("problems", number(loaded["problems"])),
        ("seconds", f"{seconds:.1f}"),
    ]
    OUT.print(facts_table(rows))
    if problems:
        OUT.print()
        OUT.print(problems_table(problems[:SHOWN_PROBLEMS]))
    if loaded["problems"] > SHOWN_PROBLEMS:
        OUT.print(text("table.more", count=loaded["problems"] - SHOWN_PROBLEMS, id=loaded["id"]), soft_wrap=True)
