"""What must hold for the chunks of any module: nothing is lost, and nothing is above the window."""

import random
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.chunking.base import LONGEST_DOC, Context
from onec_rag.chunking.code import module_chunks
from onec_rag.formats.bsl import CONTAINER_SIGN, decode, scan
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.text.budget import estimate_tokens

DATA = Path(__file__).parents[2] / "data"
MODULES = [
    path
    for folder in ("sample", "formats")
    for path in sorted((DATA / folder).rglob("*.bsl"))
    if not path.read_bytes().startswith(CONTAINER_SIGN)
]
FQN = "ОбщийМодуль.Цены"


def chunks(text: str, window: int = 480, titles: dict[str, str] | None = None) -> list[Chunk]:
    module = scan(text, "CommonModule")
    document = Document("CommonModules/Цены/Ext/Module.bsl", DocumentKind.MODULE, FQN, FQN, module)
    return list(module_chunks(document, module, Context(titles or {}, {}, window)))


def long_procedure(*lines: str) -> str:
    return "\n".join(["Процедура Длинная()", *lines, "КонецПроцедуры"])


def missing_lines(text: str, found: Sequence[Chunk]) -> list[str]:
    """Lines below the copyright header that stand in no chunk; a line may be cut into several chunks."""
    module = scan(text, "CommonModule")
    kept = [chunk.text for chunk in found if chunk.kind is not ChunkKind.QUERY]
    lines, joined = {line for part in kept for line in part.split("\n")}, "".join(kept).replace("\n", "")
    wanted = [line for line in module.lines[module.copyright_last_line :] if line.strip()]
    return [line for line in wanted if line not in lines and line not in joined]


@pytest.mark.parametrize("window", [48, 200, 480, 8_000])
@pytest.mark.parametrize("path", MODULES, ids=lambda path: unicodedata.normalize("NFC", path.parts[-3]))
def test_real_modules_are_held_whole_in_chunks_that_fit(path: Path, window: int) -> None:
    text = decode(path.read_bytes(), path.name)
    found = chunks(text, window)
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)


LINES = st.sampled_from([
    "Процедура А(Б, В = 1) Экспорт", "Функция Имя()", "КонецПроцедуры", "КонецФункции", "// Описание. Ещё", "//", "",
    "\tА = 1;", "\tЗапрос = \"ВЫБРАТЬ", "\t|\tПоле", "\t|ИЗ\";", "&НаКлиенте", "#Область Часть", "#КонецОбласти",
    "\tЕсли Истина Тогда", "\tКонецЕсли;", "Перем Кэш Экспорт;", "\tСтрока = \"\"\"\" + 'а'; // \" конец",
    "// Copyright (c) 2026", "/////", "#Если Сервер Тогда", "#Иначе", "#КонецЕсли", "ВызватьИсключение 1;", "#Вставка",
    "\tОченьДлинноеИмяПеременнойКотороеНеКончается = ЕщёБолееДлинноеИмяФункции(Параметр1, Параметр2);", "\t",
])  # fmt: skip


@given(st.lists(LINES, max_size=60).map("\n".join), st.sampled_from([48, 120, 480]))
@settings(max_examples=200, deadline=None)
def test_any_module_is_held_whole_in_chunks_that_fit(text: str, window: int) -> None:
    found = chunks(text, window)
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)
    assert all(chunk.text.strip() for chunk in found)
    assert found == chunks(text, window)


@pytest.mark.parametrize("window", [48, 480])
def test_long_names_synonyms_and_signatures_leave_room_for_the_code(window: int) -> None:
    parameters = ", ".join(f"ОченьДлинныйПараметр{number} = Неопределено" for number in range(60))
    lead = f"#Область {'Область' * 100}\n// {'Слово ' * 500}\n"
    text = f"{lead}Процедура {'Имя' * 60}({parameters})\n\tА = 1;\nКонецПроцедуры\n"
    found = chunks(text, window, titles={FQN: "Синоним " * 300})
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= window for chunk in found)


def test_a_procedure_of_680_000_characters_is_bounded_work() -> None:
    choice = random.Random(1)
    steps = [f"\tОстаток{number} = Получить(Склад, {choice.random()});" for number in range(17_000)]
    text = long_procedure(*steps)
    assert len(text) > 680_000
    found = chunks(text)
    assert missing_lines(text, found) == []
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in found)


def test_a_line_of_a_megabyte_is_bounded_work() -> None:
    data = "".join(map(str, range(170_000)))
    text = long_procedure(f'\tДанные = "{data}";')
    found = [chunk for chunk in chunks(text) if chunk.kind is ChunkKind.PROCEDURE]
    assert "".join(chunk.text for chunk in found).replace("\n", "") == text.replace("\n", "")
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in found)


def test_a_comment_of_a_megabyte_does_not_weigh_in_every_part() -> None:
    comment = "\n".join(f"// Строка описания номер {number}" for number in range(30_000))
    found = chunks(f"{comment}\n{long_procedure()}")
    assert len(found) > 100
    assert max(len(chunk.doc) for chunk in found) == LONGEST_DOC
