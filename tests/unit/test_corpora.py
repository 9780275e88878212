"""`make corpora` over small trees of our own: what is counted, what is found off, what is written."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from scripts.corpora.checks import CHECKS, check_lines, check_names, check_window, oracle_check
from scripts.corpora.descriptors import bodies_missing
from scripts.corpora.examine import examine
from scripts.corpora.expected import CORPORA
from scripts.corpora.folder import list_files, placed_files, roots_of
from scripts.corpora.help_pages import examine_help

from onec_rag.chunking.base import Context
from onec_rag.chunking.document import chunks_of
from onec_rag.formats.bsl import scan
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Module
from onec_rag.model.document import Document, DocumentKind

ROOT = Path(__file__).parents[2]
FAST = ["names", "window", "lines"]
DESCRIPTOR = "<MetaDataObject><{kind}><Properties><Name>{name}</Name></Properties></{kind}></MetaDataObject>"
MODULE = """\
////////////////////////////////
// Copyright (c) Ёлочный базар
////////////////////////////////

#Область Цены
Функция Цена(Игрушка) Экспорт
\tВозврат 1;
КонецФункции
Процедура Скидка()
КонецПроцедуры
#КонецОбласти
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A configuration, an external data processor in another folder, and a page beside them."""
    folder = tmp_path / "дерево"
    write(
        folder,
        {
            "src/cf/Configuration.xml": DESCRIPTOR.format(kind="Configuration", name="ЁлочныйБазар"),
            "src/cf/CommonModules/Цены.xml": DESCRIPTOR.format(kind="CommonModule", name="Цены"),
            "src/cf/CommonModules/Цены/Ext/Module.bsl": MODULE,
            "epf/Печать.xml": DESCRIPTOR.format(kind="ExternalDataProcessor", name="Печать"),
            "epf/Печать/Ext/ObjectModule.bsl": "Процедура Печать()\nКонецПроцедуры\n",
            "README.md": "# Ёлочный базар\n\nИгрушки.\n",
            ".git/config": "не читается",
        },
    )
    return folder


def module(text: str) -> tuple[Document, Sequence[Chunk]]:
    document = Document("М.bsl", DocumentKind.MODULE, "ОбщийМодуль.М", "ОбщийМодуль.М", scan(text, "CommonModule"))
    return document, chunks_of(document, Context())


def row(printed: str, what: str) -> list[str]:
    """Found, expected, and the word at the end of a line of the table."""
    [line] = [line for line in printed.splitlines() if line.startswith(f"  {what}  ")]
    return line.split()[-3:]


# A corpus as a whole


def test_a_sound_tree_is_read_and_nothing_is_off(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert examine("other", tree, None, FAST) == 0
    printed = capsys.readouterr().out
    assert row(printed, "descriptors") == ["3", "3", "ok"]
    assert row(printed, "external data processors and reports") == ["1", "1", "ok"]
    assert row(printed, "kinds in dumps") == ["3", "3", "ok"]
    assert row(printed, "lines without a chunk") == ["0", "0", "ok"]
    assert "procedures 3 " in printed
    assert "6 files, 3 roots" in printed


def test_figures_of_another_corpus_are_off(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert examine("bsp", tree, None, FAST) == len(next(corpus for corpus in CORPORA if corpus.name == "bsp").expected)
    assert row(capsys.readouterr().out, "procedures") == ["3", "38,310", "OFF"]


def test_files_that_cannot_be_read_are_off_and_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"src/cf/Catalogs/Игрушки.xml": "<MetaDataObject><Catalog>"})
    assert examine("other", tree, None, FAST) == 3
    printed = capsys.readouterr().out
    assert row(printed, "files that can't be read") == ["1", "0", "OFF"]
    assert row(printed, "kinds in dumps") == ["3", "4", "OFF"]
    assert "    src/cf/Catalogs/Игрушки.xml: line 1: not well-formed XML" in printed


def test_a_file_that_git_lfs_has_left_out_is_told_and_no_fault(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 4096\n"
    write(tree, {"src/cf/XDTOPackages/Обмен/Ext/Package.bin": pointer, "epf/Печать.epf": pointer})
    assert examine("other", tree, None, FAST) == 0
    assert "  left out by Git LFS: 2\n    epf/Печать.epf\n" in capsys.readouterr().out


def test_a_module_at_a_place_that_no_format_knows_is_off(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"src/cf/Неизвестное/Module.bsl": MODULE})
    assert examine("other", tree, None, FAST) == 1
    assert row(capsys.readouterr().out, "modules that no format reads") == ["1", "0", "OFF"]


def test_a_binary_file_that_does_not_open_is_off(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, {"bin/Другая.epf": "только зовётся так"})
    (tree / "bin/Печать.epf").write_bytes(b"\xff\xff\xff\x7f" + bytes(500))
    assert examine("other", tree, None, FAST) == 1
    printed = capsys.readouterr().out
    assert row(printed, "binary files opened") == ["0", "1", "OFF"]
    assert "bin/Печать.epf: " in printed


def test_a_descriptor_without_its_other_file_is_told(tree: Path) -> None:
    (tree / "src/cf/CommonModules/Цены/Ext/Module.bsl").unlink()
    files = list_files(tree).files
    placed = list(placed_files(files, roots_of(files)))
    assert bodies_missing(placed, []) == ["src/cf/CommonModules/Цены.xml"]
    assert bodies_missing(placed, ["src/cf/CommonModules/Цены/Ext/Module.bin"]) == []


def test_the_command_writes_json_lines_and_ends_well(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "scripts.corpora", "--other", str(tree), "--oracle", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "every figure is as expected"
    procedures = [json.loads(line) for line in (out / "other.procedures.jsonl").read_text("utf-8").splitlines()]
    path = "src/cf/CommonModules/Цены/Ext/Module.bsl"
    assert {"path": path, "symbol": "Цена", "start": 6, "end": 8, "export": True} in procedures
    assert len(procedures) == 3
    objects = [json.loads(line) for line in (out / "other.objects.jsonl").read_text("utf-8").splitlines()]
    assert {
        "path": "epf/Печать.xml", "kind": "ExternalDataProcessor", "fqn": "ВнешняяОбработка.Печать", "title": "Печать",
        "adopted": False,
    } in objects  # fmt: skip


def test_a_folder_without_anything_known_is_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert examine("other", tmp_path, None, FAST) == 1
    assert examine_help(tmp_path) == 1
    assert row(capsys.readouterr().out, "roots") == ["0", "1", "OFF"]


@pytest.mark.parametrize("arguments", [[], ["--bsp", "нет такой папки"]])
def test_the_command_wants_folders(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "scripts.corpora", *arguments]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, text=True)
    assert done.returncode == 2
    assert "no checkout is given" in done.stderr or "is no folder" in done.stderr


def test_counts_that_are_off_end_the_command_with_1(tree: Path) -> None:
    command = [sys.executable, "-m", "scripts.corpora", "--edt", str(tree)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONUTF8": "1"}, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "figures off: 2")


# The checks


def test_a_line_that_is_in_no_chunk_is_found() -> None:
    document, chunks = module(MODULE)
    assert list(check_lines(document, chunks)) == []
    faults = check_lines(document, [chunk for chunk in chunks if "Процедура Скидка()" not in chunk.text])
    assert next(faults) == "line 9: Процедура Скидка()"


def test_a_line_in_slices_is_in_its_chunks() -> None:
    document, chunks = module(f'Процедура А()\n\tТ = "{"слово и ещё слово, " * 1_000}";\nКонецПроцедуры')
    assert list(check_lines(document, chunks)) == []
    assert [fault[:8] for fault in check_lines(document, [*chunks[:3], *chunks[4:]])] == ["line 2: "]


def test_a_chunk_above_the_window_is_found() -> None:
    chunk = Chunk(ChunkKind.PAGE, "", "", "Страница", "слово " * 2_000)
    document, _ = module("")
    assert len(list(check_window(document, [chunk]))) == 1


def test_a_document_without_a_name_is_found() -> None:
    document = Document("М.bsl", DocumentKind.MODULE, "", "", scan("", "CommonModule"))
    assert len(list(check_names(document, []))) == 1
    assert list(check_names(*module(MODULE))) == []


def test_procedures_are_compared_with_the_grammar() -> None:
    check = oracle_check()
    document, chunks = module(MODULE)
    assert list(check(document, chunks)) == []
    assert isinstance(document.content, Module)
    short = replace(document, content=replace(document.content, procedures=document.content.procedures[:1]))
    assert list(check(short, chunks)) == ["ОбщийМодуль.М: [('Скидка', False, 9, 10)]"]


def test_every_check_is_named() -> None:
    assert set(FAST) < set(CHECKS)


# Pages of the platform's help


PAGE = (
    '<html><body><h1 class="V8SH_pagetitle">Гирлянда.Зажечь (Garland.Light)</h1><p class="V8SH_title">Гирлянда'
    ' (Garland)</p><p class="V8SH_heading">Зажечь (Light)</p><p class="V8SH_chapter">Синтаксис:</p>Зажечь(&lt;Цвет&gt;)'
    '<p class="V8SH_chapter">Параметры:</p><div class="V8SH_rubric">&lt;Цвет&gt; (необязательный)</div>Тип: Строка.'
    ' <br>Цвет.<p class="V8SH_chapter">Доступность: </p><p>Сервер.</p></body></html>'
)


def test_pages_of_help_give_all_that_they_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"страницы/Light.html": PAGE, "страницы/другое.html": "<p>не справка</p>"})
    assert examine_help(tmp_path) == 0
    printed = capsys.readouterr().out
    for what in ("pages", "pages with a title", "pages with syntax", "parameters", "pages with availability"):
        assert row(printed, what) == ["1", "1", "ok"]


def test_what_a_page_has_and_was_not_read_is_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"Light.html": PAGE.replace('<p class="V8SH_chapter">Параметры', '<p class="V8SH_chapter">Иное')})
    assert examine_help(tmp_path) == 1
    assert row(capsys.readouterr().out, "parameters") == ["0", "1", "OFF"]
