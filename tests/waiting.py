"""Waiting for a condition with a deadline."""

import threading
import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], seconds: float = 30) -> None:
    """Look until `condition` is true; fail with its name when it is not in time."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"not in {seconds} s: {condition}"
        pause.wait(0.02)
