"""A form → its card (events, commands, attributes, elements), and a chunk for each query of a dynamic list."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from onec_rag.chunking.base import Context
from onec_rag.chunking.card import breadcrumb_of, called, card_chunks, rows_of
from onec_rag.chunking.metadata import fold
from onec_rag.chunking.query import query_chunks
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document
from onec_rag.model.form import Form, FormAttribute, FormCommand, FormItem, Handler

_ITEM_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "UsualGroup": "Группа",
        "ColumnGroup": "Группа колонок",
        "ButtonGroup": "Группа кнопок",
        "Pages": "Страницы",
        "Page": "Страница",
        "CommandBar": "Командная панель",
        "AutoCommandBar": "Командная панель",
        "ContextMenu": "Контекстное меню",
        "Popup": "Подменю",
        "ExtendedTooltip": "Подсказка",
        "Button": "Кнопка",
        "Table": "Таблица",
        "InputField": "Поле ввода",
        "LabelField": "Поле надписи",
        "CheckBoxField": "Флажок",
        "RadioButtonField": "Переключатель",
        "PictureField": "Поле картинки",
        "LabelDecoration": "Надпись",
        "PictureDecoration": "Картинка",
        "SpreadSheetDocumentField": "Поле табличного документа",
        "TextDocumentField": "Поле текстового документа",
        "HTMLDocumentField": "Поле HTML-документа",
        "FormattedDocumentField": "Поле форматированного документа",
        "PDFDocumentField": "Поле PDF-документа",
        "ProgressBarField": "Индикатор",
        "TrackBarField": "Полоса регулирования",
        "CalendarField": "Календарь",
        "PeriodField": "Поле периода",
        "ChartField": "Диаграмма",
        "GanttChartField": "Диаграмма Ганта",
        "DendrogramField": "Дендрограмма",
        "PlannerField": "Планировщик",
        "GraphicalSchemaField": "Графическая схема",
        "GeographicalSchemaField": "Географическая схема",
        "SearchStringAddition": "Строка поиска",
        "ViewStatusAddition": "Состояние просмотра",
        "SearchControlAddition": "Управление поиском",
    }
)
_CALL_TYPES = {"Before": "перед", "After": "после", "Override": "вместо"}
_DEEPEST = 8  # further indents say nothing to a reader


def form_chunks(document: Document, form: Form, context: Context) -> Iterator[Chunk]:
    """The card in parts, then the queries. A form without anything of its own gives nothing."""
    breadcrumb = breadcrumb_of(document.fqn, context)
    title = " ".join(dict.fromkeys(filter(None, (context.titles.get(document.fqn, ""), *form.titles.values()))))
    yield from card_chunks(ChunkKind.FORM, document.fqn, _rows(form), breadcrumb, context, title)
    for attribute in form.attributes:
        if attribute.query:
            head = f"{breadcrumb} · динамический список {called(attribute.name, attribute.titles)}"
            yield from query_chunks(document.fqn, attribute.query, head, context, title=title)


def _rows(form: Form) -> Iterator[str]:
    yield from (f"Заголовок: {' '.join(text.split())}" for text in dict.fromkeys(form.titles.values()) if text.strip())
    yield from rows_of("События", map(_handler, form.handlers))
    yield from map(_command, form.commands)
    for attribute in form.attributes:
        yield f"Реквизит {_attribute(attribute)}"
        yield from (f"  Колонка {_attribute(column)}" for column in attribute.columns)
    yield from (f"Параметр {name}" + (f": {fold(types)}" if types else "") for name, types in form.parameters)
    for item in form.items:
        if item.titles or item.tooltip or item.data_path or item.command or item.handlers:
            yield "  " * min(item.depth, _DEEPEST) + _item(item)


def _handler(handler: Handler) -> str:
    kind = _CALL_TYPES.get(handler.call_type, handler.call_type)
    event = f"{handler.event} ({kind})" if kind else handler.event
    return event if handler.procedure == handler.event and not kind else f"{event} → {handler.procedure}"


def _command(command: FormCommand) -> str:
    row = f"Команда {called(command.name, command.titles)}"
    if command.action:
        row += f" → {command.action}"
    tooltip = " ".join(command.tooltip.split())
    return f"{row}; {tooltip}" if tooltip and tooltip not in command.titles.values() else row


def _attribute(attribute: FormAttribute) -> str:
    row = called(attribute.name, attribute.titles)
    if attribute.types:
        row += ": " + fold(attribute.types)
    if attribute.main_table:
        row += f" по таблице {attribute.main_table}"
    return f"{row}; основной" if attribute.main else row


def _item(item: FormItem) -> str:
    row = f"{_ITEM_KINDS.get(item.kind, item.kind)} {called(item.name, item.titles)}"
    if item.data_path:
        row += f": {item.data_path}"
    facts = [f"команда {item.command}"] if item.command else []
    facts += map(_handler, item.handlers)
    if tooltip := " ".join(item.tooltip.split()):
        facts.append(tooltip)
    return "; ".join([row, *facts])
