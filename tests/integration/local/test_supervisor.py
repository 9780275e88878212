import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from onec_rag_local import processes
from onec_rag_local.supervisor import Child, Supervisor
from waiting import wait_until

pytestmark = pytest.mark.integration

# Writes its name when it is ready and again when it is told to stop; `deaf` does not listen.
PROGRAM = """
import signal, sys, threading
name, record = sys.argv[1:3]
def write(word):
    with open(record, "a") as file:
        file.write(f"{word} {name}\\n")
def stop(number, frame):
    write("stopped")
    if name != "deaf":
        sys.exit(0)
signal.signal(signal.SIGTERM, stop)
write("ready")
while True:
    threading.Event().wait()
"""
PARENT = """
import sys, threading
from pathlib import Path
from onec_rag_local.supervisor import Supervisor
command = [sys.executable, "-c", "import threading; threading.Event().wait()"]
[child] = Supervisor(Path(sys.argv[1])).start("child", command)
print(child.process.pid, flush=True)
threading.Event().wait()
"""


def start(supervisor: Supervisor, name: str, record: Path) -> Child:
    [child] = supervisor.start(name, [sys.executable, "-c", PROGRAM, name, str(record)])
    wait_until(lambda: record.exists() and f"ready {name}\n" in record.read_text())
    return child


def test_children_stop_in_reverse_order(tmp_path: Path) -> None:
    record = tmp_path / "record"
    with Supervisor(tmp_path) as supervisor:
        for name in ("first", "second", "third"):
            start(supervisor, name, record)
    assert record.read_text().split("\n")[3:6] == ["stopped third", "stopped second", "stopped first"]


def test_a_child_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    process = processes.spawn([sys.executable, "-c", PROGRAM, "deaf", str(tmp_path / "record")], tmp_path / "log")
    wait_until((tmp_path / "record").exists)
    processes.stop(process, seconds=0.5)
    assert process.returncode == -9
    assert "stopped deaf" in (tmp_path / "record").read_text()


def test_a_child_that_dies_is_started_again(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        child = start(supervisor, "child", tmp_path / "record")
        former = child.process.pid
        child.process.kill()
        wait_until(lambda: child.restarts == 1 and child.alive)
        assert child.process.pid != former


def test_a_child_that_need_not_go_on_is_left_dead(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        [once] = supervisor.start("once", [sys.executable, "-c", "print('said')"], restart=False)
        other = start(supervisor, "other", tmp_path / "record")
        wait_until(lambda: not once.alive)
        other.process.kill()
        wait_until(lambda: other.restarts == 1)  # the supervisor has looked at both
        assert not once.alive
        assert once.restarts == 0
    assert (tmp_path / "logs" / "once.log").read_text() == "said\n"


def test_copies_have_logs_of_their_own(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        children = supervisor.start("twin", [sys.executable, "-c", "print('said')"], copies=2, restart=False)
        wait_until(lambda: not any(child.alive for child in children))
    assert {path.name for path in (tmp_path / "logs").iterdir()} == {"twin-1.log", "twin-2.log"}


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not tell a child of its parent's death")
def test_children_die_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, tmp_path], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert psutil.pid_exists(pid)
        parent.kill()
    wait_until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)


def test_a_child_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    with Supervisor(tmp_path) as supervisor:
        thread = threading.Thread(target=start, args=(supervisor, "child", tmp_path / "record"))
        thread.start()
        thread.join()
        [child] = supervisor.children
        start(supervisor, "later", tmp_path / "record")
        assert child.alive
        assert child.restarts == 0
