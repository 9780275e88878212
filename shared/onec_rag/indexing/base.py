"""What the steps of indexing work with."""

from dataclasses import dataclass

from onec_rag.aws.objects import Objects
from onec_rag.aws.queue import Queue
from onec_rag.chunking import base as chunking
from onec_rag.embedding import Embedder
from onec_rag.formats.archive import Limits
from onec_rag.store.database import Database
from onec_rag.text import tokenize

PIPELINE = chunking.VERSION * 100 + tokenize.VERSION
"""Part of every row key: chunks of another pipeline are others."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """The database, the bucket, the queues and the model of one process; `window` is in the model's tokens.

    A release that would remove more than the share `most_removed` of its source's documents is held. A batch of loose
    objects is closed when nothing has changed for `sync_quiet` seconds (900 at the most).
    """

    database: Database
    objects: Objects
    plan_queue: Queue
    index_queue: Queue
    embed_queue: Queue
    embedder: Embedder | None
    window: int
    limits: Limits
    most_removed: float = 0.3
    sync_quiet: int = 60

    @property
    def pipeline(self) -> int:
        """Stored with each load: the same bytes through another pipeline or window are not the same content."""
        return PIPELINE * 100_000 + self.window
