"""A stack as a user starts it: `onec-rag up` in a process of its own, and the CLI against it."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from waiting import wait_until

SAMPLE = Path(__file__).parent / "data" / "sample"


@dataclass
class RunningStack:
    """A stack over one data folder; it can be ended, killed and started again."""

    folder: Path
    port: int
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def key(self) -> str:
        return str(json.loads((self.folder / "client.json").read_text(encoding="utf-8"))["key"])

    def start(self) -> None:
        self.process = self.command("up", "--data", str(self.folder), "--port", str(self.port))
        wait_until(self._answers, seconds=120)

    def command(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "onec_rag_client", *arguments],
            env=os.environ | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def stop(self, number: signal.Signals = signal.SIGINT) -> str:
        assert self.process is not None
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=60)
        return said

    def cli(self, *arguments: str, code: int = 0, **environment: str) -> str:
        """What a command prints; its exit code is checked."""
        done = subprocess.run(
            [sys.executable, "-m", "onec_rag_client", *arguments],
            env=os.environ | {"ONEC_RAG_URL": self.url, "ONEC_RAG_API_KEY": self.key} | environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=240,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments: str) -> Any:
        return json.loads(self.cli(*arguments, "--json"))

    def _answers(self) -> bool:
        if self.process is not None and self.process.poll() is not None:
            pytest.fail(self.process.communicate()[0])
        try:
            urlopen(f"{self.url}/healthz", timeout=5).close()
        except (URLError, OSError):
            return False
        return True
