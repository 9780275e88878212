from onec_rag.chunking.base import Context
from onec_rag.chunking.form import form_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Query
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.form import Form, FormAttribute, FormCommand, FormItem, Handler
from onec_rag.text.budget import estimate_tokens

FQN = "Справочник.Ёлки.Форма.ФормаСписка"
CONTEXT = Context({"Справочник.Ёлки": "Ёлки и сосны", FQN: "Список ёлок"})
FORM = Form(
    titles={"ru": "Все ёлки", "en": "All trees"},
    handlers=(
        Handler("ПриОткрытии", "ПриОткрытии"),
        Handler("ПриЗакрытии", "Закрытие"),
        Handler("ПередЗакрытием", "ПередЗакрытием", "Override"),
    ),
    attributes=(
        FormAttribute(
            "Список",
            types=("ДинамическийСписок",),
            main=True,
            query=Query("ВЫБРАТЬ 1 ИЗ Справочник.Ёлки", ("Справочник.Ёлки",), "Список"),
            main_table="Справочник.Ёлки",
        ),
        FormAttribute(
            "Итоги", {"ru": "Итоги дня"}, ("ТаблицаЗначений",), columns=(FormAttribute("Сумма", types=("Число",)),)
        ),
    ),
    commands=(
        FormCommand("Срубить", {"ru": "Срубить ёлку"}, "Срубить ёлку", "СрубитьЁлку"),
        FormCommand("Украсить", {}, "Повесить\nшары", ""),
    ),
    parameters=(("Лес", ("Строка(10)",)), ("Любой", ())),
    items=(
        FormItem("Группа", "UsualGroup"),
        FormItem("Страница", "Page", {"ru": "Ёлки"}, depth=1),
        FormItem(
            "Высота",
            "InputField",
            {"ru": "Рост"},
            "В метрах",
            "Список.Высота",
            handlers=(Handler("ПриИзменении", "ВысотаПриИзменении"),),
            depth=2,
        ),
        FormItem("Кнопка", "Button", command="Form.Command.Срубить", depth=2),
        FormItem("Новое", "NoveltyField", data_path="Список.Новое"),
    ),
)


def chunks(form: Form, context: Context = CONTEXT) -> list[Chunk]:
    path = "Catalogs/Ёлки/Forms/ФормаСписка/Ext/Form.xml"
    return list(form_chunks(Document(path, DocumentKind.FORM, FQN, "Все ёлки", form), form, context))


def test_the_card_says_what_happens_in_the_form_and_what_it_shows() -> None:
    card = chunks(FORM)[0]
    assert (card.kind, card.fqn, card.symbol) == (ChunkKind.FORM, FQN, "ФормаСписка")
    assert card.breadcrumb == "Справочник.Ёлки (Ёлки и сосны) · форма ФормаСписка (Список ёлок)"
    assert card.title == "Список ёлок Все ёлки All trees"
    assert card.text.split("\n") == [
        "Заголовок: Все ёлки",
        "Заголовок: All trees",
        "События: ПриОткрытии, ПриЗакрытии → Закрытие, ПередЗакрытием (вместо) → ПередЗакрытием",
        "Команда Срубить (Срубить ёлку) → СрубитьЁлку",
        "Команда Украсить; Повесить шары",
        "Реквизит Список: ДинамическийСписок по таблице Справочник.Ёлки; основной",
        "Реквизит Итоги (Итоги дня): ТаблицаЗначений",
        "  Колонка Сумма: Число",
        "Параметр Лес: Строка(10)",
        "Параметр Любой",
        "  Страница Страница (Ёлки)",
        "    Поле ввода Высота (Рост): Список.Высота; ПриИзменении → ВысотаПриИзменении; В метрах",
        "    Кнопка Кнопка; команда Form.Command.Срубить",
        "NoveltyField Новое: Список.Новое",
    ]


def test_the_query_of_a_dynamic_list_is_a_chunk_of_its_own() -> None:
    _, query = chunks(FORM)
    assert (query.kind, query.fqn, query.symbol) == (ChunkKind.QUERY, FQN, "Список")
    assert query.breadcrumb.endswith(
        "форма ФормаСписка (Список ёлок) · динамический список Список\nТаблицы: Справочник.Ёлки"
    )
    assert query.text == "ВЫБРАТЬ 1 ИЗ Справочник.Ёлки"


def test_a_form_of_a_thousand_elements_gives_parts_within_the_window() -> None:
    items = tuple(
        FormItem(f"Поле{i}", "InputField", {"ru": f"Поле № {i}"}, data_path=f"Объект.Поле{i}") for i in range(1_000)
    )
    parts = chunks(Form(items=items))
    assert "\n".join(part.text for part in parts).count("Поле ввода") == 1_000
    assert all(estimate_tokens(part.embedded_text) <= CONTEXT.window for part in parts)


def test_a_form_that_says_nothing_gives_nothing() -> None:
    assert chunks(Form(items=(FormItem("Группа", "UsualGroup"),))) == []
