"""multilingual-e5-small on this machine's processor: texts → L2-normalised vectors of 384 numbers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import numpy as np
import onnxruntime

from onec_rag_local.embedding.graph import build_graph
from onec_rag_local.embedding.quantization import weight_limit
from onec_rag_local.embedding.tokenizer import Tokenizer
from onec_rag_local.embedding.weights import DIMENSIONS, Floats, Weights, find_weights, read_weights

FORMAT = 1  # part of the graph file's name: raise it when build_graph changes what it writes


@dataclass(frozen=True, slots=True)
class Embeddings:
    """`vectors` float32 [n, 384] in the order of the texts; `truncated` are the indexes of the texts that were cut.

    `tokens` counts what the model read, <s> and </s> included.
    """

    vectors: Floats
    tokens: int
    truncated: list[int]


class EmbeddingModel:
    """Thread-safe. A batch runs `threads` texts at once, each on one core.

    Texts are embedded as they come: the e5 prefix ("query: ", "passage: ") is part of the text. Texts over 512 tokens
    are truncated. `cache` is the folder of the generated ONNX file (83 MB, written once per model and processor kind).
    """

    def __init__(self, cache: Path, threads: int) -> None:
        weights = read_weights(find_weights())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3  # errors only
        self._session = onnxruntime.InferenceSession(
            graph_file(weights, cache),
            options,
            providers=["CPUExecutionProvider"],
            # Its fused SkipLayerNormalization is five times slower on a CPU than Add and LayerNormalization.
            disabled_optimizers=["SkipLayerNormFusion"],
        )
        self._tokenizer = Tokenizer(weights.vocabulary)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embedding")

    def embed(self, texts: Sequence[str]) -> Embeddings:
        """A single text does not queue behind the batches of others: a search must not wait for indexing."""
        tokenized = self._tokenizer.tokenize(texts)
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        if len(texts) == 1:
            vectors[0] = self._run(tokenized[0].ids)
        else:
            # Long texts first, so that the threads end together.
            order = sorted(range(len(texts)), key=lambda index: -len(tokenized[index].ids))
            results = self._pool.map(self._run, (tokenized[index].ids for index in order))
            for index, vector in zip(order, results, strict=True):
                vectors[index] = vector
        tokens = sum(len(text.ids) for text in tokenized)
        return Embeddings(vectors, tokens, [index for index, text in enumerate(tokenized) if text.truncated])

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text without <s> and </s>; a text that fits, prefix included, has at most 510."""
        return self._tokenizer.count(texts)

    def close(self) -> None:
        """Drops the batches that wait; texts that are being embedded are finished."""
        self._pool.shutdown(cancel_futures=True)

    def _run(self, ids: list[int]) -> Floats:
        vector: Floats = self._session.run(None, {"input_ids": np.array(ids, np.int64)})[0][0]
        return vector


def graph_file(weights: Weights, cache: Path) -> Path:
    """The generated ONNX file in `cache`; built when it is not there yet, whole or not at all.

    Several processes may build it at once: each writes its own file and moves it to the name.
    """
    limit = weight_limit()
    path = cache / f"multilingual-e5-small-{weights.checksum:08x}-f{FORMAT}-w{limit}.onnx"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{uuid4().hex}.tmp")
        try:
            temporary.write_bytes(build_graph(weights, limit).SerializeToString())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return path
