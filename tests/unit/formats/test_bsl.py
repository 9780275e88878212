import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
import tree_sitter
import tree_sitter_hbk
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.bsl import CONTAINER_SIGN, decode, scan
from onec_rag.model.code import Module, Parameter, Procedure

DATA = Path(__file__).parents[2] / "data" / "formats"
FIXTURES = {path.name: path.read_text("utf-8") for path in sorted((DATA / "bsl").glob("*.bsl"))}
CORNER = FIXTURES["bsl_corner.bsl"]


def scanned(text: str) -> Module:
    return scan(text, "CommonModule")


def only(text: str) -> Procedure:
    [procedure] = scanned(text).procedures
    return procedure


# The fixtures


def plain(value: object) -> Any:
    """As JSON has it, without what is empty and without the lines."""
    if dataclasses.is_dataclass(value):
        pairs = {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
        return {
            name: plain(part)
            for name, part in pairs.items()
            if part not in ("", (), None, 0) and name not in ("kind", "lines")
        }
    return [plain(part) for part in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", FIXTURES)
def test_corner_cases_give_the_expected_tables(name: str) -> None:
    """What tools of this kind have stumbled over: edits of extensions, doc comments, string literals."""
    expected = json.loads((DATA / "bsl" / "expected.json").read_text("utf-8"))
    assert plain(scanned(FIXTURES[name])) == expected[name]


@pytest.mark.parametrize("name", FIXTURES)
def test_line_ends_of_windows_change_nothing(name: str) -> None:
    assert scanned(FIXTURES[name].replace("\n", "\r\n")) == scanned(FIXTURES[name])


def test_line_ends_of_old_systems_and_of_several_at_once_are_understood() -> None:
    assert ours(scanned("Процедура А()\rКонецПроцедуры\r")) == [("А", False, False, 1, 2)]
    mixed = scanned('Процедура А()\r\r\n\tБ("\r");\nКонецПроцедуры\r\n')
    assert mixed.lines == ("Процедура А()", '\tБ("\r");', "КонецПроцедуры")


def test_other_line_separators_are_characters_of_their_line() -> None:
    procedure = only('Процедура А()\n\tБ("\x0b\x0c\x1c\x85\u2028");\nКонецПроцедуры')
    assert (procedure.line, procedure.last_line) == (1, 3)


# The oracle: a full grammar


def oracle(text: str) -> list[tuple[str, bool, bool, int, int]]:
    """Name, export, async, first and last line of every procedure as tree-sitter's grammar of BSL sees them."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_hbk.language()))
    found = []
    nodes = [parser.parse(text.encode()).root_node]
    while nodes:
        node = nodes.pop()
        if node.type in ("procedure_definition", "function_definition"):
            parts = {child.type: child for child in node.children}
            name = (parts["identifier"].text or b"").decode()
            lines = (node.start_point[0] + 1, node.end_point[0] + 1)
            found.append((name, "EXPORT_KEYWORD" in parts, "ASYNC_KEYWORD" in parts, *lines))
        nodes.extend(reversed(node.children))
    return found


def ours(module: Module) -> list[tuple[str, bool, bool, int, int]]:
    return [(item.name, item.export, item.asynchronous, item.line, item.last_line) for item in module.procedures]


@pytest.mark.parametrize("path", sorted((DATA / "configuration").rglob("*.bsl")), ids=lambda path: path.parts[-3])
def test_procedures_equal_those_of_a_full_grammar(path: Path) -> None:
    text = decode(path.read_bytes(), path.name)
    assert ours(scanned(text)) == oracle(text)


def test_corner_cases_equal_the_grammar_up_to_where_edits_inside_a_literal_derail_it() -> None:
    before = CORNER.index("// ИзменениеИКонтроль")
    assert ours(scanned(CORNER[:before])) == oracle(CORNER[:before])
    assert [name for name, *_ in ours(scanned(CORNER[before:]))] == ["Расш_ЗаполнитьТаблицу", "СНеразрывнымПробелом"]


# Headers


@pytest.mark.parametrize(
    "header",
    [
        "Процедура А()",
        "ПРОЦЕДУРА А()",
        "procedure А()",
        "\t \u00a0Процедура\tА  ( )",
        "Процедура А\n(\n)",
        "Асинх Процедура А()",
        "async\nprocedure А()",
        "&НаКлиенте Асинх Процедура А()",
        '&Перед("Б(") &AtServer Процедура А()',
    ],
)
def test_a_header_is_found_however_it_is_written(header: str) -> None:
    procedure = only(f"Перем Б;\n{header}\nКонецПроцедуры")
    assert (procedure.name, procedure.line) == ("А", 2)
    assert procedure.last_line == 3 + header.count("\n")
    assert procedure.asynchronous == ("с" in header.casefold().split("процедура")[0] or "async" in header)


@pytest.mark.parametrize(
    "text",
    [
        "// Процедура А()\n// КонецПроцедуры",
        'Т = "\n|Процедура А()\n|КонецПроцедуры";',
        "ПроцедураА();",
        "Объект.Процедура(А);",
        "#Процедура А()",
        "Процедура 1А()",
    ],
)
def test_what_only_looks_like_a_header_is_none(text: str) -> None:
    assert scanned(text).procedures == ()


def test_parameters_keep_their_defaults_whole() -> None:
    text = 'Функция А(Знач Б = "а,""б"" // в)", val В = \'20240101\', Г = (1), // пояснение, (\n\tД =\n-1, Е) Экспорт'
    assert only(text).parameters == (
        Parameter("Б", True, '"а,""б"" // в)"'),
        Parameter("В", True, "'20240101'"),
        Parameter("Г", False, "(1)"),
        Parameter("Д", False, "-1"),
        Parameter("Е"),
    )


@pytest.mark.parametrize(
    ("tail", "export"),
    [
        (") Экспорт", True),
        (")\n\tEXPORT", True),
        (") // Экспорт\n\t// и ещё\n\tЭкспорт // да", True),
        (") // Экспорт", False),
        (")\n\tЭкспортДанных();", False),
        (")Экспорт Б();", True),
    ],
)
def test_export_may_stand_behind_comments_and_on_the_next_line(tail: str, export: bool) -> None:
    procedure = only(f"Процедура А({tail}\nКонецПроцедуры")
    assert procedure.export is export
    assert procedure.signature_last_line == 1 + (tail.casefold().count("\n") if export else 0)


def test_an_unclosed_parameter_list_gives_no_parameters_and_ends_nothing() -> None:
    first, second = scanned("Процедура А(Б,\nКонецПроцедуры\nПроцедура В(Г)\nКонецПроцедуры").procedures
    assert (first.parameters, first.last_line) == ((), 2)
    assert second.parameters == (Parameter("Г"),)


# Ends


def test_a_missing_end_closes_above_the_next_procedure_and_its_comment() -> None:
    text = "Процедура А()\n\tВ();\n\n// О Б\n&НаКлиенте\nПроцедура Б()\n\tГ();\n"
    first, second = scanned(text).procedures
    assert (first.last_line, second.first_line, second.doc) == (3, 4, "О Б")
    assert second.last_line == 7


def test_procedures_on_one_line_end_there() -> None:
    text = 'Процедура А() КонецПроцедуры\nФункция Б() Возврат "КонецФункции"; КонецФункции // да\nА();'
    module = scanned(text)
    assert [(item.name, item.line, item.last_line) for item in module.procedures] == [("А", 1, 1), ("Б", 2, 2)]
    assert module.body == ((3, 3),)


def test_an_end_behind_a_statement_ends_the_procedure() -> None:
    assert only('Процедура А()\n\t// КонецПроцедуры\n\tБ("КонецПроцедуры"); КонецПроцедуры\nА();').last_line == 3


def test_words_of_an_end_may_be_of_the_other_language() -> None:
    assert only("Функция А()\nEndFunction\nА();").last_line == 2


# Size


def test_a_procedure_of_680_000_characters_is_one_procedure() -> None:
    body = "\tЕсли Отказ Тогда // КонецПроцедуры\n" * 20_000
    text = f"Процедура А()\n{body}КонецПроцедуры\nФункция Б()\n{body}"
    found = [(item.name, item.line, item.last_line) for item in scanned(text).procedures]
    assert len(body) > 680_000
    assert found == [("А", 1, 20_002), ("Б", 20_003, 40_003)]


@pytest.mark.parametrize(
    "part", ["а", " ", "&А", "&А(", '"', '""', "//", "(", ",", "Процедура А(", "#Область А ", "\r", "/", "'"]
)
def test_a_line_of_a_megabyte_is_bounded_work(part: str) -> None:
    """It would take hours if anything were looked at again for every part."""
    line = part * (1_000_000 // len(part))
    text = f"{line}\n&НаКлиенте\n{line}\nПроцедура А({line}\n//{line}\n{line})\nКонецПроцедуры\n{line}"
    assert len(scanned(text).lines) == 8
    assert len(scanned(f"Процедура А()\n{line}").lines) == 2


# Bytes


def test_a_protected_module_is_named_as_such() -> None:
    with pytest.raises(PermanentError, match="module is password-protected") as raised:
        decode(CONTAINER_SIGN + b"\0" * 12, "Ext/ObjectModule.bin")
    assert raised.value.path == "Ext/ObjectModule.bin"


@given(st.binary())
def test_any_bytes_are_scanned_or_named_as_unreadable(data: bytes) -> None:
    try:
        text = decode(data, "Module.bsl")
    except PermanentError:
        return
    scanned(text)


WORDS = st.sampled_from(
    [
        *("Процедура ", "Функция ", "Асинх ", "КонецПроцедуры", "EndFunction", "А", "Б", "(", ")", ",", "Знач ", "= "),
        *("Экспорт", "\n", "\n", "\r\n", "//", "////", "|", "#Область ", "#КонецОбласти", "#Иначе", "#КонецЕсли"),
        *("&НаКлиенте", '&Перед("А")', "ВызватьИсключение ", ";", " ", "\t", "'", "Copyright", '"', "\u00a0"),
    ]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=60).map("".join)))
def test_procedures_are_ordered_share_no_line_and_stay_inside_the_module(text: str) -> None:
    module: Any = scanned(text)
    behind = 0
    for procedure in module.procedures:
        assert behind < procedure.first_line <= procedure.line <= procedure.signature_last_line <= procedure.last_line
        behind = procedure.last_line
    assert behind <= len(module.lines)
    for first, last in module.body:
        assert 1 <= first <= last <= len(module.lines)
        assert not any(
            first <= line <= last for item in module.procedures for line in (item.first_line, item.line, item.last_line)
        )
