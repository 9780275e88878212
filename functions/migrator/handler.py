"""Owns the schema: brings it up to date, and makes the first API key known."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import logger


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"job": "migrate"}` → the files that were applied; `{"job": "create_key", "title", "scopes", "sources"}` →
    the key, which can't be shown again."""
    match event.get("job"):
        case "migrate":
            return {"applied": bootstrap.migrate()}
        case "create_key":
            return {"key": bootstrap.create_key(event["title"], event["scopes"], event.get("sources"))}
        case other:
            raise ValueError(f"the migrator knows no job {other!r}")
