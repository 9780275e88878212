from onec_rag.chunking.base import Context
from onec_rag.chunking.rights import MOST_TEMPLATE_PARTS, rights_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.rights import ObjectRights, Restriction, Rights
from onec_rag.text.budget import estimate_tokens

OWN = "ГДЕ Документ.Лес = &МойЛес"
TEMPLATE = "// Свои(Поле)\nГДЕ #Параметр(1) = &Я"


def chunks(rights: Rights, role: str = "Продавец") -> list[Chunk]:
    document = Document(f"Roles/{role}/Ext/Rights.xml", DocumentKind.RIGHTS, f"Роль.{role}", role, rights)
    return list(
        rights_chunks(document, rights, Context({"Роль.Продавец": "Продаёт", "Справочник.Ёлки": "Ёлки и сосны"}))
    )


def test_the_card_has_a_row_for_each_object() -> None:
    card = chunks(
        Rights(
            objects=(
                ObjectRights("Справочник.Ёлки", ("Чтение", "Просмотр"), ("Удаление",)),
                ObjectRights(
                    "Документ.Продажа",
                    ("Чтение",),
                    restrictions=(Restriction("Чтение", OWN), Restriction("Чтение", "ГДЕ ЛОЖЬ", ("Сумма", "Скидка"))),
                ),
                ObjectRights("Отчет.Продажи", (), ("Использование",)),
            ),
            templates={"Свои(Поле)": TEMPLATE},
            for_new_objects=True,
            for_attributes_by_default=True,
            independent_child_rights=True,
        )
    )[0]
    assert (card.kind, card.fqn, card.symbol, card.title) == (ChunkKind.RIGHTS, "Роль.Продавец", "Продавец", "Продаёт")
    assert card.breadcrumb == "Роль.Продавец (Продаёт)"
    assert card.text.split("\n") == [
        "Устанавливать права для новых объектов: разрешено всё, что не запрещено",
        "Устанавливать права для реквизитов и табличных частей по умолчанию",
        "Независимые права подчиненных объектов",
        "Шаблоны ограничений: Свои(Поле)",
        "Справочник.Ёлки (Ёлки и сосны): Чтение, Просмотр; запрещено Удаление",
        "Документ.Продажа: Чтение; с ограничением Чтение, Чтение (Сумма, Скидка)",
        "Отчет.Продажи: запрещено Использование",
    ]


def test_a_condition_is_said_once_for_all_that_it_restricts() -> None:
    both = (Restriction("Чтение", OWN), Restriction("Изменение", OWN))
    objects = (
        ObjectRights("Документ.А", ("Чтение",), restrictions=both),
        ObjectRights("Документ.Б", ("Чтение",), restrictions=both[:1]),
        ObjectRights("Документ.В", ("Чтение",), restrictions=(Restriction("Чтение", "ГДЕ\n\n\tЛОЖЬ "),)),
    )
    conditions = chunks(Rights(objects))[1]
    assert conditions.breadcrumb == "Роль.Продавец (Продаёт) · ограничения доступа"
    assert conditions.text.split("\n") == [
        "Документ.А (Чтение, Изменение), Документ.Б (Чтение):",
        OWN,
        "Документ.В (Чтение):",
        "ГДЕ",
        "\tЛОЖЬ",
    ]


def test_a_condition_for_very_many_objects_names_the_first() -> None:
    objects = (
        ObjectRights(f"Документ.Д{i}", ("Чтение",), restrictions=(Restriction("Чтение", OWN),)) for i in range(20)
    )
    conditions = chunks(Rights(tuple(objects)))[-1]
    assert conditions.text.endswith(f"Документ.Д11 (Чтение) и ещё 8:\n{OWN}")


def test_a_template_is_embedded_with_the_same_text_in_every_role() -> None:
    rights = Rights(templates={"Свои(Поле)": TEMPLATE})
    seller, buyer = (chunks(rights, role)[-1] for role in ("Продавец", "Покупатель"))
    assert seller.embedded_text == buyer.embedded_text == f"Шаблон ограничения доступа Свои(Поле)\n{TEMPLATE}"
    assert (seller.symbol, seller.fqn, buyer.fqn) == ("Свои", "Роль.Продавец", "Роль.Покупатель")


def test_of_a_generated_template_the_beginning_is_kept() -> None:
    rights = Rights(templates={"ПоЗначениям": "\n".join(f"#Если Значение{i} = {i} #Тогда" for i in range(3_000))})
    parts = [chunk for chunk in chunks(rights) if chunk.symbol == "ПоЗначениям"]
    assert len(parts) == MOST_TEMPLATE_PARTS


def test_no_chunk_is_above_the_window() -> None:
    condition = "ГДЕ " + " ИЛИ ".join(f"Документ.Реквизит{i} = &Значение{i}" for i in range(400))
    rights = Rights(
        tuple(
            ObjectRights(f"Документ.{'Продажа' * 10}{i}", ("Чтение",) * 30, (), (Restriction("Чтение", condition),))
            for i in range(30)
        ),
        {"Шаблон" * 100: condition},
    )
    assert all(estimate_tokens(chunk.embedded_text) <= 480 for chunk in chunks(rights))


def test_a_role_without_rights_gives_nothing() -> None:
    assert chunks(Rights()) == []
