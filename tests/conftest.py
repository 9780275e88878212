"""How the tests are shared out to processes: a file's tests stay together, and so do all that use the whole stack."""

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(  # for `make fuzz`
    "fuzz", max_examples=20_000, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip

TESTS = Path(__file__).parent


def pytest_configure() -> None:
    """Whoever starts the tests in the background may have Ctrl-C ignored; programs that are tested would inherit it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fixtures of a module or of the session are made once where their tests run in one process."""
    for item in items:
        place = item.path.relative_to(TESTS)
        item.add_marker(pytest.mark.xdist_group("e2e" if place.parts[0] == "e2e" else str(place)))
