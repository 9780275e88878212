"""Puts right what was left lying: by schedule, or when the local stack starts."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import observed


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    """`{"job": "watch"}`: a run, unless nothing has happened lately; `{"job": "resume"}`: all queues are empty, so send
    every message again that the database says is open; anything else: a run. Returns how much was done of each kind."""
    match event:
        case {"job": "watch"}:
            return bootstrap.watch()
        case {"job": "resume"}:
            return bootstrap.resume()
        case _:
            return bootstrap.tidy()
