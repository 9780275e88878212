from collections.abc import Iterator
from pathlib import Path

import pytest

from onec_rag_local.embedding.model import EmbeddingModel


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the generated model file, written once a session."""
    return tmp_path_factory.mktemp("embedding")


@pytest.fixture(scope="session")
def model(model_cache: Path) -> Iterator[EmbeddingModel]:
    model = EmbeddingModel(model_cache, threads=2)
    yield model
    model.close()
