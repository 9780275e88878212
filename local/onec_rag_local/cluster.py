"""PostgreSQL's data folder at rest: created, checked, and freed from a server that outlived its stack."""

import os
import pwd
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

from onec_rag_local.errors import LocalStackError

SUPERUSER = "postgres"
STOP_SECONDS = 60.0
# Without a locale of its own a cluster takes the environment's, and under LC_ALL=C Russian words are neither
# lowered nor stemmed. The built-in provider does not depend on the system's locales.
INITDB_FLAGS = (
    f"--username={SUPERUSER}",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--auth=scram-sha-256",
)


def give(path: Path, account: str | None) -> None:
    """Make the account the owner of a file or folder, and keep everyone else out."""
    if account:
        entry = pwd.getpwnam(account)
        os.chown(path, entry.pw_uid, entry.pw_gid)
    path.chmod(0o700 if path.is_dir() else 0o600)


def require_version(data: Path, program: str) -> None:
    """Raise `LocalStackError` when the data are of another major version, which the program can't read."""
    stored = (data / "PG_VERSION").read_text("ascii").strip()
    if stored != program:
        raise LocalStackError(
            f"the data in {data} are of PostgreSQL {stored}, the program is PostgreSQL {program}: "
            f"install the package's version with {stored}, dump, and restore into a new folder"
        )


def create_cluster(programs: Path, data: Path, password: str, account: str | None) -> None:
    """Run `initdb` beside the final place, so that one which was killed halfway is not taken for data."""
    unfinished, password_file = data.with_name("data.unfinished"), data.with_name("password")
    shutil.rmtree(unfinished, ignore_errors=True)
    password_file.unlink(missing_ok=True)
    password_file.touch(0o600)
    try:
        password_file.write_text(password, "ascii")
        give(password_file, account)
        subprocess.run(
            [programs / "initdb", "-D", unfinished, f"--pwfile={password_file}", *INITDB_FLAGS],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
            env=server_environment(),
            user=account,
            group=pwd.getpwnam(account).pw_gid if account else None,
            extra_groups=[] if account else None,
        )
    except subprocess.CalledProcessError as error:
        raise LocalStackError(f"initdb could not create {data}:\n{error.stderr}") from error
    finally:
        password_file.unlink()
    unfinished.rename(data)


def server_environment() -> dict[str, str]:
    """Nothing of the user's PG… variables; a locale that is the same everywhere."""
    return {"LC_ALL": "C", "PATH": os.environ.get("PATH", os.defpath)}


def stop_orphans(data: Path) -> None:
    """End what is left of a server whose stack is dead (we hold the lock), then forget its pid.

    The pid alone proves nothing, it may be another program's by now; a server's processes work in the data folder.
    """
    pid_file = data / "postmaster.pid"
    processes = [
        process
        for process in psutil.process_iter(["name", "cwd"])
        if process.info["cwd"] == str(data) and process.info["name"].startswith("postgres")
    ]
    postmaster = _first_word(pid_file)
    with suppress(psutil.NoSuchProcess):
        for process in processes:
            if str(process.pid) == postmaster:
                process.send_signal(signal.SIGINT)  # fast shutdown, it ends the others
                break
        else:  # it was killed, and somebody has not noticed yet
            for process in processes:
                process.terminate()
    _, alive = psutil.wait_procs(processes, timeout=STOP_SECONDS)
    if alive:
        pids = ", ".join(str(process.pid) for process in alive)
        raise LocalStackError(f"a PostgreSQL that a former stack left in {data} does not stop: kill {pids}")
    pid_file.unlink(missing_ok=True)


def _first_word(path: Path) -> str:
    return path.read_text("utf-8").partition("\n")[0].strip() if path.exists() else ""
