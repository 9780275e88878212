"""`make demo`: a stack of its own, the sample through the bucket, five questions in Russian, and the end of it all."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from onec_rag_local.processes import free_port
from onec_rag_local.stack import Stack, running

QUESTIONS = (
    ("Что делает система, когда товара на складе не хватает для резерва?", ()),
    ("ОбменССайтом", ("--kind", "module")),
    ("как рассчитывается скидка клиента", ("--kind", "procedure")),
    ("регистр остатков товаров на складах", ("--kind", "object")),
    ("как оформить возврат от покупателя", ("--source", "manual")),
)


def main() -> None:
    """Shows the whole way once; every step is a command that a user would type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=Path, required=True, help="folder with configuration/ and manual/")
    arguments = parser.parse_args()
    begun = time.monotonic()
    # Not the private default folder: PostgreSQL runs as another user when we are root.
    with tempfile.TemporaryDirectory(prefix="onec-rag-demo-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with running(folder, free_port(), _say) as stack:
            _say(f"onec-rag: {stack.url}")
            for source, path in (("warm-home", "configuration"), ("manual", "manual")):
                upload = ("upload", str(arguments.sample / path), "--source", source)
                _command(stack, *upload, "--wait", "vectors")
            for question, options in QUESTIONS:
                _command(stack, "search", question, *options, "-n", "3")
            _command(stack, "sources")
    _say(f"{time.monotonic() - begun:.0f} s")


def _command(stack: Stack, *arguments: str) -> None:
    """Types one command of the CLI, shown before its answer."""
    _say("\n$ onec-rag " + " ".join(f'"{word}"' if " " in word else word for word in arguments))
    environment = {**os.environ, "ONEC_RAG_URL": stack.url, "ONEC_RAG_API_KEY": stack.key}
    subprocess.run([sys.executable, "-m", "onec_rag_client", *arguments], env=environment, check=True)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
