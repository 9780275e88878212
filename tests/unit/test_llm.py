"""What a server's wish to wait is taken for."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from onec_rag.llm import retry_after

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:30 GMT"}, 90),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:30 -0000"}, 90),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "x", "retry-after": "2"}, None),
    ],
)
def test_a_wish_to_wait_is_seconds_or_a_date(headers: Mapping[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
