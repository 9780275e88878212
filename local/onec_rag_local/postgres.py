"""The embedded PostgreSQL of one data folder: created, started, recovered after a crash, stopped."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

import psycopg

from onec_rag_local import processes
from onec_rag_local.binaries import account_for, major_version, programs_for, require_reachable
from onec_rag_local.cluster import (
    STOP_SECONDS,
    SUPERUSER,
    create_cluster,
    give,
    require_version,
    server_environment,
    stop_orphans,
)
from onec_rag_local.database import DATABASE, ROLES, check_russian
from onec_rag_local.errors import LocalStackError
from onec_rag_local.lock import FolderLock
from onec_rag_local.passwords import kept_passwords, passwords_of

MEBIBYTE = 1 << 20
MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")  # bytes of this machine
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "max_connections": "60",
        "shared_buffers": f"{min(MEMORY // 4, 512 * MEBIBYTE) // MEBIBYTE}MB",
        "maintenance_work_mem": "512MB",  # an HNSW graph that fits is built many times faster
        "autovacuum_work_mem": "64MB",
        "max_wal_size": "4GB",
        "checkpoint_timeout": "15min",
        # No replica reads this server, and the minimal level spares the log of tables filled as they are created.
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "random_page_cost": "1.1",
        "jit": "off",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "logging_collector": "on",
        "log_filename": "%a.log",  # a week of logs, each day's overwriting last week's
        "log_rotation_age": "1d",
        "log_rotation_size": "0",
        "log_truncate_on_rotation": "on",
    }
)
NO_SETTINGS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Postgres:
    """A running server; `passwords` by role (`postgres`, `migrator`, `indexer`, `api`)."""

    port: int
    passwords: Mapping[str, str]
    process: subprocess.Popen[bytes]
    lock: FolderLock

    @classmethod
    def start(
        cls, folder: Path, port: int | None = None, settings: Mapping[str, str] = NO_SETTINGS, seconds: float = 60
    ) -> Self:
        """Start the server of `folder` on 127.0.0.1 and wait until it answers, `seconds` at most.

        The folder keeps `postgres/data`, `postgres/log` and `secrets.json`; a new one gets a new cluster. A server
        that a killed stack left behind is stopped first. `settings` go over `SETTINGS`. Raises `FolderInUseError` while
        another living stack holds the folder, `LocalStackError` when the server can't be started.
        """
        home = folder.resolve() / "postgres"
        data, log = home / "data", home / "log"
        with ExitStack() as undo:
            account = account_for(home)
            lock = undo.enter_context(FolderLock.take(home / "lock"))
            for place in (home, log):
                place.mkdir(exist_ok=True)
                give(place, account)
            if account:
                require_reachable(home, account)
            programs = programs_for(account)
            passwords = _passwords(folder, data)
            if data.exists():
                require_version(data, major_version(programs))
                stop_orphans(data)
            else:
                create_cluster(programs, data, passwords[SUPERUSER], account)
            port = port or processes.free_port()
            given = {**SETTINGS, "port": str(port), "log_directory": str(log), **settings}
            command = [str(programs / "postgres"), "-D", str(data)]
            command += [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
            process = _start_server(command, log, account, _dsn(port, SUPERUSER, passwords, SUPERUSER), seconds)
            undo.pop_all()
        return cls(port, passwords, process, lock)

    def dsn(self, role: str = SUPERUSER, database: str | None = None) -> str:
        """The address for a role: of the database `postgres` for the superuser, else of `onec_rag`, unless named."""
        return _dsn(self.port, role, self.passwords, database or (SUPERUSER if role == SUPERUSER else DATABASE))

    def stop(self) -> None:
        """Fast shutdown: open transactions are rolled back, what is committed is on disk. Once more does nothing."""
        processes.stop(self.process, first=signal.SIGINT, seconds=STOP_SECONDS)
        self.lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _dsn(port: int, role: str, passwords: Mapping[str, str], database: str) -> str:
    # The build has no TLS; said here, so that a PGSSLMODE of the user's does not refuse it.
    return f"postgresql://{role}:{passwords[role]}@127.0.0.1:{port}/{database}?sslmode=disable"


def _passwords(folder: Path, data: Path) -> dict[str, str]:
    if data.exists() and SUPERUSER not in kept_passwords(folder):
        raise LocalStackError(f"{folder} holds a database, but the password in its secrets.json is gone: put it back")
    return passwords_of(folder, (SUPERUSER, *ROLES))


def _start_server(
    command: list[str], log: Path, account: str | None, dsn: str, seconds: float
) -> subprocess.Popen[bytes]:
    """Spawn and wait; `pg_ctl` would wait too, but with a deadline of its own and without telling why it failed."""
    output = log / "start.log"
    output.unlink(missing_ok=True)
    process = processes.spawn(command, output, server_environment(), account, death_signal=signal.SIGINT)
    try:
        _wait_until_ready(process, dsn, time.monotonic() + seconds)
    except (psycopg.OperationalError, LocalStackError) as error:
        processes.stop(process, first=signal.SIGINT)
        newest = max(log.glob("???.log"), key=lambda path: path.stat().st_mtime, default=output)
        said = f"{processes.tail(output)}\n{processes.tail(newest)}"
        raise LocalStackError(f"PostgreSQL did not start: {error}\n{said}") from error
    return process


def _wait_until_ready(process: subprocess.Popen[bytes], dsn: str, deadline: float) -> None:
    while True:
        try:
            with psycopg.connect(dsn, connect_timeout=5, autocommit=True) as connection:
                return check_russian(connection)
        except psycopg.OperationalError as error:
            wrong_password = "password authentication failed" in str(error)
            if process.poll() is not None or wrong_password or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
