import pytest

from onec_rag.formats.bsl import scan
from onec_rag.model.code import Module, Procedure


def scanned(text: str) -> Module:
    return scan(text, "CommonModule")


def only(text: str) -> Procedure:
    [procedure] = scanned(text).procedures
    return procedure


# What stands above a header


@pytest.mark.parametrize(
    ("above", "doc", "first_line"),
    [
        ("// Док\n", "Док", 2),
        ("// Док\n\n", "", 4),
        ("//Док\n//  - отступ\n", "Док\n - отступ", 2),
        ("// Док\n&НаКлиенте\n", "Док", 2),
        ('// Док\n&Перед("Б")\n// АПК:78-выкл\n\nАсинх ', "Док", 2),
        ("&НаСервере // хвост\n// Док\n", "Док", 2),
        ("// Не док\n\n&НаСервере\n", "", 4),
        ("//////\n// Док в рамке\n//////\n", "Док в рамке", 3),
        ("// Раздел\n//////\n// Док\n", "Док", 4),
        ("//\n", "", 3),
    ],
)
def test_the_doc_comment_touches_its_procedure_or_its_annotations(above: str, doc: str, first_line: int) -> None:
    procedure = only(f"Перем В;\n{above}Процедура А()\nКонецПроцедуры")
    assert (procedure.doc, procedure.first_line) == (doc, first_line)


@pytest.mark.parametrize(
    "header",
    [
        "////////\n// Copyright (c) 2026\n////////",
        "////////\n// Модуль склада\n////////",
        "// Все права защищены, 2026",
    ],
)
def test_the_copyright_header_is_never_a_doc_comment(header: str) -> None:
    assert only(f"{header}\nПроцедура А()\nКонецПроцедуры").doc == ""
    assert only(f"////////\n// © 2026\n////////\n// Док\n{'Процедура А()'}\nКонецПроцедуры").doc == "Док"


def test_a_doc_comment_may_open_the_file() -> None:
    assert only("// Док\nПроцедура А()\nКонецПроцедуры").doc == "Док"


def test_a_comment_behind_the_previous_end_is_not_a_doc_comment() -> None:
    _, second = scanned("Процедура А()\nКонецПроцедуры // хвост\nПроцедура Б()\nКонецПроцедуры").procedures
    assert (second.doc, second.first_line) == ("", 3)


def test_directives_are_told_from_annotations_in_both_languages() -> None:
    annotations = '&НаКлиентеНаСервереБезКонтекста\n&AtServer &После("Б", 1) // &НаКлиенте\n&Своя\n'
    procedure = only(f"{annotations}Процедура А()\nКонецПроцедуры")
    assert procedure.directives == ("НаКлиентеНаСервереБезКонтекста", "AtServer")
    assert procedure.annotations == ('После("Б", 1)', "Своя")


def test_an_annotation_of_a_variable_is_not_the_procedures() -> None:
    module = scanned("&НаКлиенте\nПерем Б;\n&НаКлиенте Перем В;\nПроцедура А()\nКонецПроцедуры")
    assert module.procedures[0].directives == ()
    assert module.body == ((1, 3),)


# Regions and module-level code


def test_regions_nest_in_either_spelling() -> None:
    text = "#Область Внешняя\n# region Inner\nПроцедура А()\nКонецПроцедуры\n#EndRegion\n#КонецОбласти // Внешняя\n"
    module = scanned(text + "Процедура Б()\nКонецПроцедуры")
    assert [item.regions for item in module.procedures] == [("Внешняя", "Inner"), ()]
    assert module.regions == (("Внешняя",), ("Внешняя", "Inner"))


def test_module_level_code_is_all_that_stands_between_two_procedures_where_something_is_declared_or_done() -> None:
    text = (
        "// Copyright\n\n#Если Сервер Тогда\nПерем А; // хвост\n\n// примечание\nПроцедура Б()\nКонецПроцедуры\n"
        "#Область В\n// раздел\n#КонецОбласти\nПроцедура Г()\nКонецПроцедуры\n"
        "А = 1;\n#Иначе\n  Raise\n    NStr(\"en = 'Invalid object call on the client.'\");\n#КонецЕсли\n"
    )
    assert scanned(text).body == ((3, 4), (14, 18))


@pytest.mark.parametrize("call", ["ВызватьИсключение НСтр(\"ru = 'Недопустимый вызов.'\");", "// Нельзя\nraise\n1;"])
def test_the_guard_of_the_platform_is_no_code(call: str) -> None:
    assert scanned(f"#Если Сервер Тогда\n#Область А\n#КонецОбласти\n\n#Иначе\n{call}\n#КонецЕсли").body == ()


def test_a_branch_that_does_something_else_is_code() -> None:
    assert scanned("#Если Клиент Тогда\n#Иначе\nБ();\n#КонецЕсли").body == ((1, 4),)
    assert scanned("#Если Клиент Тогда\n#Иначе\nВызватьИсключение 1;\n#Если А Тогда\n#КонецЕсли").body == ((1, 5),)


# The copyright header


RULE = "/" * 79


@pytest.mark.parametrize(
    ("text", "last_line"),
    [
        (f"{RULE}\n// Copyright (c) 2026\n// Все права защищены.\n{RULE}\n\nПерем А;", 4),
        (f"\n\n// © 2026\n{RULE}\n// Модуль склада\n", 4),
        (f"{RULE}\n// Склад ёлок\n{RULE}\n// All rights reserved\n{RULE}\n// Дальше", 5),
        ("// (C) 2026\n// и дальше\nПерем А;", 2),
        ("// (C) 2026", 1),
        (f"{RULE}\n// Модуль склада\n{RULE}\n", 0),
        ("Перем А;\n// Copyright", 0),
        ("#Если Сервер Тогда\n// Copyright", 0),
        ("", 0),
    ],
)
def test_the_copyright_header_ends_at_a_rule_or_with_its_comment(text: str, last_line: int) -> None:
    assert scanned(text).copyright_last_line == last_line
