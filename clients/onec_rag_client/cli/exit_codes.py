"""What the program's exit code says, and which one each error becomes."""

from enum import IntEnum

from onec_rag_client.errors import (
    ClientError,
    Forbidden,
    LoadFailed,
    LoadHeld,
    NotFound,
    SettingsInvalid,
    Unauthorized,
    Unavailable,
    Unreachable,
    UploadRefused,
    VectorsMissing,
)
from onec_rag_client.language import text


class ExitCode(IntEnum):
    """Documented in `--help`. An interrupted program ends with 130, as shells have it."""

    OK = 0
    FAILED = 1
    USAGE = 2
    UNAUTHORIZED = 3
    NOT_FOUND = 4
    UNAVAILABLE = 5


EXPLAINED: dict[type[ClientError], tuple[str, ExitCode]] = {
    Unauthorized: ("error.unauthorized", ExitCode.UNAUTHORIZED),
    Forbidden: ("error.forbidden", ExitCode.UNAUTHORIZED),
    NotFound: ("error.not_found", ExitCode.NOT_FOUND),
    Unavailable: ("error.unavailable", ExitCode.UNAVAILABLE),
    Unreachable: ("error.unreachable", ExitCode.UNAVAILABLE),
    LoadFailed: ("error.upload", ExitCode.FAILED),
    LoadHeld: ("error.failed", ExitCode.FAILED),
    VectorsMissing: ("error.vectors", ExitCode.FAILED),
    UploadRefused: ("error.failed", ExitCode.USAGE),
    SettingsInvalid: ("error.settings", ExitCode.FAILED),
}


def explain(error: ClientError) -> tuple[str, ExitCode]:
    """The message for the user, and the exit code."""
    key, code = EXPLAINED.get(type(error), ("error.failed", ExitCode.FAILED))
    return text(key, detail=str(error).rstrip(".")), code


def describe_exit_codes() -> str:
    """The list for `--help`; the first line keeps its line breaks from being folded."""
    lines = (f"  {code.value}  {text(f'exit.{code.value}')}" for code in ExitCode)
    return "\n".join(("\b", text("exit.title"), *lines))
