"""The answer that CloudFormation waits for from the function behind a custom resource.

Format: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
"""

import json
from collections.abc import Mapping
from typing import Any

import urllib3

from onec_rag.errors import RetryableError

LONGEST_REASON = 1000
"""Characters; the whole answer may have 4,096 bytes, and a letter of Russian takes six as JSON."""


def answer(event: Mapping[str, Any], physical_id: str, failure: str = "") -> None:
    """Tells CloudFormation that the request of `event` was carried out, or failed and why.

    The resource keeps the id that it was made with: another one would have CloudFormation delete it after an update.

    Raises:
        RetryableError: the address did not take the answer.
    """
    body = {
        "Status": "FAILED" if failure else "SUCCESS",
        "Reason": failure[:LONGEST_REASON],
        "PhysicalResourceId": event.get("PhysicalResourceId", physical_id),
        **{name: event[name] for name in ("StackId", "RequestId", "LogicalResourceId")},
    }
    # The presigned address is signed for an empty content type.
    with urllib3.PoolManager(retries=urllib3.Retry(3, backoff_factor=0.5, allowed_methods={"PUT"})) as pool:
        try:
            response = pool.request(
                "PUT", event["ResponseURL"], body=json.dumps(body), headers={"Content-Type": ""}, timeout=10
            )
        except urllib3.exceptions.HTTPError as error:
            raise RetryableError(f"CloudFormation: {error}") from error
    if response.status >= 400:
        raise RetryableError(f"CloudFormation: HTTP {response.status}")
