"""What the folders and files of the product have to look like; the house rules are in CONTRIBUTING.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("shared/onec_rag", "clients/onec_rag_client", "local/onec_rag_local")
NOT_A_ROOM = {"utils", "common", "helpers", "misc", "manager"}
LONGEST_MODULE = 300
LONGEST_HANDLER = 60

MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
HANDLERS = sorted((ROOT / "functions").rglob("*.py"))
FOLDERS = sorted({path.parent for path in MODULES})
PRODUCT = [path for path in MODULES if path.is_relative_to(ROOT / PACKAGES[0])]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def docstring(path: Path) -> str:
    return ast.get_docstring(tree(path)) or ""


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def is_one_sentence(text: str) -> bool:
    """A stop inside a name (`handler.py`) ends no sentence."""
    return len(re.findall(r"[.!?](?=\s|$)", text)) == 1 and text.endswith(".") and "\n\n" not in text


def imported(path: Path) -> Iterator[str]:
    """Every module that a file names in an import, wherever the import stands; `from a import b` gives `a.b`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def reads_environment(path: Path) -> bool:
    attributes = {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    names = {name.rpartition(".")[2] for name in imported(path)}
    return bool((attributes | names) & {"environ", "environb", "getenv"})


def prints(path: Path) -> bool:
    calls = (node.func for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Name) and call.id == "print" for call in calls)


def test_every_folder_says_in_one_sentence_what_it_is_for() -> None:
    assert [shown(folder) for folder in FOLDERS if not (folder / "__init__.py").exists()] == []
    assert [shown(folder) for folder in FOLDERS if not is_one_sentence(docstring(folder / "__init__.py"))] == []


def test_no_name_hides_what_is_inside() -> None:
    assert [shown(path) for path in (*MODULES, *FOLDERS) if path.stem in NOT_A_ROOM] == []


def test_every_module_says_what_it_is() -> None:
    assert [shown(path) for path in (*MODULES, *HANDLERS) if not docstring(path)] == []


def test_a_long_module_gives_its_reason() -> None:
    long = [path for path in MODULES if lines(path) > LONGEST_MODULE]
    assert [shown(path) for path in long if "lines" not in docstring(path)] == []


def test_a_handler_is_short_and_begins_at_bootstrap() -> None:
    assert [shown(path) for path in HANDLERS if path.name != "handler.py" or lines(path) > LONGEST_HANDLER] == []
    ours = {name for path in HANDLERS for name in imported(path) if name.startswith("onec_rag")}
    assert {name for name in ours if not name.startswith("onec_rag.observability.")} == {"onec_rag.bootstrap"}


def test_every_function_is_in_the_table_of_functions() -> None:
    table = re.findall(r"^\| (\w+) \|", (ROOT / "functions" / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(table[1:]) == [path.parent.name for path in HANDLERS]


def test_settings_alone_read_the_environment() -> None:
    assert [shown(path) for path in PRODUCT if reads_environment(path)] in ([], ["shared/onec_rag/settings.py"])


def test_the_product_prints_nothing() -> None:
    assert [shown(path) for path in (*PRODUCT, *HANDLERS) if prints(path)] == []
