"""`python -m onec_rag_local up [--data DIR] [--port N]`: the stack in the foreground, until Ctrl-C."""

import argparse
import signal
import sys
import threading
from pathlib import Path

from onec_rag_local.errors import LocalStackError
from onec_rag_local.stack import running

DEFAULT_PORT = 8080


def main() -> None:
    """Starts the stack, says where it is, and waits for SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="onec-rag", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="start the service on this machine")
    up.add_argument("--data", type=Path, default=Path(".onec-rag"), help="data folder (default: %(default)s)")
    up.add_argument("--port", type=int, default=DEFAULT_PORT, help="port of the API (default: %(default)s)")
    arguments = parser.parse_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with running(arguments.data, arguments.port, _say) as stack:
            _say(f"onec-rag: {stack.url}   (docs: {stack.url}/docs, logs: {stack.folder / 'logs'})")
            if stack.new_key:
                _say(f"Ключ администратора, показан один раз · admin key, shown once:\n  {stack.key}")
            _say("Ctrl-C — остановить · to stop")
            stop.wait()
            _say("…")
    except LocalStackError as error:
        sys.exit(str(error))


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    sys.stderr.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    main()
