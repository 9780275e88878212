"""Plans what arrives in the bucket: a message of the plan queue → an upload with tasks, and the first wave queued."""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import logger

processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)


def plan_record(record: SQSRecord) -> None:
    """One message."""
    bootstrap.plan(record.json_body)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event → which messages go back to the queue."""
    return process_partial_response(event, plan_record, processor, context)
