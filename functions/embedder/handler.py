"""Fills vectors behind the text: a message of the embed queue → vectors of the chunks it names."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import handle_messages, observed


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event → which messages go back to the queue."""
    return handle_messages(event, context, bootstrap.embed)
