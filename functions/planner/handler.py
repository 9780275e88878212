"""Plans what arrives in the bucket: a message of the plan queue → an upload with tasks, and the first wave queued."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import handle_messages, observed


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event → which messages go back to the queue."""
    return handle_messages(event, context, bootstrap.plan)
