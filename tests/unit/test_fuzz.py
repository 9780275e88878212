"""`make fuzz`: its inputs can be made again, and what must not be is told."""

import io
import json
import os
import random
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.fuzz.__main__ import FIXTURES, Fault, input_of, read
from scripts.fuzz.damage import damage
from scripts.fuzz.seeds import Seed, seeds_of

from onec_rag.errors import PermanentError
from onec_rag.formats.hbk import expand
from onec_rag.formats.table import FORMATS
from onec_rag.model.document import Block, Document, DocumentKind, Prose, Section

ROOT = Path(__file__).parents[2]
XML = "<а><б в='1'>слово</б><б><г/></б></а>".encode()


def refuse(reason: str, path: str) -> None:
    raise PermanentError(reason, path)


def page(path: str, text: str) -> Document:
    return Document(path, DocumentKind.PAGE, "", "Страница", Prose((Section((), (Block(text, 1, 1),)),)))


def test_every_format_is_damaged() -> None:
    readers = {seed.reader for seed in seeds_of(FIXTURES)}
    assert {f"{kind} {row.name}" for kind, rows in FORMATS.items() for row in rows} <= readers


def test_files_are_sound_before_they_are_damaged() -> None:
    seeds = seeds_of(FIXTURES)
    assert {read(seed, seed.data) for seed in seeds} == {"document", "nothing", "refused"}
    assert {read(seed, seed.data) for seed in seeds if seed.reader.startswith("archive")} == {"nothing"}
    [book] = [seed.data for seed in seeds if seed.reader == "archive hbk"]
    [(_, page)] = expand(lambda offset, length: book[offset : offset + length], len(book), "а_ru", [])
    assert json.loads(page)["headings"] == [{"ru": "Ёлка"}]


def test_an_input_can_be_made_again_from_its_number() -> None:
    seeds = seeds_of(FIXTURES)
    inputs = [input_of(seeds, 7, number) for number in range(20)]
    assert inputs == [input_of(seeds, 7, number) for number in range(20)]
    assert len({data for _, data in inputs}) == 20


FILES = st.one_of(st.binary(max_size=200), st.sampled_from([XML, b'{"html": "<p>1", "book": 1}', b"{"]))


@given(data=FILES, other=FILES)
def test_damage_is_bounded_whatever_the_files_are(data: bytes, other: bytes) -> None:
    assert len(damage(random.Random(1), data, other, 1_000)) <= 1_000


def test_what_is_inside_a_zip_is_damaged_too() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("слово.txt", b"0123456789" * 9)
    inside = set[bytes]()
    for number in range(40):
        damaged = damage(random.Random(number), packed.getvalue(), XML, 1_000)
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(damaged)) as archive, suppress(KeyError):
            inside.add(archive.read("слово.txt"))
    assert len(inside) > 20


@pytest.mark.parametrize(
    ("outcome", "reader"),
    [
        ("document", lambda path, _: page(path, "слово")),
        ("nothing", lambda path, _: None),
        ("refused", lambda path, _: refuse("нельзя", path)),
    ],
)
def test_what_a_reader_may_do_is_counted(outcome: str, reader: object) -> None:
    assert read(Seed("наш", "а.md", b"", reader), b"") == outcome  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reader",
    [
        lambda path, _: page("другой.md", "слово"),
        lambda path, _: refuse("нельзя", ""),
        lambda path, _: refuse("", path),
    ],
)
def test_what_a_reader_must_not_do_is_a_fault(reader: object) -> None:
    with pytest.raises(Fault):
        read(Seed("наш", "а.md", b"", reader), b"")  # type: ignore[arg-type]


def test_the_command_prints_what_was_run_and_one_input_alone_too(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "scripts.fuzz", "--seed", "3", "--out", str(tmp_path)]
    done = subprocess.run([*command, "--minutes", "0.01"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1].startswith(("documentation", "configuration", "FAILED", "platform"))
    assert "seed 3: " in done.stdout
    alone = subprocess.run([*command, "--input", "5"], cwd=ROOT, env=environment, capture_output=True, text=True)
    [file, outcome] = alone.stdout.splitlines()
    assert Path(file).parent == tmp_path
    assert outcome in ("document", "nothing", "refused")
