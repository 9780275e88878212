import io
from collections import Counter
from zipfile import ZipFile

import pytest

from integration.configuration import configuration, zipped
from onec_rag.formats.archive import Limits, list_members
from onec_rag.indexing import compose
from onec_rag.indexing.compose import copy_members

DATA = zipped(configuration())


@pytest.mark.parametrize("buffer", [1, 7, 100, 4 << 20])
def test_members_are_copied_whole_by_ranges_of_any_size(monkeypatch: pytest.MonkeyPatch, buffer: int) -> None:
    monkeypatch.setattr(compose, "BUFFER", buffer)
    reads = Counter[int]()

    def read(start: int, length: int) -> bytes:
        reads[length] += 1
        return DATA[start : start + length]

    members, _ = list_members(lambda start, length: DATA[start : start + length], len(DATA), Limits())
    copied = io.BytesIO()
    with ZipFile(copied, "w") as target:
        copy_members(read, reversed(members), target)
    with ZipFile(copied) as made, ZipFile(io.BytesIO(DATA)) as original:
        assert made.testzip() is None
        assert {name: made.read(name) for name in made.namelist()} == {
            name: original.read(name) for name in original.namelist()
        }
    assert buffer < 1 << 20 or sum(reads.values()) == 1, "neighbours are read together"


def test_of_nothing_nothing_is_copied() -> None:
    copied = io.BytesIO()
    with ZipFile(copied, "w") as target:
        copy_members(lambda start, length: pytest.fail("nothing is to be read"), [], target)
    assert ZipFile(copied).namelist() == []
