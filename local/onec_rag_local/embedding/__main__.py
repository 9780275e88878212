"""`python -m onec_rag_local.embedding --cache DIR [--host 127.0.0.1] [--port N] [--threads N]`.

Prints one JSON line, {"url": "http://127.0.0.1:PORT/v1"}, when it answers; ends quietly on SIGTERM and Ctrl-C.
"""

import argparse
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from onec_rag_local.embedding.model import EmbeddingModel
from onec_rag_local.embedding.server import EmbeddingServer
from onec_rag_local.errors import LocalStackError


def main() -> None:
    """Serves until it is told to stop."""
    parser = argparse.ArgumentParser(
        prog="python -m onec_rag_local.embedding", description="OpenAI-compatible endpoint of multilingual-e5-small"
    )
    parser.add_argument("--cache", type=Path, required=True, help="folder of the generated model file (83 MB)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port; 0, the default, takes a free one")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="texts at once (default: all cores)")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both end as KeyboardInterrupt
    try:
        with suppress(KeyboardInterrupt):
            serve(options.host, options.port, options.cache, options.threads)
    except LocalStackError as error:
        sys.exit(str(error))


def serve(host: str, port: int, cache: Path, threads: int) -> None:
    """Loads the model and answers; the model is given back when the server stops."""
    model = EmbeddingModel(cache, threads)
    try:
        with EmbeddingServer(host, port, model) as server:
            sys.stdout.write(json.dumps({"url": server.url}) + "\n")
            sys.stdout.flush()
            server.serve_forever()
    finally:
        model.close()


if __name__ == "__main__":
    main()
