from pathlib import Path

import numpy as np
import pytest

from onec_rag_local.embedding.weights import ModelFileError, Weights, find_weights, read_weights


@pytest.fixture(scope="module")
def weights() -> Weights:
    return read_weights(find_weights())


def test_the_installed_model_has_the_shape_of_e5_small(weights: Weights) -> None:
    assert (weights.layers, weights.heads, weights.feed_forward) == (12, 12, 1536)
    assert len(weights.vocabulary.pieces) == 250_002
    assert weights.matrix("l0.q.w", 384).shape == (384, 384)
    assert weights.vector("emb.ln.w").shape == (384,)


def test_a_matrix_is_its_centred_nibbles_times_the_scales_of_their_blocks(weights: Weights) -> None:
    values, scales = weights.nibbles("l11.fo.w", 1536)

    assert values.shape == (384, 1536)
    assert scales.shape == (384, 48)
    assert values.max() <= 15
    matrix = weights.matrix("l11.fo.w", 1536)
    assert matrix[5, 100] == np.float32((values[5, 100] - 8.0) * scales[5, 3])


def test_a_tensor_read_as_the_wrong_kind_is_refused(weights: Weights) -> None:
    with pytest.raises(ModelFileError, match=r"no packed tensor emb\.ln\.w"):
        weights.matrix("emb.ln.w", 384)
    with pytest.raises(ModelFileError, match="no plain tensor nonsense"):
        weights.vector("nonsense")


def test_a_file_of_another_format_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    path.write_bytes(b"GGUF" + bytes(100))

    with pytest.raises(ModelFileError, match=r"model\.bin can't be read .* another format"):
        read_weights(path)


@pytest.mark.parametrize("length", [4, 40, 1_000, 3_000_000, 20_000_000])
def test_a_file_that_is_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "model.bin"
    with find_weights().open("rb") as whole:
        path.write_bytes(whole.read(length))

    with pytest.raises(ModelFileError, match=r"model\.bin can't be read"):
        read_weights(path)
