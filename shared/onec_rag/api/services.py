"""What the routes work with."""

from dataclasses import dataclass

from onec_rag.answering.answer import Answering
from onec_rag.aws.objects import Objects
from onec_rag.aws.queue import Queue
from onec_rag.retrieval.pipeline import Search
from onec_rag.store.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one API process; `upload_limit` is in bytes, `embedding` says where vectors come from."""

    database: Database
    objects: Objects
    search: Search
    answering: Answering
    bucket: str
    key_secret: bytes
    upload_limit: int
    embedding: str
    plan_queue: Queue
    embed_queue: Queue | None = None
