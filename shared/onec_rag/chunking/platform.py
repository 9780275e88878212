"""A page of the platform's help → its chunks: how to call it and what it does, then what a type consists of."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from onec_rag.chunking.base import LONGEST_DOC, Context, Piece, pack
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document
from onec_rag.model.platform import PlatformPage, PlatformParameter

_RUSSIAN: Mapping[str, str] = MappingProxyType(
    {
        "syntax": "Синтаксис", "required": "обязательный", "optional": "необязательный", "type": "Тип",
        "returns": "Возвращаемое значение", "notes": "Примечание", "availability": "Доступность", "see": "См. также",
        "example": "Пример",
    }
)  # fmt: skip
_ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        "syntax": "Syntax", "required": "required", "optional": "optional", "type": "Type",
        "returns": "Returned value", "notes": "Note", "availability": "Availability", "see": "See also",
        "example": "Example",
    }
)  # fmt: skip
_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "сервер": "server", "server": "server",
        "тонкий клиент": "thin_client", "thin client": "thin_client",
        "веб-клиент": "web_client", "web-client": "web_client", "web client": "web_client",
        "внешнее соединение": "external_connection", "external connection": "external_connection",
    }
)  # fmt: skip
_IN_ROW = 8  # members


def platform_chunks(document: Document, page: PlatformPage, context: Context) -> Iterator[Chunk]:
    """The page (in parts where it is long), then its lists of members apart: they would drown what it says.

    Facets: `language`, `section` (the book), `since`, `deprecated`, and the places of `_FLAGS` where it is available.
    """
    words = _ENGLISH if page.language == "en" else _RUSSIAN
    breadcrumb = context.bounded(" / ".join(dict.fromkeys((*page.headings, document.title))))
    facets = _facets(document, page)
    rows = list(_rows(page, words)) or [document.title]
    for part in (*_packed(rows, breadcrumb, context), *_packed(list(_member_rows(page)), breadcrumb, context)):
        yield Chunk(
            kind=ChunkKind.PLATFORM,
            fqn=document.fqn,
            symbol=_own_name(document),
            breadcrumb=breadcrumb,
            text=part,
            title=document.title,
            doc=page.description[:LONGEST_DOC],
            facets=facets,
        )


def _packed(rows: Sequence[str], breadcrumb: str, context: Context) -> Iterator[str]:
    pieces = [Piece(line, 0, 0) for row in rows for line in row.split("\n")]
    for part in pack(pieces, context.room(breadcrumb)):
        yield "\n".join(piece.text for piece in part)


def _own_name(document: Document) -> str:
    """`Добавить` of `Массив.Добавить`; a name in brackets (`СправочникОбъект.<Имя справочника>`) is no name alone."""
    owner, _, name = document.fqn.rpartition(".")
    return name if owner and not name.startswith("<") else document.fqn or document.title


def _rows(page: PlatformPage, words: Mapping[str, str]) -> Iterator[str]:
    yield from filter(None, (page.deprecated, page.description))
    for call in page.syntax:
        variant = f" ({call.variant})" if call.variant else ""
        yield f"{words['syntax']}{variant}: {call.text}"
        yield from filter(None, [call.description])
        yield from (_parameter(item, words) for item in call.parameters)
    types = ", ".join(page.return_types)
    if page.syntax and (types or page.returns):
        yield f"{words['returns']}: " + ". ".join(filter(None, (types, page.returns)))
    elif types:
        yield f"{words['type']}: {types}"
    yield from (f"{name}: {text}" for name, text in page.others)
    if page.notes:
        yield f"{words['notes']}: {page.notes}"
    if page.availability:
        yield f"{words['availability']}: " + ", ".join(page.availability)
    yield from page.versions
    if page.see_also:
        yield f"{words['see']}: " + "; ".join(page.see_also)
    if page.example:
        yield f"{words['example']}:\n{page.example}"


def _parameter(item: PlatformParameter, words: Mapping[str, str]) -> str:
    flag = words["required" if item.required else "optional"]
    about = ". ".join(filter(None, (", ".join(item.types), item.description)))
    return f"<{item.name}> ({flag}): {about}" if about else f"<{item.name}> ({flag})"


def _member_rows(page: PlatformPage) -> Iterator[str]:
    for chapter, names in page.members:
        for start in range(0, len(names), _IN_ROW):
            yield f"{chapter}: " + ", ".join(names[start : start + _IN_ROW])


def _facets(document: Document, page: PlatformPage) -> dict[str, str | bool]:
    facets: dict[str, str | bool] = {"language": page.language, "section": document.section}
    if page.since:
        facets["since"] = page.since
    if page.deprecated:
        facets["deprecated"] = True
    facets |= {flag: True for place in page.availability if (flag := _FLAGS.get(place.lower()))}
    return facets
