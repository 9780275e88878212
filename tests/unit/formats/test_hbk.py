import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.hbk import expand, language_of, without_footer
from onec_rag.formats.hbk_pages import is_hbk_page
from unit.formats.container_builder import book, container, contents, packed_table

HIVE = "objects/catalog7/Hive.html"
SETTLE = "objects/catalog7/Hive/methods/Settle5.html"
PAGE = '\ufeff<html><body><h1>Улей</h1>{}<HR><p>&nbsp; <a href=http://a.example/?C="id=1">Ещё</a></p></body></html>'
PAGES = {HIVE: PAGE.format("дом пчёл").encode(), SETTLE: PAGE.format("заселить").encode()}
TABLE = contents(
    [
        (1, 0, {"#": "Язык"}, ""),
        (7, 1, {"ru": 'Ещё "пчёлы"', "en": "Bees"}, ""),
        (9, 7, {"ru": "Улей", "en": "Hive"}, f"/{HIVE}"),
        (11, 1, {"ru": "Указатель"}, ""),
        (12, 11, {"ru": "Улей снова"}, f"/{HIVE}"),
    ]
)


def expanded(
    data: bytes, name: str = "shcntx_ru", problems: list[PermanentError] | None = None
) -> dict[str, dict[str, Any]]:
    """Pages by path; without a list for them there must be no problems."""
    found: list[PermanentError] = [] if problems is None else problems
    pages = expand(lambda offset, length: data[offset : offset + length], len(data), name, found)
    contents_by_path = {path: json.loads(content) for path, content in pages}
    assert problems is not None or not found
    return contents_by_path


@pytest.mark.parametrize("page", [0, 64])
def test_b15_a_book_gives_its_pages_without_any_other_program(page: int) -> None:
    pages = expanded(book(PAGES, TABLE, page=page))
    assert list(pages) == [f"shcntx_ru.hbk/{path}.json" for path in PAGES]
    assert all(map(is_hbk_page, pages))
    hive = pages[f"shcntx_ru.hbk/{HIVE}.json"]
    assert (hive["book"], hive["id"], hive["language"]) == ("shcntx_ru", "PlatformHelp", "ru")
    assert hive["html"] == "<html><body><h1>Улей</h1>дом пчёл"


def test_a_page_stands_at_its_first_place_in_the_table_of_contents() -> None:
    hive = expanded(book(PAGES, TABLE))[f"shcntx_ru.hbk/{HIVE}.json"]
    assert hive["titles"] == {"ru": "Улей", "en": "Hive"}
    assert hive["headings"] == [{"ru": "Язык"}, {"ru": 'Ещё "пчёлы"', "en": "Bees"}]


def test_a_page_that_the_table_does_not_name_has_its_folders() -> None:
    settle = expanded(book(PAGES, TABLE))[f"shcntx_ru.hbk/{SETTLE}.json"]
    assert settle["titles"] == {}
    assert settle["headings"][1:] == [
        {"ru": 'Ещё "пчёлы"', "en": "Bees"},
        {"ru": "Улей", "en": "Hive"},
        {"": "methods"},
    ]


def test_without_a_table_of_contents_pages_have_their_folders() -> None:
    settle = expanded(book(PAGES, None))[f"shcntx_ru.hbk/{SETTLE}.json"]
    assert settle["headings"] == [{"": "Hive"}, {"": "methods"}]


def test_images_templates_and_categories_are_no_pages() -> None:
    others = {
        "bee.PNG": b"\x89PNG", "Hive.st": b"<template>", "objects/__categories__": b"<a>", "notes": "слова".encode(),
        "empty.html": b"",
    }  # fmt: skip
    assert expanded(book(others | {"def_Bee": b"<html>"}, TABLE)).keys() == {"shcntx_ru.hbk/def_Bee.json"}


def test_a_place_with_an_anchor_is_that_of_its_page() -> None:
    table = contents([(1, 0, {"ru": "Раздел"}, ""), (2, 1, {"ru": "Рой"}, "def_Swarm#search")])
    page = expanded(book({"def_Swarm": b"<html>"}, table))["shcntx_ru.hbk/def_Swarm.json"]
    assert (page["titles"], page["headings"]) == ({"ru": "Рой"}, [{"ru": "Раздел"}])


def test_a_table_that_goes_round_is_read_for_some_rounds() -> None:
    table = contents([(1, 2, {"ru": "А"}, ""), (2, 1, {"ru": "Б"}, HIVE)])
    assert len(expanded(book(PAGES, table))[f"shcntx_ru.hbk/{HIVE}.json"]["headings"]) < 40


@pytest.mark.parametrize(
    ("name", "language"), [("shcntx_ru", "ru"), ("SHLANG_ROOT", "en"), ("shquery_uk", "uk"), ("book", "ru")]
)
def test_the_language_is_that_of_the_files_name(name: str, language: str) -> None:
    assert language_of(name) == language


def test_only_a_lonely_link_behind_the_last_rule_is_a_footer() -> None:
    assert without_footer("<p>а<HR><p>&nbsp;<a href='b'>в</a></p>") == "<p>а"
    for html in ("<p>а", "<p>а<hr>без ссылки", "<hr><a href='b'>" + "слово " * 20 + "</a>", "<hr/"):
        assert without_footer(html) == html


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\3\4", "not a container"),
        (container({"root": b"", "version": b""}), "it has no FileStorage.*bin folder of the platform"),
        (container({"FileStorage": b"Rar!"}), "not a zip archive"),
        (container({"FileStorage": None}), "the file is empty"),
    ],
)
def test_what_is_no_book_is_an_error_with_its_name(data: bytes, reason: str) -> None:
    with pytest.raises(PermanentError, match=reason) as raised:
        expanded(data)
    assert raised.value.path.startswith("shcntx_ru.hbk")


@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"PK",
        b"PK\3\4" + bytes(26),
        packed_table(TABLE)[:-30],
        packed_table(TABLE)[:40] + b"\xff" * 20,
        packed_table("{1"),
    ],
)
def test_pages_come_without_a_table_that_is_damaged(packed: bytes) -> None:
    data = book(PAGES, None)
    storage = data[data.index(b"PK\3\4") : data.rindex(b"PK\5\6") + 22]
    problems: list[PermanentError] = []
    pages = expanded(container({"FileStorage": storage, "PackBlock": packed}), problems=problems)
    assert len(pages) == len(PAGES)
    (problem,) = problems
    assert "the table of contents is damaged" in problem.reason
    assert problem.path == "shcntx_ru.hbk/PackBlock"


def test_a_damaged_page_is_a_problem_and_the_others_come() -> None:
    data = bytearray(book(PAGES, TABLE))
    data[data.index(HIVE.encode()) + len(HIVE) + 5] ^= 0xFF
    problems: list[PermanentError] = []
    assert expanded(bytes(data), problems=problems).keys() == {f"shcntx_ru.hbk/{SETTLE}.json"}
    assert [problem.path for problem in problems] == [f"shcntx_ru.hbk/{HIVE}"]


def test_a_book_is_read_by_ranges_and_its_pages_come_one_by_one() -> None:
    large = {f"objects/{number}.html": b"<html>" + bytes([65 + number]) * 400_000 for number in range(20)}
    data = book(large | {"picture.png": bytes(3 << 20)}, TABLE, page=1 << 20)
    longest = 0

    def read(offset: int, length: int) -> bytes:
        nonlocal longest
        longest = max(longest, length)
        return data[offset : offset + length]

    pages = expand(read, len(data), "shcntx_ru", [])
    assert next(pages)[0] == "shcntx_ru.hbk/objects/0.html.json"
    assert longest <= 1 << 20
    assert len(list(pages)) == len(large) - 1


@given(st.data())
def test_any_bytes_give_pages_or_a_permanent_error(data: st.DataObject) -> None:
    content = bytearray(book(PAGES, TABLE, page=data.draw(st.sampled_from([0, 64]))))
    for _ in range(data.draw(st.integers(0, 5))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=20))
    with suppress(PermanentError):
        expanded(bytes(content), problems=[])
