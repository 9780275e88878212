"""The HTTP API behind API Gateway; locally uvicorn serves the same `app`."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext
from mangum import Mangum

from onec_rag import bootstrap
from onec_rag.observability import RequestIds, observed

app = RequestIds(bootstrap.api())


@observed
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """HTTP API event (payload 2.0) → response. A stage with a name stands before the path, `$default` does not."""
    stage = f"/{event['requestContext']['stage']}"
    return Mangum(app, lifespan="off", api_gateway_base_path=stage)(event, context)  # type: ignore[arg-type]  # its own names
