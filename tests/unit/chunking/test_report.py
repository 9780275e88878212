from onec_rag.chunking.base import Context
from onec_rag.chunking.report import report_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Query
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.report import DataSet, ReportSchema, SchemaField
from onec_rag.text.budget import estimate_tokens

FQN = "Отчет.Продажи.Макет.Схема"
QUERY = Query("ВЫБРАТЬ 1 ИЗ Документ.Продажа", ("Документ.Продажа",), "Чеки")


def chunks(schema: ReportSchema) -> list[Chunk]:
    document = Document("Reports/Продажи/Templates/Схема/Ext/Template.xml", DocumentKind.REPORT, FQN, "Схема", schema)
    return list(report_chunks(document, schema, Context({"Отчет.Продажи": "Продажи ёлок"})))


def test_the_card_says_what_the_report_reads_and_offers() -> None:
    card, query = chunks(
        ReportSchema(
            data_sets=(
                DataSet("Союз", fields=(SchemaField("Шар"),)),
                DataSet("Чеки", QUERY, tuple(SchemaField(f"Поле{i}", {"ru": f"Поле {i}"}) for i in range(9))),
            ),
            calculated=(SchemaField("Доля", {"ru": "Доля, %"}, ("Число",), "А /\n Б"),),
            totals=(SchemaField("Сумма", expression="Сумма(Сумма)"),) * 2,
            parameters=(SchemaField("Период", {"": "Когда"}, ("СтандартныйПериод",)),),
            variants=(("Основной", {"ru": "По дням", "en": "By day"}), ("Другой", {})),
        )
    )
    assert (card.kind, card.fqn, card.symbol) == (ChunkKind.REPORT, FQN, "Схема")
    assert card.breadcrumb == "Отчет.Продажи (Продажи ёлок) · макет Схема"
    assert card.title == "Продажи ёлок По дням By day"
    fields = ", ".join(f"Поле{i} (Поле {i})" for i in range(8))
    assert card.text.split("\n") == [
        "Вариант Основной (По дням)",
        "Вариант Другой",
        "Набор данных Союз",
        "Поля: Шар",
        "Набор данных Чеки: Документ.Продажа",
        f"Поля: {fields}",
        "Поля: Поле8 (Поле 8)",
        "Вычисляемое поле Доля (Доля, %): Число = А / Б",
        "Ресурс Сумма = Сумма(Сумма)",
        "Параметр Период (Когда): СтандартныйПериод",
    ]
    assert (query.kind, query.symbol) == (ChunkKind.QUERY, "Чеки")
    assert query.breadcrumb == f"{card.breadcrumb} · набор данных Чеки\nТаблицы: Документ.Продажа"
    assert query.text == QUERY.text


def test_an_expression_of_a_page_fits_the_window() -> None:
    schema = ReportSchema(calculated=(SchemaField("Доля", expression="ВЫБОР КОГДА А = 1 ТОГДА 2 " * 300),))
    parts = chunks(schema)
    assert len(parts) > 1
    assert all(estimate_tokens(part.embedded_text) <= 480 for part in parts)
