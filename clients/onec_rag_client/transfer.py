"""A file to the bucket, in parallel parts."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from onec_rag_client.api import OnecRag
from onec_rag_client.errors import ApiError

PARALLEL = 4
RETRIES = 3
_BLOCK = 256 * 1024

OnBytes = Callable[[int], object]
"""Is told how many bytes more were done; fewer than none when a part begins again. Called from several threads."""


def send_parts(
    api: OnecRag,
    path: Path,
    links: Sequence[str],
    part_size: int,
    on_bytes: OnBytes,
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Sends the file in parts of `part_size` bytes, one to each link; gives their ETags in order.

    Raises:
        ApiError: a part failed and `RETRIES` more times; the error is that of the last time.
    """
    size = path.stat().st_size

    def send(number: int) -> str:
        begin = number * part_size
        length = min(part_size, size - begin)
        for attempt in range(RETRIES + 1):
            sent = _Counter(on_bytes)
            try:
                return api.put_part(links[number], sent.counted(_blocks(path, begin, length)), length)
            except ApiError:
                sent.take_back()
                if attempt == RETRIES:
                    raise
                pause(2.0 ** (attempt - 1))
        raise AssertionError("the last attempt returns or raises")

    pool = ThreadPoolExecutor(PARALLEL)
    try:
        return list(pool.map(send, range(len(links))))
    finally:
        pool.shutdown(cancel_futures=True)


class _Counter:
    """What one attempt has reported, so that it can be taken back."""

    def __init__(self, on_bytes: OnBytes) -> None:
        self._on_bytes = on_bytes
        self._total = 0

    def counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            yield block
            self._total += len(block)
            self._on_bytes(len(block))

    def take_back(self) -> None:
        self._on_bytes(-self._total)


def _blocks(path: Path, begin: int, length: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(begin)
        while length > 0 and (block := file.read(min(_BLOCK, length))):
            length -= len(block)
            yield block
