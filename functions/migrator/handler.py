"""Owns the schema: brings it up to date, and makes the first API key known."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import logger, observed


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """`{"job": "migrate"}` → the files that were applied; `{"job": "create_key", "title", "scopes", "sources"}` →
    the key, which can't be shown again; an event of CloudFormation is answered at the address that it names."""
    match event:
        case {"job": "migrate"}:
            return {"applied": bootstrap.migrate()}
        case {"job": "create_key"}:
            return {"key": bootstrap.create_key(event["title"], event["scopes"], event.get("sources"))}
        case {"RequestType": request}:
            return change_resource(event, request)
        case _:
            raise ValueError(f"the migrator knows no job {event.get('job')!r}")


def change_resource(event: dict[str, Any], request: str) -> dict[str, Any]:
    """Whatever happens CloudFormation is told of it: without an answer a deployment waits for an hour."""
    answer: dict[str, Any] = {"applied": []}
    failure = ""
    try:
        if request != "Delete":  # the schema stays with its data
            answer = {"applied": bootstrap.migrate()}
    except Exception as error:  # noqa: BLE001  whatever it is, CloudFormation has to hear of it
        logger.exception("the schema could not be migrated")
        failure = f"{type(error).__name__}: {error}"
    bootstrap.answer_cloudformation(event, failure)
    return answer
