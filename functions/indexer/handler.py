"""Does one task of an upload: a message of the index queue → parsed, chunked and stored rows."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.parser import BaseModel, parse
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import UUID4

from onec_rag import bootstrap
from onec_rag.observability import correlate, handle_messages, observed


class Task(BaseModel):
    """A message of the index queue."""

    upload: UUID4
    task: int


def read(message: Mapping[str, Any]) -> dict[str, Any]:
    task = parse(event=dict(message), model=Task).model_dump(mode="json")
    correlate(**task)
    return task


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event → which messages go back to the queue."""
    return handle_messages(event, context, lambda message: bootstrap.process(read(message)))


@observed
def dead_letter_handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """SQS event of the dead-letter queue: the upload of a task that was given up fails at once, with a reason."""
    return handle_messages(event, context, lambda message: bootstrap.give_up(read(message)))
