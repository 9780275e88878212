"""A bucket server for the tests of one module."""

from collections.abc import Iterator

import pytest

from onec_rag_local.aws import Aws


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aws]:
    with Aws.start(tmp_path_factory.mktemp("aws")) as server:
        yield server
