"""The process's structured logger; texts of users and keys never go into it."""

from aws_lambda_powertools import Logger

logger = Logger(service="onec-rag")
