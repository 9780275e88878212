"""A module → a chunk for each procedure (parts for a long one), a card, and its module-level code."""

import re
from collections.abc import Iterator, Sequence

from onec_rag.chunking.base import LONGEST_DOC, Context, Piece, pack
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.code import Module, Procedure
from onec_rag.model.document import Document

MODULE_KINDS = {
    "CommonModule": "общий модуль",
    "ObjectModule": "модуль объекта",
    "ManagerModule": "модуль менеджера",
    "RecordSetModule": "модуль набора записей",
    "ValueManagerModule": "модуль менеджера значения",
    "CommandModule": "модуль команды",
    "FormModule": "модуль формы",
}
_STATEMENT = re.compile(
    r"\s*(?:Если|Для|Пока|Попытка|Возврат|ВызватьИсключение|If|For|While|Try|Return|Raise|[^\W\d][\w.]*\s*(?:=|\())",
    re.IGNORECASE,
)
_SUMMARY_LENGTH = 160


def module_chunks(document: Document, module: Module, context: Context) -> Iterator[Chunk]:
    """Card, module-level code, then the procedures in their order. An empty module gives nothing."""
    owner = module_owner(document.fqn)
    breadcrumb = context.bounded(f"{context.called(owner)} · {MODULE_KINDS.get(module.kind, 'модуль')}")
    title = context.titles.get(owner, "")
    if module.procedures:
        yield from _card(document, module, breadcrumb, title, context)
    yield from _body(document, module, breadcrumb, title, context)
    for procedure in module.procedures:
        yield from _procedure(document, module, procedure, breadcrumb, title, context)


def module_owner(fqn: str) -> str:
    """The object that a module belongs to: the first two words of its FQN."""
    return ".".join(fqn.split(".")[:2])


def signature(procedure: Procedure) -> str:
    """`Функция Имя(А, Знач Б = 1) Экспорт`, on one line, as a reader of the language writes it."""
    parameters = ", ".join(
        ("Знач " if item.by_value else "") + item.name + (f" = {item.default}" if item.default is not None else "")
        for item in procedure.parameters
    )
    word = "Функция" if procedure.is_function else "Процедура"
    return f"{word} {procedure.name}({parameters}){' Экспорт' if procedure.export else ''}"


def summary(doc: str) -> str:
    """The first sentence of a doc comment, or its first line."""
    first = doc.strip().partition("\n")[0].strip()
    sentence = first.partition(". ")[0].rstrip(".")
    return sentence[:_SUMMARY_LENGTH]


def _procedure(
    document: Document, module: Module, procedure: Procedure, breadcrumb: str, title: str, context: Context
) -> Iterator[Chunk]:
    regions = " · ".join(procedure.regions[-1:])
    head = f"{breadcrumb} · {regions}" if regions else breadcrumb
    head = context.bounded(f"{head}\n{signature(procedure)[:400]}")
    facets: dict[str, str | bool] = {"module_kind": module.kind, "export": procedure.export}
    if procedure.directives:
        facets["directive"] = procedure.directives[0]
    if procedure.regions:
        facets["region"] = procedure.regions[-1]
    lines = module.lines[procedure.first_line - 1 : procedure.last_line]
    about = context.bounded(summary(procedure.doc), 5)
    for number, part in enumerate(pack(_pieces(lines, procedure.first_line), context.room(head, about))):
        text = _text(part)
        if not text.strip():
            continue
        yield Chunk(
            kind=ChunkKind.PROCEDURE,
            fqn=f"{document.fqn}.{procedure.name}",
            symbol=procedure.name,
            breadcrumb=head if number == 0 or not about else f"{head}\n// {about}",
            text=text,
            first_line=part[0].first_line,
            last_line=part[-1].last_line,
            title=title,
            doc=procedure.doc[:LONGEST_DOC],
            facets=facets,
        )


def _card(document: Document, module: Module, breadcrumb: str, title: str, context: Context) -> Iterator[Chunk]:
    """What the module offers: its regions, and the exported procedures with the first words of their comments."""
    rows = []
    regions = [" / ".join(path) for path in module.regions]
    if regions:
        rows.append("Области: " + ", ".join(dict.fromkeys(regions)))
    exported = [procedure for procedure in module.procedures if procedure.export]
    for procedure in exported or module.procedures:
        about = summary(procedure.doc)
        rows.append(f"{procedure.name}: {about}" if about else procedure.name)
    pieces = [Piece(row, 1, len(module.lines)) for row in rows]
    yield from _module_parts(document, module, breadcrumb, title, pack(pieces, context.room(breadcrumb)))


def _body(document: Document, module: Module, breadcrumb: str, title: str, context: Context) -> Iterator[Chunk]:
    pieces = [
        piece for first, last in module.body for piece in _pieces(module.lines[first - 1 : last], first) if piece.text
    ]
    breadcrumb = f"{breadcrumb} · код модуля"
    yield from _module_parts(document, module, breadcrumb, title, pack(pieces, context.room(breadcrumb)))


def _module_parts(
    document: Document, module: Module, breadcrumb: str, title: str, parts: Sequence[Sequence[Piece]]
) -> Iterator[Chunk]:
    """Chunks of the module itself, not of a procedure in it."""
    for part in parts:
        yield Chunk(
            kind=ChunkKind.MODULE,
            fqn=document.fqn,
            symbol="",
            breadcrumb=breadcrumb,
            text=_text(part),
            first_line=part[0].first_line,
            last_line=part[-1].last_line,
            title=title,
            facets={"module_kind": module.kind},
        )


def _pieces(lines: Sequence[str], first_line: int) -> list[Piece]:
    """Lines as pieces; a statement begins a part, a line inside a string literal or an expression does not."""
    pieces, in_string = [], False
    for number, line in enumerate(lines, first_line):
        stripped = line.lstrip()
        comment = stripped.startswith("//")
        border = not in_string and not stripped.startswith("|") and bool(_STATEMENT.match(line))
        pieces.append(Piece(line, number, number, border))
        if not comment:
            code = line if in_string else _without_comment(line)
            if code.count('"') % 2:
                in_string = not in_string
    return pieces


def _without_comment(line: str) -> str:
    """The line up to a `//` that stands outside its string literals."""
    position = line.find("//")
    while position >= 0 and line.count('"', 0, position) % 2:
        position = line.find("//", position + 2)
    return line if position < 0 else line[:position]


def _text(part: Sequence[Piece]) -> str:
    return "\n".join(piece.text for piece in part).strip("\n")
