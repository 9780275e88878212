"""One stack with the sample for the whole session, and others for what must not touch it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from onec_rag_local.processes import free_port
from running_stack import SAMPLE, RunningStack


@contextmanager
def stacks() -> Iterator[Callable[..., RunningStack]]:
    """Makes stacks in folders that the server's account can reach; ends them with the block."""
    made: list[RunningStack] = []

    def make(**environment: str) -> RunningStack:
        folder = Path(tempfile.mkdtemp(prefix="onec-rag-e2e-"))
        folder.chmod(0o755)
        made.append(RunningStack(folder, free_port(), environment))
        return made[-1]

    yield make
    for stack in made:
        if stack.process is not None and stack.process.poll() is None:
            stack.stop()
        shutil.rmtree(stack.folder, ignore_errors=True)


@pytest.fixture
def make_stack() -> Iterator[Callable[..., RunningStack]]:
    """Stacks of one test."""
    with stacks() as make:
        yield make


@pytest.fixture(scope="session")
def stack() -> Iterator[RunningStack]:
    """A running stack with the sample's configuration and manual loaded, vectors included."""
    with stacks() as make:
        running = make()
        running.start()
        for source, folder in (("warm-home", "configuration"), ("manual", "manual")):
            running.cli("upload", str(SAMPLE / folder), "--source", source, "--wait", "vectors")
        yield running
