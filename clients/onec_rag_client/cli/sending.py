"""What `onec-rag upload` sends: a file as it is, a folder as an archive of all its files or of what has changed."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from rich.progress import Progress

from onec_rag_client.api import OnecRag
from onec_rag_client.archive import Changes, Listing, Skipped, hash_files, list_folder, write_zip
from onec_rag_client.cli.output import plain
from onec_rag_client.cli.stages import begin_bytes
from onec_rag_client.errors import ApiError, NotFound, UploadRefused
from onec_rag_client.language import text
from onec_rag_client.results import Manifest, Upload
from onec_rag_client.transfer import send_parts

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".hbk")
PAGES = (".md", ".markdown", ".html", ".htm", ".docx", ".pdf", ".epub", ".txt")
BINARIES = (".cf", ".cfe", ".epf", ".erf")
"""What the Designer must export to files first; the service says so too."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be loaded where. `everything`: all files of a folder are sent, whatever the service has."""

    path: Path
    source: str
    label: str | None
    confirm: bool
    everything: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of it: `upload` is None where a folder is what the service has already; `changes` tells that it holds
    only what has changed."""

    upload: Upload | None
    skipped: tuple[Skipped, ...] = ()
    changes: bool = False


def send(api: OnecRag, progress: Progress, order: Order) -> Sent:
    """Sends a folder, an archive or a page.

    Raises:
        UploadRefused: it is nothing that the service reads, or holds nothing.
    """
    path = order.path
    if path.is_dir():
        return _send_folder(api, progress, order)
    if path.name.lower().endswith(BINARIES):
        raise UploadRefused(text("upload.binary", path=plain(str(path))))
    if not path.name.lower().endswith((*ARCHIVES, *PAGES)):
        kinds = ", ".join((*ARCHIVES, *PAGES))
        raise UploadRefused(text("upload.kind", path=plain(str(path)), kinds=kinds))
    return Sent(_send_file(api, progress, order, path, path.name))


def _send_folder(api: OnecRag, progress: Progress, order: Order) -> Sent:
    listing = list_folder(order.path)
    if not listing.files:
        raise UploadRefused(text("upload.empty", path=plain(str(order.path))))
    known = None if order.everything else _ask_manifest(api, order.source)
    packed, changes = listing, None
    if known is not None:
        hashes = hash_files(listing, begin_bytes(progress, "stage.compare", listing.size))
        if hashes == known["files"] and order.label in (None, known["label"]):
            return Sent(None, listing.skipped)
        unchanged = {name: digest for name, digest in hashes.items() if known["files"].get(name) == digest}
        packed = _without(listing, unchanged)
        changes = Changes(known["upload"], unchanged)
    with tempfile.TemporaryDirectory(prefix="onec-rag-") as folder:
        file = Path(folder) / "upload.zip"
        write_zip(packed, file, begin_bytes(progress, "stage.pack", packed.size), changes)
        upload = _send_file(api, progress, order, file, f"{order.path.resolve().name or 'upload'}.zip")
    return Sent(upload, listing.skipped, changes is not None)


def _ask_manifest(api: OnecRag, source: str) -> Manifest | None:
    try:
        return api.manifest(source)
    except NotFound:
        return None


def _without(listing: Listing, names: dict[str, str]) -> Listing:
    return replace(listing, files=tuple(file for file in listing.files if file.name not in names))


def _send_file(api: OnecRag, progress: Progress, order: Order, file: Path, name: str) -> Upload:
    size = file.stat().st_size
    if not size:
        raise UploadRefused(text("upload.empty", path=plain(str(order.path))))
    links = api.announce(order.source, name, size, order.label, confirm=order.confirm)
    if links["multipart_id"] is None or links["part_size"] is None:
        raise ApiError(200, "the service gave no links for the parts of the upload")
    etags = send_parts(api, file, links["parts"], links["part_size"], begin_bytes(progress, "stage.send", size))
    return api.complete(links["id"], links["multipart_id"], etags)
