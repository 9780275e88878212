"""The typed environment, read once at the edge; a wrong value is said at start with the variable's name."""

from functools import cache

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from onec_rag.errors import ConfigurationError


class Settings(BaseSettings):
    """Every setting of the service; `ONEC_RAG_<NAME>` in the environment, and `DATABASE_URL`.

    `key_secret` and the `…_api_key`s may be ARNs of Secrets Manager's secrets.
    """

    model_config = SettingsConfigDict(env_prefix="ONEC_RAG_", frozen=True, extra="ignore")

    database_url: SecretStr = Field(alias="DATABASE_URL")
    bucket: str = "onec-rag"
    plan_queue_url: str = ""
    index_queue_url: str = ""
    embed_queue_url: str = ""
    key_secret: SecretStr = Field(default=SecretStr(""), description="HMAC key of API keys, 32 bytes or more")

    embedding_base_url: str = ""
    embedding_api_key: SecretStr = SecretStr("none")
    embedding_model: str = "multilingual-e5-small"
    embedding_dimensions: int = Field(default=384, ge=1, le=4000)
    embedding_query_prefix: str = ""
    embedding_passage_prefix: str = ""
    embedding_window: int = Field(default=512, ge=64, description="tokens that the model reads")
    embedding_batch_tokens: int = Field(default=16_000, ge=512, description="tokens in one request at the most")
    embedding_timeout: float = Field(default=60, gt=0, description="seconds to wait for a batch of passages")
    embedding_requests_per_minute: int = Field(default=0, ge=0, description="of all embedders together; 0: no limit")
    embedding_tokens_per_minute: int = Field(default=0, ge=0, description="of all embedders together; 0: no limit")
    embedding_price: float = Field(default=0, ge=0, description="of a million tokens; 0: not known")
    embedding_budget: int = Field(default=0, ge=0, description="tokens of one upload without asking; 0: no bound")
    embedding_next_api_key: SecretStr = Field(
        default=SecretStr("none"), description="key of another endpoint that a reembedding names"
    )
    query_timeout: float = Field(default=5, gt=0, description="seconds to wait for a query's vector")

    chat_base_url: str = Field(default="", description="empty: answers are the hits, without a model")
    chat_api_key: SecretStr = SecretStr("none")
    chat_model: str = ""
    chat_timeout: float = Field(default=25, gt=0, description="seconds to wait for the model")
    chat_context: int = Field(default=8_000, ge=1_000, description="tokens that the model reads, its answer included")
    chat_answer: int = Field(default=1_000, ge=100, description="tokens of an answer at the most")
    chat_temperature: float = Field(default=0.1, ge=0, le=2)

    upload_limit: int = Field(default=5 * 1024**3, ge=1, description="bytes of one upload at the most")
    most_removed: float = Field(default=0.3, ge=0, le=1, description="share of documents that goes without asking")
    sync_quiet: int = Field(default=60, ge=0, le=900, description="seconds without a change that close a batch")

    janitor_announced_hours: float = Field(default=24, gt=0, description="hours in which an upload's file has to come")
    janitor_stuck_minutes: float = Field(
        default=150, gt=0, description="a load without progress for so long is set going again"
    )
    janitor_keep_releases: int = Field(default=0, ge=0, description="newest releases of a source that stay; 0: all")
    janitor_keep_days: float = Field(default=0, ge=0, description="days that a release stays in any case; 0: no rule")


@cache
def settings() -> Settings:
    """The process's settings.

    Raises:
        ConfigurationError: a variable is missing or has a value of the wrong kind.
    """
    try:
        return Settings()  # type: ignore[call-arg]  # values come from the environment
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, row['loc']))}: {row['msg']}" for row in error.errors())
        raise ConfigurationError(f"settings: {wrong}") from None
