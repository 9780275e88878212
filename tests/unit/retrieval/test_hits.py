from typing import Any

import pytest

from onec_rag.model.search import Hit, Place, Scoped
from onec_rag.retrieval.hits import collapse, make_hit

SCOPE = {7: Scoped(7, "shop", 3, "1.0.3", {"": "src/cf/", "cfe/Доработка": "src/cfe/Доработка/"}, 10, 0)}


def hit(number: int, kind: str = "procedure", fqn: str = "ОбщийМодуль.А.Б", source: str = "shop") -> Hit:
    return Hit(f"0-{number}", kind, fqn, "", "", "", "", Place(source, "1", "", None, None), 0.0, {}, {}, {})


def row(**facts: Any) -> dict[str, Any]:
    return {
        "chunk_id": 5, "source_id": 7, "release_no": 3, "kind": "procedure", "fqn": "ОбщийМодуль.А.Б", "symbol": "Б",
        "title": "А", "breadcrumb": "крошки", "text": "текст", "root": "", "path": "А.bsl", "stale_since": None,
        "lines": [3, 9], "facets": {"export": True},
    } | facts  # fmt: skip


def test_parts_of_one_procedure_are_its_best_part() -> None:
    assert [item.id for item in collapse([hit(1), hit(2), hit(3, fqn="ОбщийМодуль.А.В")])] == ["0-1", "0-3"]


@pytest.mark.parametrize("other", [hit(2, kind="module"), hit(2, source="stock"), hit(2, fqn="ОбщийМодуль.А.Б2")])
def test_another_kind_source_or_name_stays(other: Hit) -> None:
    assert collapse([hit(1), other]) == [hit(1), other]


@pytest.mark.parametrize("kind", ["help", "page"])
def test_sections_of_pages_stay_apart(kind: str) -> None:
    sections = [hit(1, kind, ""), hit(2, kind, "")]
    assert collapse(sections) == sections


def test_a_hit_is_placed_from_the_root_of_the_upload() -> None:
    assert make_hit(0, row(), SCOPE).place == Place("shop", "1.0.3", "src/cf/А.bsl", 3, 9)
    assert make_hit(0, row(root="cfe/Доработка"), SCOPE).place.path == "src/cfe/Доработка/А.bsl"
    assert make_hit(0, row(lines=None), SCOPE).place == Place("shop", "1.0.3", "src/cf/А.bsl", None, None)


@pytest.mark.parametrize(("since", "stale"), [(None, False), (2, True), (3, True), (4, False)])
def test_a_hit_is_stale_in_releases_from_then_on(since: int | None, stale: bool) -> None:
    assert make_hit(0, row(stale_since=since), SCOPE).stale is stale


def test_a_hit_carries_the_channels_that_found_it() -> None:
    channels = {"lexical": {5: (2, 1.23456)}, "vector": {6: (1, 0.9)}}
    made = make_hit(4, row(), SCOPE, 0.12345678, channels)
    assert (made.id, made.score, made.ranks, made.scores) == ("4-5", 0.123457, {"lexical": 2}, {"lexical": 1.2346})
