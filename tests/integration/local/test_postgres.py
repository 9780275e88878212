import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest

from onec_rag_local.errors import FolderInUseError, LocalStackError
from onec_rag_local.postgres import Postgres
from onec_rag_local.processes import free_port
from waiting import wait_until

pytestmark = pytest.mark.integration
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="PostgreSQL runs as ourselves unless we are root")

STACK = """
import sys, threading
from pathlib import Path
from onec_rag_local.postgres import Postgres
from onec_rag_local.processes import free_port
server = Postgres.start(Path(sys.argv[1]))
print(server.process.pid, flush=True)
threading.Event().wait()
"""


def write(server: Postgres, word: str) -> None:
    with psycopg.connect(server.dsn()) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (word text)")
        connection.execute("INSERT INTO kept VALUES (%s)", (word,))


def words(server: Postgres) -> list[str]:
    with psycopg.connect(server.dsn()) as connection:
        return [row[0] for row in connection.execute("SELECT word FROM kept").fetchall()]


def ended(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_data_and_passwords_outlive_a_restart_on_another_port(public_folder: Path) -> None:
    folder = public_folder / "Данные 1С"
    with Postgres.start(folder) as server:
        write(server, "Ёжик")
        passwords = server.passwords
    port = free_port()
    with Postgres.start(folder, port) as server:
        assert server.port == port
        assert words(server) == ["Ёжик"]
        assert server.passwords == passwords
    assert (folder / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_stopping_twice_does_nothing(public_folder: Path) -> None:
    server = Postgres.start(public_folder)
    server.stop()
    server.stop()
    assert server.process.returncode == 0


def test_a_killed_server_recovers_what_was_committed(public_folder: Path) -> None:
    server = Postgres.start(public_folder)
    write(server, "committed")
    os.killpg(server.process.pid, signal.SIGKILL)
    server.stop()
    assert (public_folder / "postgres" / "data" / "postmaster.pid").exists()
    with Postgres.start(public_folder) as server:
        assert words(server) == ["committed"]


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not tell a child of its parent's death")
def test_the_server_shuts_down_cleanly_when_its_stack_is_killed(public_folder: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", STACK, public_folder], stdout=subprocess.PIPE, text=True) as stack:
        assert stack.stdout is not None
        pid = int(stack.stdout.readline())
        stack.kill()
    wait_until(lambda: ended(pid))
    assert not (public_folder / "postgres" / "data" / "postmaster.pid").exists()


def test_a_server_that_outlived_its_stack_is_stopped_first(public_folder: Path) -> None:
    orphan = Postgres.start(public_folder)
    write(orphan, "committed")
    orphan.lock.release()  # what the kernel does for a stack that is gone
    with Postgres.start(public_folder) as server:
        assert ended(orphan.process.pid)
        assert words(server) == ["committed"]
    orphan.stop()


def test_processes_that_outlived_their_killed_server_are_stopped_first(public_folder: Path) -> None:
    killed = Postgres.start(public_folder)
    write(killed, "committed")
    busy = psycopg.pq.PGconn.connect(killed.dsn().encode())
    busy.send_query(b"SELECT count(*) FROM generate_series(1, 1000000000000)")
    killed.process.kill()
    killed.stop()
    assert not ended(busy.backend_pid)
    with Postgres.start(public_folder) as server:
        assert ended(busy.backend_pid)
        assert words(server) == ["committed"]
    busy.finish()


def test_a_pid_that_is_another_programs_by_now_is_forgotten(public_folder: Path) -> None:
    with Postgres.start(public_folder) as server:
        write(server, "committed")
    (public_folder / "postgres" / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n{public_folder}\n")
    with Postgres.start(public_folder) as server:
        assert words(server) == ["committed"]


def test_a_folder_serves_one_stack_at_a_time(public_folder: Path) -> None:
    with Postgres.start(public_folder), pytest.raises(FolderInUseError) as caught:
        Postgres.start(public_folder)
    assert caught.value.pid == os.getpid()


def test_an_initdb_that_was_killed_halfway_is_not_taken_for_data(public_folder: Path) -> None:
    unfinished = public_folder / "postgres" / "data.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    with Postgres.start(public_folder) as server:
        write(server, "fresh")
    assert not unfinished.exists()


def test_data_of_another_major_version_are_refused_by_name(public_folder: Path) -> None:
    data = public_folder / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("16\n")
    (public_folder / "secrets.json").write_text('{"postgres": "p"}')
    with pytest.raises(LocalStackError, match="are of PostgreSQL 16, the program is PostgreSQL 18"):
        Postgres.start(public_folder)


def test_data_without_their_password_are_refused(public_folder: Path) -> None:
    with Postgres.start(public_folder):
        pass
    (public_folder / "secrets.json").unlink()
    with pytest.raises(LocalStackError, match=r"secrets\.json"):
        Postgres.start(public_folder)


def test_another_password_is_told_at_once(public_folder: Path) -> None:
    with Postgres.start(public_folder):
        pass
    (public_folder / "secrets.json").write_text('{"postgres": "another"}')
    with pytest.raises(LocalStackError, match="password authentication failed"):
        Postgres.start(public_folder)


def test_a_setting_that_is_wrong_is_told_with_the_servers_words(public_folder: Path) -> None:
    with pytest.raises(LocalStackError, match='unrecognized configuration parameter "no_such_setting"'):
        Postgres.start(public_folder, settings={"no_such_setting": "1"})


def test_a_failed_start_leaves_the_folder_free(public_folder: Path) -> None:
    with pytest.raises(LocalStackError):
        Postgres.start(public_folder, settings={"no_such_setting": "1"})
    with Postgres.start(public_folder):
        pass


def test_only_this_machine_is_served(postgres: Postgres) -> None:
    addresses = [connection.laddr for connection in psutil.Process(postgres.process.pid).net_connections("all")]
    assert [(address.ip, address.port) for address in addresses] == [("127.0.0.1", postgres.port)]


def test_the_users_own_postgres_variables_do_not_matter(public_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGSSLMODE", "require")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PGDATA", "/nowhere")
    with Postgres.start(public_folder) as server:
        write(server, "Ёжик")


@pytest.mark.parametrize(
    ("word", "stem"), [("ДОКУМЕНТОВ", "документ"), ("Ёжиками", "ежик"), ("running", "run"), ("Приёмка", "приемк")]
)
def test_russian_words_are_lowered_and_stemmed(postgres: Postgres, word: str, stem: str) -> None:
    with psycopg.connect(postgres.dsn()) as connection:
        row = connection.execute("SELECT to_tsvector('russian', %s)::text", (word,)).fetchone()
    assert row == (f"'{stem}':1",)


@only_root
def test_root_runs_the_server_as_an_account_that_exists(postgres: Postgres) -> None:
    assert psutil.Process(postgres.process.pid).uids().real != 0


@only_root
def test_a_private_folder_is_named_and_stays_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(LocalStackError, match="may not enter"):
        Postgres.start(tmp_path / "data")
    assert tmp_path.stat().st_mode & 0o777 == 0o700
