"""The stack's worker processes: started, started again when they die, stopped in reverse order."""

import logging
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from onec_rag_local import processes

LONGEST_BACK_OFF = 30.0
STEADY_SECONDS = 60.0  # a child that lived so long is started again at once
WATCH_SECONDS = 0.2
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Child:
    """One supervised process; `restarts` counts how often it was started again."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None
    restart: bool
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)
    restarts: int = 0
    deaths: int = 0
    due: float | None = None

    @property
    def alive(self) -> bool:
        return self.process.poll() is None


class Supervisor:
    """Owns child processes until `stop`; their output goes to `<folder>/logs/<name>.log`."""

    def __init__(self, folder: Path) -> None:
        self._logs = folder / "logs"
        self._groups: list[list[Child]] = []
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="supervisor", daemon=True)
        self._watcher.start()

    def start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        copies: int = 1,
        restart: bool = True,
    ) -> list[Child]:
        """Start `copies` of a command (absolute path and arguments), called `name` or `name-1`, `name-2`…"""
        names = [name] if copies == 1 else [f"{name}-{number}" for number in range(1, copies + 1)]
        group = [Child(one, command, environment, restart, self._spawn(one, command, environment)) for one in names]
        self._groups.append(group)
        return group

    @property
    def children(self) -> list[Child]:
        """Every child in the order of their starts."""
        return [child for group in self._groups for child in group]

    def stop(self) -> None:
        """SIGTERM in reverse order of the starts, copies at once, SIGKILL after 10 s. Once more does nothing."""
        self._stopping.set()
        self._watcher.join()
        while self._groups:
            processes.stop(*(child.process for child in self._groups.pop()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _spawn(
        self, name: str, command: Sequence[str], environment: Mapping[str, str] | None
    ) -> subprocess.Popen[bytes]:
        return processes.spawn(command, self._logs / f"{name}.log", environment)

    def _watch(self) -> None:
        while not self._stopping.wait(WATCH_SECONDS):
            for child in self.children:
                if child.restart and not child.alive:
                    self._revive(child)

    def _revive(self, child: Child) -> None:
        """Start a dead child again, later each time that it dies young."""
        now = time.monotonic()
        if child.due is None:
            steady = now - child.started > STEADY_SECONDS
            child.deaths = 0 if steady else child.deaths + 1
            child.due = now if steady else now + min(2.0 ** (child.deaths - 2), LONGEST_BACK_OFF)
            logger.warning("%s ended with %s, started again soon", child.name, child.process.returncode)
        if now >= child.due:
            child.process = self._spawn(child.name, child.command, child.environment)
            child.started, child.due = now, None
            child.restarts += 1
