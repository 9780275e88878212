"""The one place where settings become parts; every handler begins here."""

from functools import cache
from typing import TYPE_CHECKING

from onec_rag.settings import settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from fastapi import FastAPI
    from pydantic import SecretStr

    from onec_rag.answering.answer import ChatModel
    from onec_rag.embedding import Embedder
    from onec_rag.indexing.base import Indexing

PREFIX_TOKENS = 16
"""Tokens of the model's window that are kept for its prefix and its own marks."""


@cache
def indexing() -> "Indexing":
    """The parts of planner, indexer, embedder and janitor."""
    from onec_rag.aws.objects import Objects
    from onec_rag.aws.queue import Queue
    from onec_rag.formats.archive import Limits
    from onec_rag.indexing.base import Indexing
    from onec_rag.store.database import Database

    given = settings()
    return Indexing(
        database=Database(given.database_url.get_secret_value(), "onec-rag indexing"),
        objects=Objects(),
        plan_queue=Queue(given.plan_queue_url),
        index_queue=Queue(given.index_queue_url),
        embed_queue=Queue(given.embed_queue_url),
        embedder=_embedder(given.embedding_timeout),
        window=given.embedding_window - PREFIX_TOKENS,
        limits=Limits(),
        most_removed=given.most_removed,
        sync_quiet=given.sync_quiet,
    )


def plan(message: "Mapping[str, Any]") -> None:
    """One message of the plan queue, or `{"janitor": id}`: the API asks for a run of the janitor."""
    if "janitor" in message:
        tidy(message["janitor"])
        return
    from onec_rag.indexing.plan import plan_message

    plan_message(indexing(), message)


def process(message: "Mapping[str, Any]") -> None:
    """One message of the index queue."""
    from onec_rag.indexing.process import process_task

    process_task(indexing(), message["upload"], message["task"])


def give_up(message: "Mapping[str, Any]") -> None:
    """One message of the index queue that failed too often."""
    from onec_rag.indexing.activate import fail_upload

    fail_upload(indexing(), message["upload"], f"task {message['task']} failed again and again; the log tells why")


def embed(message: "Mapping[str, Any]") -> None:
    """One message of the embed queue."""
    from onec_rag.indexing.embed import embed_message

    embed_message(indexing(), message)


def resume() -> dict[str, int]:
    """Sends again every message that the database says is open."""
    from onec_rag.indexing.clean_up import resume

    return resume(indexing(), settings().bucket)


def tidy(run_id: str | None = None) -> dict[str, int]:
    """One run of the janitor: how much it has done of each kind."""
    from datetime import timedelta

    from onec_rag.indexing import janitor

    given = settings()
    rules = janitor.Rules(
        announced=timedelta(hours=given.janitor_announced_hours),
        stuck=timedelta(minutes=given.janitor_stuck_minutes),
        keep=given.janitor_keep_releases or None,
        older_than=timedelta(days=given.janitor_keep_days) if given.janitor_keep_days else None,
    )
    return janitor.tidy(indexing(), given.bucket, rules, run_id)


def watch() -> dict[str, int]:
    """A run of the janitor, unless nothing has happened lately: then the database may sleep on."""
    from onec_rag.indexing.janitor import is_at_rest

    return {} if is_at_rest(indexing(), settings().bucket) else tidy()


@cache
def api() -> "FastAPI":
    """The HTTP application."""
    from onec_rag.answering.answer import Answering
    from onec_rag.api.app import create_app
    from onec_rag.api.services import Services
    from onec_rag.aws.objects import Objects
    from onec_rag.aws.queue import Queue
    from onec_rag.retrieval.pipeline import Search
    from onec_rag.store.database import Database

    given = settings()
    database = Database(given.database_url.get_secret_value(), "onec-rag api")
    search = Search(database, _embedder(given.query_timeout))
    return create_app(
        Services(
            database=database,
            objects=Objects(),
            search=search,
            answering=Answering(search, _chat_model()),
            bucket=given.bucket,
            key_secret=_revealed(given.key_secret).encode(),
            upload_limit=given.upload_limit,
            embedding=f"{given.embedding_model}, {given.embedding_dimensions} dimensions",
            plan_queue=Queue(given.plan_queue_url),
            embed_queue=Queue(given.embed_queue_url),
        )
    )


def migrate() -> list[str]:
    """Brings the database to this version's schema; the files that were applied."""
    from onec_rag.store import migrate as store

    return store.migrate(settings().database_url.get_secret_value())


def answer_cloudformation(event: "Mapping[str, Any]", failure: str) -> None:
    """Tells CloudFormation how its request for the schema ended; an empty `failure`: well."""
    from onec_rag.aws.custom_resource import answer

    answer(event, "onec-rag-schema", failure)


def create_key(title: str, scopes: "Sequence[str]", sources: "Sequence[str] | None") -> str:
    """Makes an API key known and returns it; it can't be shown again. As the owner of the schema."""
    from onec_rag.api.keys import new_key
    from onec_rag.store.database import Database
    from onec_rag.store.search import insert_api_key

    given = settings()
    key_id, key = new_key(_revealed(given.key_secret).encode())
    database = Database(given.database_url.get_secret_value(), "onec-rag migrator")
    with database.transaction() as connection:
        insert_api_key(connection, key_id, title, scopes, sources)
    database.close()
    return key


def _chat_model() -> "ChatModel | None":
    from onec_rag.answering.answer import ChatModel
    from onec_rag.llm import Endpoint

    given = settings()
    if not given.chat_base_url:
        return None
    return ChatModel(
        endpoint=Endpoint(given.chat_base_url, _revealed(given.chat_api_key), given.chat_timeout),
        model=given.chat_model,
        context=given.chat_context,
        answer=given.chat_answer,
        temperature=given.chat_temperature,
    )


def _revealed(secret: "SecretStr") -> str:
    """A secret that may be given as the ARN of the one that Secrets Manager keeps."""
    from onec_rag.aws.secrets import reveal

    return reveal(secret.get_secret_value())


def _embedder(timeout: float) -> "Embedder | None":
    from onec_rag.embedding import Embedder, Spending
    from onec_rag.llm import Endpoint

    given = settings()
    if not given.embedding_base_url:
        return None
    return Embedder(
        endpoint=Endpoint(given.embedding_base_url, _revealed(given.embedding_api_key), timeout),
        model=given.embedding_model,
        dimensions=given.embedding_dimensions,
        query_prefix=given.embedding_query_prefix,
        passage_prefix=given.embedding_passage_prefix,
        batch_tokens=given.embedding_batch_tokens,
        spending=Spending(
            requests_per_minute=given.embedding_requests_per_minute,
            tokens_per_minute=given.embedding_tokens_per_minute,
            price=given.embedding_price,
            budget=given.embedding_budget,
        ),
        next_key=_revealed(given.embedding_next_api_key),
    )
