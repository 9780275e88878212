"""Does one task of an upload: a message of the index queue → parsed, chunked and stored rows."""

from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from onec_rag import bootstrap
from onec_rag.observability import logger

processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
dead_letters = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)


def process_record(record: SQSRecord) -> None:
    """One message."""
    bootstrap.process(record.json_body)


def fail_record(record: SQSRecord) -> None:
    """One message that was given up: its upload fails at once, with a reason."""
    bootstrap.give_up(record.json_body)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event → which messages go back to the queue."""
    return process_partial_response(event, process_record, processor, context)


@logger.inject_lambda_context(clear_state=True)
def dead_letter_handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event of the dead-letter queue."""
    return process_partial_response(event, fail_record, dead_letters, context)
