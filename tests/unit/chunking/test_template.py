from onec_rag.chunking.base import Context
from onec_rag.chunking.template import MOST_PARTS, template_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.template import Template
from onec_rag.text.budget import estimate_tokens

FQN = "Справочник.Ёлки.Макет.Ценник"


def chunks(template: Template) -> list[Chunk]:
    path = "Catalogs/Ёлки/Templates/Ценник/Ext/Template.xml"
    return list(
        template_chunks(
            Document(path, DocumentKind.TEMPLATE, FQN, "Ценник", template), template, Context({FQN: "Бирка"})
        )
    )


def test_a_template_is_a_card_of_parameters_areas_and_texts() -> None:
    (card,) = chunks(Template(("Цена", "Ёлочный базар"), ("Товар", "Сумма"), ("Шапка",)))
    assert (card.kind, card.fqn, card.symbol, card.title) == (ChunkKind.TEMPLATE, FQN, "Ценник", "Бирка")
    assert card.breadcrumb == "Справочник.Ёлки · макет Ценник (Бирка)"
    assert card.text == "Параметры: Товар, Сумма\nОбласти: Шапка\nЦена\nЁлочный базар"


def test_a_long_template_gives_its_beginning_with_the_parameters() -> None:
    parts = chunks(Template(tuple(f"Строка классификатора {number}" for number in range(1_000)), ("Товар",)))
    assert len(parts) == MOST_PARTS
    assert parts[0].text.startswith("Параметры: Товар\nСтрока классификатора 0\n")
    assert all(estimate_tokens(part.embedded_text) <= 480 for part in parts)
