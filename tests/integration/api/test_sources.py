"""`/v1/sources` and `/v1/status`."""

import pytest

from integration.api.conftest import Face
from onec_rag import __version__

pytestmark = pytest.mark.integration


def test_sources_are_shown_in_their_current_release(face: Face) -> None:
    docs, shop = face.get("/v1/sources", "reader").json()
    assert (docs["name"], docs["kind"], docs["chunks"], docs["coverage"]) == ("docs", "documentation", 1, 1.0)
    assert (shop["name"], shop["kind"], shop["title"]) == ("shop", "configuration", "Магазин")
    assert (shop["release"], shop["label"], shop["releases"]) == (1, "1.0.1", 1)
    assert (shop["chunks"], shop["vectors"], shop["vector_problem"]) == (15, 15, None)
    assert shop["counts"]["procedures"] == 4
    assert shop["counts"]["problems"] == 1
    assert shop["ready_at"]


def test_the_status_shows_all_at_a_glance(face: Face) -> None:
    status = face.get("/v1/status", "reader").json()
    assert status["version"] == __version__
    assert status["embedding"] == "hash, 8 dimensions"
    assert status["database_bytes"] > 1_000_000
    assert status["sources"] == face.get("/v1/sources", "reader").json()
    assert {"shop", "docs"} <= {upload["source"] for upload in status["uploads"]}
