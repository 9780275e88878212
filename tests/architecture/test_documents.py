"""Documents say what the code does."""

import re
import shlex
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from typer.main import get_command

from onec_rag.formats.designer.links import RELATIONS
from onec_rag.formats.table import FORMATS
from onec_rag.model.chunk import ChunkKind
from onec_rag.model.document import DocumentKind
from onec_rag.model.search import Mode
from onec_rag.model.tasks import UploadState
from onec_rag.settings import Settings
from onec_rag_client.cli.app import app
from onec_rag_client.cli.exit_codes import ExitCode

ROOT = Path(__file__).parents[2]
READMES = ("README.md", "README.ru.md")
REQUIRED = {"required", "обязательна"}
COMMANDS = get_command(app).commands  # type: ignore[attr-defined]  # a group, since it has several


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def documents() -> Iterator[str]:
    """Every Markdown file of ours; those under `tests/data` are data."""
    for folder in (".", "docs", "functions", "tests"):
        for path in sorted((ROOT / folder).glob("*.md" if folder == "." else "**/*.md")):
            if "data" not in path.relative_to(ROOT).parts:
                yield path.relative_to(ROOT).as_posix()


def code_blocks(text: str) -> list[str]:
    return re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL)


def prose(text: str) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def rows(text: str) -> list[list[str]]:
    """The cells of every row of every table."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]


def bare(cell: str) -> str:
    """A cell without the marks of code."""
    return cell.strip("`")


def default_of(name: str) -> str | None:
    """A setting's default as the table shows it; None where there is none."""
    field = Settings.model_fields[name]
    if field.is_required():
        return None
    value: Any = field.default
    value = value.get_secret_value() if isinstance(value, SecretStr) else value
    return f"{value:g}" if isinstance(value, float) else str(value)


def command_lines(text: str) -> list[list[str]]:
    """The words of each `onec-rag …` line in the code blocks."""
    lines = [line for block in code_blocks(text) for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("onec-rag ")]


def glossary_terms() -> set[str]:
    """What stands in the first column of a table, each name of `a, b` by itself."""
    return {bare(term) for row in rows(read("docs/glossary.md")) for term in row[0].split(", ")}


@pytest.mark.parametrize("name", READMES)
def test_the_table_of_settings_is_what_settings_are(name: str) -> None:
    variables = {(field.alias or f"ONEC_RAG_{key}".upper()): key for key, field in Settings.model_fields.items()}
    table = {bare(row[0]): row[1] for row in rows(read(name)) if bare(row[0]) in variables}
    assert list(table) == list(variables)
    for variable, cell in table.items():
        expected = default_of(variables[variable])
        assert bare(cell) in REQUIRED if expected is None else bare(cell) == expected, variable


@pytest.mark.parametrize("name", READMES)
def test_every_variable_that_the_command_line_reads_is_in_a_table(name: str) -> None:
    source = read("clients/onec_rag_client/settings.py")
    assert set(re.findall(r'"(ONEC_RAG_\w+)"', source)) <= {bare(row[0]) for row in rows(read(name))}


@pytest.mark.parametrize("name", READMES)
def test_exit_codes_are_those_of_the_program(name: str) -> None:
    codes = [int(row[0]) for row in rows(read(name)) if row[0].isdigit()]
    assert codes == [code.value for code in ExitCode]


@pytest.mark.parametrize("name", READMES)
def test_commands_in_the_readme_can_be_typed(name: str) -> None:
    typed = command_lines(read(name))
    assert {words[0] for words in typed} == set(COMMANDS)
    for command, *words in typed:
        meant = COMMANDS[command]
        if words and words[0] in (inner := getattr(meant, "commands", {})):
            meant = inner[words.pop(0)]
        known = {option for parameter in meant.params for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known, command


def test_make_targets_in_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = {
        target for name in documents() for target in re.findall(r"(?:^|`)make ([a-z-]+)", read(name), re.MULTILINE)
    }
    assert {"demo", "test"} <= named <= targets


def test_links_lead_to_files() -> None:
    links = [(name, link) for name in documents() for link in re.findall(r"\]\(([^)\s#]+)", prose(read(name)))]
    files = [(name, link) for name, link in links if "://" not in link]
    assert [(name, link) for name, link in files if not (ROOT / name).parent.joinpath(link).exists()] == []


def test_both_readmes_have_the_same_shape() -> None:
    english, russian = map(read, READMES)
    assert code_blocks(russian) == code_blocks(english)
    marks = [re.findall(r"^#+(?= )", prose(text), re.MULTILINE) for text in (english, russian)]
    assert marks[0] == marks[1]
    assert [len(row) for row in rows(russian)] == [len(row) for row in rows(english)]


@pytest.mark.parametrize("words", [ChunkKind, Mode, UploadState])
def test_every_value_of_the_api_is_a_term_of_the_glossary(words: type[Enum]) -> None:
    assert {word.value for word in words} <= glossary_terms()


def test_every_relation_is_a_term_of_the_glossary() -> None:
    assert set(RELATIONS.values()) <= glossary_terms()


def test_every_table_kind_and_format_stands_in_the_glossary() -> None:
    schema = "".join(path.read_text("utf-8") for path in (ROOT / "shared/onec_rag/store/migrations").glob("*.sql"))
    words = set(re.findall(r"CREATE TABLE (\w+)", schema)) | set(DocumentKind)
    words |= {row.name for formats in FORMATS.values() for row in formats}
    text = read("docs/glossary.md")
    assert {word for word in words if f"`{word}`" not in text and word not in glossary_terms()} == set()


def test_every_decision_is_listed() -> None:
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", read("docs/decisions/README.md"))
    assert listed == sorted(path.name for path in (ROOT / "docs/decisions").glob("0*.md"))
