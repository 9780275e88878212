"""Puts right what was left lying: by schedule, or when the local stack starts."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import observed


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    """Sends again every message that the database says is open; returns how much of each there is."""
    return bootstrap.resume()
