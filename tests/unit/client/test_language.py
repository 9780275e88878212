import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

import onec_rag_client
from onec_rag_client.language import TEXTS, text

PACKAGE = Path(onec_rag_client.__file__).parent
ASSEMBLED = ("exit.", "stage.", "state.")
"""Beginnings of keys that the code completes with a number or a state of the API."""


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def calls_of_text() -> Iterator[tuple[str, set[str]]]:
    """Each `text("key", name=…)` of the package: the key, and the names of its values."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "text":
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, {keyword.arg or "" for keyword in node.keywords}


def test_both_languages_have_the_same_keys_in_the_same_order() -> None:
    assert list(TEXTS["ru"]) == list(TEXTS["en"])


@pytest.mark.parametrize("key", TEXTS["en"])
def test_both_languages_have_the_same_placeholders(key: str) -> None:
    assert placeholders(TEXTS["ru"][key]) == placeholders(TEXTS["en"][key])


def test_every_text_that_the_code_names_exists_and_gets_its_values() -> None:
    for key, values in calls_of_text():
        assert placeholders(TEXTS["en"][key]) == values, key


def test_no_text_is_left_that_nobody_shows() -> None:
    source = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py") if not path.name.startswith("texts_"))
    named = {key for key, _ in calls_of_text()}
    for key in TEXTS["en"]:
        noun, _, rest = key.partition(".")
        quoted = {f'"{word}"' for word in (key, rest, noun if rest == "help" else key)}
        assert key in named or key.startswith(ASSEMBLED) or any(word in source for word in quoted), key


def test_braces_in_a_value_are_not_placeholders() -> None:
    assert "{x}" in text("error.failed", detail="{x}")
