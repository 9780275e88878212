"""The card of a form, template or role: what it is called, and its rows in parts that fit the window."""

from collections.abc import Iterable, Iterator

from onec_rag.chunking.base import Context, Piece, pack
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.metadata import Synonyms, title_of


def breadcrumb_of(fqn: str, context: Context) -> str:
    """`Справочник.Валюты (Валюты) · форма ФормаЭлемента (Валюта)`, or the object itself where nothing owns it."""
    owner, *kind, name = fqn.rsplit(".", 2)
    if not kind:
        return context.bounded(context.called(fqn))
    return context.bounded(f"{context.called(owner)} · {kind[0].lower()} {named(name, context.titles.get(fqn, ''))}")


def named(name: str, title: str) -> str:
    """A name with what people call it, where that says more."""
    return f"{name} ({title})" if title and title != name else name


def called(name: str, titles: Synonyms) -> str:
    """A name with its title in the language that a person reads."""
    return named(name, " ".join(title_of(titles, "").split()))


def card_chunks(
    kind: ChunkKind, fqn: str, rows: Iterable[str], breadcrumb: str, context: Context, title: str = ""
) -> Iterator[Chunk]:
    """The rows under the breadcrumb, as many chunks as they need; none where there are no rows."""
    for part in pack([Piece(row, 0, 0) for row in rows], context.room(breadcrumb)):
        yield Chunk(
            kind=kind,
            fqn=fqn,
            symbol=fqn.rpartition(".")[2],
            breadcrumb=breadcrumb,
            text="\n".join(piece.text for piece in part),
            title=title,
        )


def rows_of(label: str, words: Iterable[str], at_once: int = 8) -> Iterator[str]:
    """`Поля: А, Б, В`: so many words on a row that a part can end between rows."""
    listed = list(words)
    for start in range(0, len(listed), at_once):
        yield f"{label}: " + ", ".join(listed[start : start + at_once])
