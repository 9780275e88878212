"""Every row of the table of formats over fixtures of our own: what it recognises, and what it makes of the bytes."""

import dataclasses
import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.base import Format
from onec_rag.formats.table import FORMATS, format_of
from onec_rag.model.document import Document

DATA = Path(__file__).parents[2] / "data" / "formats"
ROWS = [(kind, row) for kind, rows in FORMATS.items() for row in rows]


def plain(value: object) -> Any:
    """A document as JSON has it; fields with nothing in them, and the lines of a module, are left out."""
    if dataclasses.is_dataclass(value):
        pairs = {item.name: getattr(value, item.name) for item in dataclasses.fields(value) if item.name != "lines"}
        return {name: plain(part) for name, part in pairs.items() if part not in ("", (), {}, None, False)}
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, (tuple, list)) else value


def outcome(row: Format, path: str, data: bytes) -> Any:
    try:
        return plain(row.read(path, data))
    except PermanentError as error:
        return {"reason": error.reason, "path": error.path, "place": error.place}


@pytest.mark.parametrize("kind", FORMATS)
def test_fixtures_are_recognised_by_a_row_and_read_as_expected(kind: str) -> None:
    """`tests/data/formats/<kind of root>` is one small root with a file for every row of the kind."""
    folder = DATA / kind
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "expected.json"]
    names = {unicodedata.normalize("NFC", path.relative_to(folder).as_posix()): path for path in files}
    rows = {name: format_of(kind, name) for name in names}
    assert {name for name, row in rows.items() if row} == expected.keys()
    assert {row.name for row in rows.values() if row} == {row.name for row in FORMATS[kind]}
    for name, row in rows.items():
        if row:
            assert outcome(row, name, names[name].read_bytes()) == expected[name]


@cache
def path_of(kind: str, row: Format) -> str:
    """A path of the fixtures that the row recognises."""
    names = json.loads((DATA / kind / "expected.json").read_text("utf-8"))
    return next(name for name in names if row.recognises(name))


WORDS = (
    "< > </ <MetaDataObject> <Catalog> <Properties> <Name>А</Name> <ChildObjects> <Type> </Type> </Properties> "
    "</Catalog> </MetaDataObject> &b; <p> <h1> </h1> <table> <tr> <td> <pre> <li> <br> <title> <meta/charset=utf-16> "
    "<a/href='x'> <img/alt='y'> # - 1. ``` --- > [a](b) ![c](d) ` й"
)
SNIPPETS = st.sampled_from(
    [*WORDS.split(), "|a|b|\n|-|-|\n", "\n", "\n\n", "    ", " ", "\0", "\ufeff", "<!DOCTYPE a [<!ENTITY b 'c'>]>"]
)
BYTES = st.one_of(
    st.binary(),
    st.lists(SNIPPETS, max_size=40).map(lambda parts: "".join(parts).encode()),
    st.lists(SNIPPETS, max_size=40).map(lambda parts: "".join(parts).encode("utf-16")),
)


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=lambda value: getattr(value, "name", value))
@given(data=BYTES)
@settings(deadline=None)
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(kind: str, row: Format, data: bytes) -> None:
    path = path_of(kind, row)
    try:
        document = row.read(path, data)
    except PermanentError:
        return
    assert document is None or (isinstance(document, Document) and document.path == path and document.title)
