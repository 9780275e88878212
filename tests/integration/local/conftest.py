"""A bucket server for the tests of one module."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from onec_rag_local.aws import Aws


@pytest.fixture(scope="module")
def aws_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("aws")


@pytest.fixture(scope="module")
def aws(aws_folder: Path) -> Iterator[Aws]:
    with Aws.start(aws_folder) as server:
        yield server
