import pytest

from onec_rag_client.places import origin_of, place_of
from onec_rag_client.results import Place


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [(10, 42, "a.bsl:10-42"), (10, 10, "a.bsl:10"), (10, None, "a.bsl:10"), (None, None, "a.bsl")],
)
def test_a_place_is_written_as_editors_take_it(first: int | None, last: int | None, shown: str) -> None:
    place: Place = {"source": "bsp", "release": "1", "path": "a.bsl", "first_line": first, "last_line": last}
    assert place_of(place) == shown


def test_an_origin_is_a_source_in_its_release() -> None:
    place: Place = {"source": "bsp", "release": "3.1", "path": "a.md", "first_line": None, "last_line": None}
    assert origin_of(place) == "bsp@3.1"
