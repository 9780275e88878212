"""Starting a child process that does not outlive us, and ending it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

CHILD = Path(__file__).with_name("child.py")
STOP_SECONDS = 10.0
LARGEST_LOG = 10 << 20  # bytes; a longer log starts anew, the old one is kept as <name>.1

# The kernel takes the death of the thread that started a child for the parent's death (prctl(2)). One thread that
# lives as long as the process starts them all, so that callers may use threads as they like.
_STARTER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="child-starter")


def spawn(
    command: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
    death_signal: signal.Signals = signal.SIGKILL,
) -> subprocess.Popen[bytes]:
    """Start `command` (an absolute path and its arguments) in a session of its own, its output appended to `log`.

    `user` names the account to run as (only root may). When this process dies, however it dies, the kernel sends
    `death_signal` to the child.
    """
    wrapper = [sys.executable, "-I", "-S", str(CHILD), "--parent", str(os.getpid()), "--signal", str(int(death_signal))]
    if user:
        wrapper += ["--user", user]
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(log.with_name(log.name + ".1"))
    with log.open("ab") as output:
        return _STARTER.submit(
            subprocess.Popen,
            [*wrapper, "--", *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=None if environment is None else dict(environment),
            start_new_session=True,
        ).result()


def stop(
    *children: subprocess.Popen[bytes], first: signal.Signals = signal.SIGTERM, seconds: float = STOP_SECONDS
) -> None:
    """Ask the children, all at once, to end with the signal `first`; kill the sessions of those that take longer."""
    for process in children:
        process.send_signal(first)  # to one that has ended this does nothing
    deadline = time.monotonic() + seconds
    for process in children:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def free_port() -> int:
    """A TCP port on 127.0.0.1 that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log for an error message; empty where there is no log."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text("utf-8", errors="replace").splitlines()[-lines:])
