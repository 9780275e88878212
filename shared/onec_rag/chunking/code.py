"""A module → a card, its module-level code, and a chunk for each procedure and query (parts for a long one)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onec_rag.chunking.base import LONGEST_DOC, Context, Piece, pack
from onec_rag.chunking.query import query_chunks
from onec_rag.chunking.statements import statement_pieces
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Module, Procedure, Query
from onec_rag.model.document import Document
from onec_rag.model.metadata import KIND_BY_NAME
from onec_rag.text.budget import estimate_tokens

MODULE_KINDS = {
    "CommonModule": "общий модуль",
    "ObjectModule": "модуль объекта",
    "ManagerModule": "модуль менеджера",
    "RecordSetModule": "модуль набора записей",
    "ValueManagerModule": "модуль менеджера значения",
    "CommandModule": "модуль команды",
    "FormModule": "модуль формы",
    "ManagedApplicationModule": "модуль управляемого приложения",
    "OrdinaryApplicationModule": "модуль обычного приложения",
    "SessionModule": "модуль сеанса",
    "ExternalConnectionModule": "модуль внешнего соединения",
    "HTTPServiceModule": "модуль HTTP-сервиса",
    "WebServiceModule": "модуль web-сервиса",
    "IntegrationServiceModule": "модуль сервиса интеграции",
    "WebSocketClientModule": "модуль WebSocket-клиента",
    "BotModule": "модуль бота",
}
HOOKS = {
    "перед": "Перед",
    "before": "Перед",
    "после": "После",
    "after": "После",
    "вместо": "Вместо",
    "around": "Вместо",
    "изменениеиконтроль": "ИзменениеИКонтроль",
    "changeandvalidate": "ИзменениеИКонтроль",
}
"""Annotations by which a method of an extension hooks into one of the configuration, in both languages."""

_INSIDE_AN_OBJECT = ("Форма", "Команда")
_HOOK = re.compile(r'(\w++)\s*+\(\s*+"')
_REGION = re.compile(r"\s*+#\s*+(?:Область|Region)(?!\w)", re.IGNORECASE)
_SOURCES = re.compile(r"(?<!\w)(?:ИЗ|FROM)(?!\w)", re.IGNORECASE)
_SECTION = re.compile(r"(?:Параметры|Возвращаемое значение|Parameters|Returns|Return value)\s*+:", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:(?:См|See)\. )?.*?(?=\.(?:\s|$)|$)", re.IGNORECASE)
_SUMMARY_LENGTH = 160


@dataclass(frozen=True, slots=True)
class _Origin:
    """What all chunks of a module come from and share."""

    document: Document
    module: Module
    breadcrumb: str
    title: str
    context: Context


def module_chunks(document: Document, module: Module, context: Context) -> Iterator[Chunk]:
    """Card, module-level code, then procedures and queries in their order. An empty module gives nothing.

    Every line that is neither blank nor of the copyright header is in one of them.
    """
    owner = module_owner(document.fqn)
    path = [context.called(owner), *_inside(document.fqn, owner), MODULE_KINDS.get(module.kind, "модуль")]
    origin = _Origin(document, module, context.bounded(" · ".join(path)), context.titles.get(owner, ""), context)
    yield from _card(origin)
    yield from _body(origin)
    parts = [(procedure.first_line, _procedure(origin, procedure)) for procedure in module.procedures]
    parts += [(query.first_line, _query(origin, query)) for query in module.queries if _reads(query)]
    for _, chunks in sorted(parts, key=lambda part: part[0]):
        yield from chunks


def module_owner(fqn: str) -> str:
    """The object that a module belongs to: the FQN without the word for the module, and without form or command.

    `Справочник.Товары.Форма.ФормаСписка.Модуль` → `Справочник.Товары`, `Конфигурация.МодульСеанса` → `Конфигурация`.
    """
    parts = fqn.split(".")
    if parts[0] == KIND_BY_NAME["Configuration"].ru:
        return parts[0]
    if len(parts) % 2:
        parts.pop()
    while len(parts) > 2 and parts[-2] in _INSIDE_AN_OBJECT:
        del parts[-2:]
    return ".".join(parts)


def signature(procedure: Procedure) -> str:
    """`Функция Имя(А, Знач Б = 1) Экспорт`, on one line, as a reader of the language writes it."""
    parameters = ", ".join(
        ("Знач " if item.by_value else "") + item.name + (f" = {item.default}" if item.default is not None else "")
        for item in procedure.parameters
    )
    word = "Функция" if procedure.is_function else "Процедура"
    return f"{word} {procedure.name}({parameters}){' Экспорт' if procedure.export else ''}"


def summary(doc: str) -> str:
    """The first sentence of a doc comment, or its first line; empty where it begins with the list of parameters."""
    first = doc.strip().partition("\n")[0].strip()
    if _SECTION.fullmatch(first):
        return ""
    sentence = _SENTENCE.match(first)
    return sentence[0][:_SUMMARY_LENGTH] if sentence else ""


def _inside(fqn: str, owner: str) -> Iterator[str]:
    """The form or command of the object that the module is of: `форма ФормаСписка`."""
    parts = fqn.removeprefix(owner).split(".")[1:]
    for kind, name in zip(parts[::2], parts[1::2], strict=False):
        yield f"{kind.lower()} {name}"


def _card(origin: _Origin) -> Iterator[Chunk]:
    """What the module offers: regions and exported procedures with the first words of their comments, in their order;
    then what stands between procedures and is no code, each line once: comments, instructions to the preprocessor."""
    module = origin.module
    code = {number for first, last in module.body for number in range(first, last + 1)}
    between = list(_between(module))
    if not module.procedures and all(number in code for number, _ in between):
        return
    outline: list[tuple[int, str]] = []
    others: dict[str, None] = {}
    for number, line in between:
        if _REGION.match(line):
            outline.append((number, line))
        elif number not in code:
            others[line] = None
    exported = [procedure for procedure in module.procedures if procedure.export]
    for procedure in exported or module.procedures:
        about = summary(procedure.doc)
        outline.append((procedure.line, f"{procedure.name}: {about}" if about else procedure.name))
    rows = [*(row for _, row in sorted(outline)), *others]
    pieces = [Piece(row, 1, len(module.lines)) for row in rows]
    yield from _module_parts(origin, origin.breadcrumb, pack(pieces, origin.context.room(origin.breadcrumb)))


def _between(module: Module) -> Iterator[tuple[int, str]]:
    """The non-blank lines behind the copyright header that are of no procedure, with their numbers."""
    start = module.copyright_last_line
    ranges = [(procedure.first_line - 1, procedure.last_line) for procedure in module.procedures]
    for stop, following in [*ranges, (len(module.lines), 0)]:
        for number, line in enumerate(module.lines[start:stop], start + 1):
            if line.strip():
                yield number, line
        start = following


def _body(origin: _Origin) -> Iterator[Chunk]:
    lines = origin.module.lines
    pieces = [piece for first, last in origin.module.body for piece in statement_pieces(lines[first - 1 : last], first)]
    breadcrumb = f"{origin.breadcrumb} · код модуля"
    yield from _module_parts(origin, breadcrumb, pack(pieces, origin.context.room(breadcrumb)))


def _module_parts(origin: _Origin, breadcrumb: str, parts: Sequence[Sequence[Piece]]) -> Iterator[Chunk]:
    """Chunks of the module itself, not of a procedure in it."""
    for part in parts:
        yield Chunk(
            kind=ChunkKind.MODULE,
            fqn=origin.document.fqn,
            symbol="",
            breadcrumb=breadcrumb,
            text=_text(part),
            first_line=part[0].first_line,
            last_line=part[-1].last_line,
            title=origin.title,
            facets={"module_kind": origin.module.kind},
        )


def _procedure(origin: _Origin, procedure: Procedure) -> Iterator[Chunk]:
    context = origin.context
    path = " · ".join([origin.breadcrumb, *procedure.regions[-1:]])
    hooks = [(HOOKS[word], item) for item in procedure.annotations if (word := _hook(item)) in HOOKS]
    heading = "".join(f"&{annotation} " for _, annotation in hooks) + signature(procedure)
    head = context.bounded(f"{path}\n{heading[:400]}")
    facets: dict[str, str | bool] = {"module_kind": origin.module.kind, "export": procedure.export}
    if procedure.directives:
        facets["directive"] = procedure.directives[0]
    if procedure.regions:
        facets["region"] = procedure.regions[-1]
    if hooks:
        facets["hook"] = hooks[0][0]
    about = context.bounded(summary(procedure.doc), 5)
    for number, part in enumerate(_parts(origin.module, procedure, context.room(head, about))):
        text = _text(part)
        if not text.strip():
            continue
        yield Chunk(
            kind=ChunkKind.PROCEDURE,
            fqn=f"{origin.document.fqn}.{procedure.name}",
            symbol=procedure.name,
            breadcrumb=head if number == 0 or not about else f"{head}\n// {about}",
            text=text,
            first_line=part[0].first_line,
            last_line=part[-1].last_line,
            title=origin.title,
            doc=procedure.doc[:LONGEST_DOC],
            facets=facets,
        )


def _hook(annotation: str) -> str:
    found = _HOOK.match(annotation)
    return found[1].casefold() if found else ""


def _parts(module: Module, procedure: Procedure, room: int) -> Sequence[Sequence[Piece]]:
    """A procedure whole where it fits, as most do, else cut."""
    lines = module.lines[procedure.first_line - 1 : procedure.last_line]
    text = "\n".join(lines)
    if estimate_tokens(text) <= room:
        return [[Piece(text, procedure.first_line, procedure.last_line)]]
    return pack(list(statement_pieces(lines, procedure.first_line, procedure.signature_last_line)), room)


def _reads(query: Query) -> bool:
    """Whether it says what it reads: the beginning of a query that the program puts together does not, and is found
    with its procedure; nor does `Выбрать`, the caption of a button."""
    return bool(query.tables) or _SOURCES.search(query.text) is not None


def _query(origin: _Origin, query: Query) -> Iterator[Chunk]:
    symbol = [query.symbol] if query.symbol else []
    return query_chunks(
        ".".join([origin.document.fqn, *symbol]),
        query,
        " · ".join([origin.breadcrumb, *symbol, "запрос"]),
        origin.context,
        title=origin.title,
        facets={"module_kind": origin.module.kind},
    )


def _text(part: Sequence[Piece]) -> str:
    return "\n".join(piece.text for piece in part).strip("\n")
