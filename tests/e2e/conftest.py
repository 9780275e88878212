"""One stack with the sample for the whole session, and others for what must not touch it."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from onec_rag_local.processes import free_port
from running_stack import SAMPLE, RunningStack


@pytest.fixture(scope="session")
def make_stack() -> Iterator[Callable[..., RunningStack]]:
    """Stacks in folders that the server's account can reach; all are ended with the session."""
    stacks: list[RunningStack] = []

    def make(**environment: str) -> RunningStack:
        folder = Path(tempfile.mkdtemp(prefix="onec-rag-e2e-"))
        folder.chmod(0o755)
        stacks.append(RunningStack(folder, free_port(), environment))
        return stacks[-1]

    yield make
    for stack in stacks:
        if stack.process is not None and stack.process.poll() is None:
            stack.stop()
        shutil.rmtree(stack.folder, ignore_errors=True)


@pytest.fixture(scope="session")
def stack(make_stack: Callable[..., RunningStack]) -> RunningStack:
    """A running stack with the sample's configuration and manual loaded, vectors included."""
    running = make_stack()
    running.start()
    for source, folder in (("warm-home", "configuration"), ("manual", "manual")):
        running.cli("upload", str(SAMPLE / folder), "--source", source, "--wait", "vectors")
    return running
