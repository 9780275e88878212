import pytest

from onec_rag.errors import PermanentError
from onec_rag.indexing.activate import sum_counts
from onec_rag.indexing.keys import source_of


@pytest.mark.parametrize(
    ("key", "source"),
    [
        ("uploads/shop/cf.zip", "shop"),
        ("uploads/shop/id/cf.zip", "shop"),
        ("uploads/мой-магазин/1/2/3.md", "мой-магазин"),
    ],
)
def test_the_source_is_the_first_folder(key: str, source: str) -> None:
    assert source_of(key) == source


@pytest.mark.parametrize(
    "key",
    ["", "uploads/", "uploads/cf.zip", "uploads//cf.zip", "uploads/shop/", "other/shop/cf.zip", "uploads/a,b/cf.zip"],
)
def test_a_key_without_a_source_or_a_name_is_refused(key: str) -> None:
    with pytest.raises(PermanentError, match="uploads/<source>/<name>"):
        source_of(key)


def test_counts_of_tasks_are_summed() -> None:
    rows = [
        {},
        {"documents": 2, "problems": 0, "found": {"procedures": 5}},
        {"documents": 3, "problems": 1, "found": {"procedures": 1, "fields.Attribute": 4}},
    ]
    assert sum_counts(rows) == {"documents": 5, "problems": 1, "procedures": 6, "fields.Attribute": 4}
    assert sum_counts([]) == {}
