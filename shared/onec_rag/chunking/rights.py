"""A role → its card (a row for each object), the conditions that restrict it, and its restriction templates."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from onec_rag.chunking.base import Context, Piece, pack
from onec_rag.chunking.card import breadcrumb_of, card_chunks, rows_of
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document
from onec_rag.model.rights import ObjectRights, Rights

MOST_TEMPLATE_PARTS = 8
"""Chunks of one restriction template: the libraries' ones are generated, have up to 430,000 characters, and stand in
hundreds of roles; their beginning tells what they do."""

_MOST_NAMED = 12
"""Objects that a shared condition names; the others' own rows on the card say that they are restricted."""


def rights_chunks(document: Document, rights: Rights, context: Context) -> Iterator[Chunk]:
    """The card in parts, the conditions (equal ones once, with the objects they hold for), then the templates.

    A template is copied into every role that uses it. Its chunks are embedded without the role's name, so that the
    same text is one vector in all of them; whose it is stands in the FQN.
    """
    fqn, title = document.fqn, context.titles.get(document.fqn, "")
    breadcrumb = breadcrumb_of(fqn, context)
    yield from card_chunks(ChunkKind.RIGHTS, fqn, _rows(rights, context), breadcrumb, context, title)
    conditions = [piece for names, text in _conditions(rights.objects) for piece in _lines(text, f"{names}:")]
    head = f"{breadcrumb} · ограничения доступа"
    yield from _text_chunks(fqn, fqn.rpartition(".")[2], conditions, head, context, title)
    for name, text in rights.templates.items():
        head = context.bounded(f"Шаблон ограничения доступа {name}")
        parts = _text_chunks(fqn, name.partition("(")[0], _lines(text), head, context, title)
        yield from islice(parts, MOST_TEMPLATE_PARTS)


def _rows(rights: Rights, context: Context) -> Iterator[str]:
    if rights.for_new_objects:
        yield "Устанавливать права для новых объектов: разрешено всё, что не запрещено"
    if rights.for_attributes_by_default:
        yield "Устанавливать права для реквизитов и табличных частей по умолчанию"
    if rights.independent_child_rights:
        yield "Независимые права подчиненных объектов"
    yield from rows_of("Шаблоны ограничений", rights.templates)
    for item in rights.objects:
        facts = [", ".join(item.granted)] if item.granted else []
        if item.denied:
            facts.append("запрещено " + ", ".join(item.denied))
        if item.restrictions:
            facts.append("с ограничением " + ", ".join(_restricted(item)))
        yield f"{context.called(item.fqn)}: {'; '.join(facts)}"


def _restricted(item: ObjectRights) -> Iterable[str]:
    """The rights of an object that have conditions, with the fields that a condition is for."""
    return dict.fromkeys(
        f"{restriction.right} ({', '.join(restriction.fields)})" if restriction.fields else restriction.right
        for restriction in item.restrictions
    )


def _conditions(objects: Iterable[ObjectRights]) -> Iterator[tuple[str, str]]:
    """Each condition once, after the names of what it restricts: `Справочник.Валюты (Чтение, Изменение)`."""
    found: dict[str, dict[str, dict[str, None]]] = {}
    for item in objects:
        for restriction in item.restrictions:
            found.setdefault(restriction.condition, {}).setdefault(item.fqn, {})[restriction.right] = None
    for condition, restricted in found.items():
        names = [f"{fqn} ({', '.join(rights)})" for fqn, rights in restricted.items()]
        more = f" и ещё {len(names) - _MOST_NAMED}" if len(names) > _MOST_NAMED else ""
        yield ", ".join(names[:_MOST_NAMED]) + more, condition


def _lines(text: str, *first: str) -> list[Piece]:
    """A condition as pieces that stay together where they fit, behind the row that tells whose it is."""
    rows = [*first, *(line.rstrip() for line in text.split("\n") if line.strip())]
    return [Piece(row, 0, 0, border=number == 0) for number, row in enumerate(rows)]


def _text_chunks(
    fqn: str, symbol: str, pieces: Sequence[Piece], breadcrumb: str, context: Context, title: str
) -> Iterator[Chunk]:
    for part in pack(pieces, context.room(breadcrumb)):
        text = "\n".join(piece.text for piece in part)
        yield Chunk(ChunkKind.RIGHTS, fqn, symbol, breadcrumb, text, title=title)
