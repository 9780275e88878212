"""The process's own streams."""

import io
import sys


def speak_utf8() -> None:
    """Lets Cyrillic through whatever the console's encoding is said to be; never fails on a sign."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
