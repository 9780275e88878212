"""Writes `shared/onec_rag/store/schema.sql`: what the migrations make of an empty database, for people to read.

Run it after a change of `store/migrations` or `store/functions`; a test compares the file with a migrated database.
"""

import re
import subprocess
import tempfile
from pathlib import Path

from onec_rag.store.migrate import migrate
from onec_rag_local.binaries import programs_for
from onec_rag_local.database import DATABASE, prepare_database
from onec_rag_local.postgres import Postgres

SNAPSHOT = Path(__file__).parents[1] / "shared" / "onec_rag" / "store" / "schema.sql"
HEADER = "-- Made by scripts/schema_snapshot.py from the migrations; for reading, nothing applies it.\n\n"
# The server's version, comments of extensions, settings of the dump itself, and its random `\restrict` key.
_NOISE = re.compile(r"--.*|\\(?:un)?restrict .*|SET .*;|SELECT pg_catalog\.set_config.*;|COMMENT ON EXTENSION .*;")


def schema_of(dsn: str) -> str:
    """The schema of a database, with owners and rights, without what differs between servers."""
    command = [str(programs_for(None) / "pg_dump"), "--schema-only", "--dbname", dsn]
    dump = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    lines = [line for line in dump.splitlines() if not _NOISE.fullmatch(line)]
    return HEADER + re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="onec-rag-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL's account must come in where we are root
        with Postgres.start(folder) as server:
            prepare_database(server.dsn(), server.passwords)
            migrate(server.dsn("migrator"))
            SNAPSHOT.write_text(schema_of(server.dsn("postgres", DATABASE)), encoding="utf-8")
    print(f"written: {SNAPSHOT.relative_to(Path.cwd()) if SNAPSHOT.is_relative_to(Path.cwd()) else SNAPSHOT}")


if __name__ == "__main__":
    main()
