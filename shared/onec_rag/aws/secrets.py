"""Secrets that a setting names instead of holding them."""

import re

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from onec_rag.errors import ConfigurationError, RetryableError

# https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_iam-permissions.html#iam-resources
_ARN = re.compile(r"arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:.+")
_WRONG = {"ResourceNotFoundException", "AccessDeniedException", "InvalidRequestException", "DecryptionFailure"}


def reveal(value: str) -> str:
    """The text that Secrets Manager holds under `value` when that is a secret's ARN; else `value` is the secret.

    Raises:
        ConfigurationError: there is no such secret, it holds no text, or this function may not read it.
        RetryableError: Secrets Manager did not answer.
    """
    if not _ARN.fullmatch(value):
        return value
    client = boto3.client(
        "secretsmanager", config=Config(retries={"mode": "standard", "max_attempts": 4}, connect_timeout=5)
    )
    try:
        secret: str = client.get_secret_value(SecretId=value)["SecretString"]
    except KeyError:
        raise ConfigurationError(f"{value} holds no text") from None
    except ClientError as error:
        kind = ConfigurationError if error.response["Error"].get("Code") in _WRONG else RetryableError
        raise kind(f"secret: {error}") from error
    except BotoCoreError as error:
        raise RetryableError(f"secret: {error}") from error
    return secret
