"""What several commands share: `--json`, and the connection that the settings name."""

from typing import Annotated

import typer

from onec_rag_client.api import OnecRag
from onec_rag_client.language import text
from onec_rag_client.settings import read_settings

AsJson = Annotated[bool, typer.Option("--json", help=text("json.help"))]


def connect() -> OnecRag:
    """The service that the settings name."""
    settings = read_settings()
    return OnecRag(settings.url, settings.key)
