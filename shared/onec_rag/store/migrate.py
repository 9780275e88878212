"""Applies the schema: numbered migrations once each, re-runnable function files whenever they changed."""

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable

import psycopg

from onec_rag.errors import ConfigurationError

_LOCK = 0x1C_7A6
_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_ledger (
    file text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
)
"""


def migrate(dsn: str) -> list[str]:
    """Brings the database of the DSN (the owner's) to this version's schema; returns the files it applied.

    All in one transaction under an advisory lock: two migrators follow each other, and a failure changes nothing.

    Raises:
        ConfigurationError: an applied migration was edited afterwards, or the database is newer than this code.
    """
    applied: list[str] = []
    with psycopg.connect(dsn, prepare_threshold=None, application_name="onec-rag migrator") as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
        connection.execute("SET LOCAL client_min_messages = warning")
        connection.execute(_LEDGER)
        ledger: dict[str, str] = dict(connection.execute("SELECT file, checksum FROM schema_ledger").fetchall())
        migrations = _sql_files("migrations")
        unknown = {name for name in ledger if name[0] == "m"} - {f"m/{file.name}" for file in migrations}
        if unknown:
            raise ConfigurationError(f"the database is newer than this code: it knows {', '.join(sorted(unknown))}")
        for prefix, file in [("m", file) for file in migrations] + [("f", file) for file in _sql_files("functions")]:
            name, text = f"{prefix}/{file.name}", file.read_text(encoding="utf-8")
            checksum = hashlib.sha256(text.encode()).hexdigest()
            if ledger.get(name) == checksum:
                continue
            if prefix == "m" and name in ledger:
                raise ConfigurationError(f"{file.name} was changed after it had been applied")
            connection.execute(text)
            connection.execute(
                "INSERT INTO schema_ledger (file, checksum) VALUES (%s, %s)"
                " ON CONFLICT (file) DO UPDATE SET checksum = EXCLUDED.checksum, applied_at = now()",
                [name, checksum],
            )
            applied.append(file.name)
    return applied


def _sql_files(folder: str) -> list[Traversable]:
    found = files("onec_rag.store").joinpath(folder).iterdir()
    return sorted((file for file in found if file.name.endswith(".sql")), key=lambda file: file.name)
