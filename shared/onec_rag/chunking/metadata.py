"""A metadata object → its card and a chunk for each field."""

from collections.abc import Iterable, Iterator, Sequence

from onec_rag.chunking.base import LONGEST_DOC, Context, Piece, pack
from onec_rag.model.chunk import Chunk, ChunkKind
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import (
    FIELD_KINDS,
    KIND_BY_NAME,
    Field,
    MetadataObject,
    form_fqns,
    template_fqns,
    title_of,
    walk_fields,
)

_RELATIONS = {  # what the other side declares, said from this side
    "состав": "Входит в",
    "движения": "Регистраторы",
    "ввод на основании": "Основание для",
    "владелец": "Владелец для",
    "источник": "Подписки на события",
    "хранение": "Хранит значение опции",
    "использование": "Параметризует",
    "нумератор": "Нумерует",
    "задача": "Задача процесса",
    "адресация": "Адресация задачи",
    "план счетов": "План счетов для",
    "виды субконто": "Виды субконто для",
    "план видов расчета": "План видов расчета для",
    "базовые виды расчета": "Базовый для",
    "дополнительные значения характеристик": "Хранит значения для",
    "пакет XDTO": "Пакет сервиса",
    "основные роли": "Основная роль",
    "авторегистрация": "Авторегистрация в",
    "характеристики": "Характеристики для",
    "график": "График для",
    "разделение": "Разделяет",
    "группа команд": "Команды группы",
    "параметр команды": "Параметр команд",
    "картинка": "Картинка для",
    "текущий исполнитель": "Исполнитель для",
}


_FILES_OF_THEIR_OWN = frozenset({"Form", "Template"})
"""Kinds of children that have documents of their own; the owner's card names them."""

_IN_THE_CARD_ALONE = frozenset({"Form", "ObjectType", "ValueType", "Property"})
"""Kinds without chunks: a form's document has a card, and the types of XDTO packages (100,000 properties in БСП) would
outnumber everything that people look for."""

_ROW = 400
"""Characters from which a property's list of names is broken into rows."""


def object_chunks(document: Document, owner: MetadataObject, context: Context) -> Iterator[Chunk]:
    """The card (in parts where it is long), then the fields, columns of a tabular section after their section.

    A part of an object that a file of its own holds is a further part of the object's card, with its fields.
    """
    word = KIND_BY_NAME[owner.kind].ru if owner.kind in KIND_BY_NAME else FIELD_KINDS.get(owner.kind, owner.kind)
    title = owner.title if document.kind is DocumentKind.OBJECT else context.titles.get(owner.fqn, owner.name)
    called = f"{word} {owner.name}" + (f" ({title})" if title != owner.name else "")
    if document.kind is DocumentKind.PART and owner.kind == "XDTOPackage":
        called = word  # a dozen versions of one package share most of their types, and so their vectors
    breadcrumb = context.bounded(called)
    facets = {"object_kind": owner.kind}
    titles = " ".join(dict.fromkeys(owner.synonyms.values())) or (title if title != owner.name else "")
    rows = [Piece(row, 0, 0, border=row[:1] != " ") for row in _card_rows(document, owner, context)]
    if not rows and document.kind is DocumentKind.OBJECT:
        rows = [Piece(breadcrumb, 0, 0)]
    for part in pack(rows, context.room(breadcrumb)):
        yield Chunk(
            kind=ChunkKind.OBJECT,
            fqn=owner.fqn,
            symbol=owner.name,
            breadcrumb=breadcrumb,
            text="\n".join(piece.text for piece in part),
            title=titles,
            doc=" ".join(filter(None, (owner.comment, owner.explanation)))[:LONGEST_DOC],
            facets=facets,
        )
    for fqn, item in walk_fields(owner):
        if item.kind in _IN_THE_CARD_ALONE:
            continue
        yield Chunk(
            kind=ChunkKind.FIELD,
            fqn=fqn,
            symbol=item.name,
            breadcrumb=breadcrumb,
            text=_cut("\n".join(_field_rows(fqn, item)), context.room(breadcrumb)),
            title=" ".join(dict.fromkeys(item.synonyms.values())),
            doc=" ".join(filter(None, (item.comment, item.tooltip)))[:LONGEST_DOC],
            facets=facets | {"field_kind": item.kind},
        )


def _card_rows(document: Document, owner: MetadataObject, context: Context) -> Iterator[str]:
    yield from (f"{language}: {text}" for language, text in owner.synonyms.items() if text and language != "ru")
    yield from (text for text in (owner.comment, owner.explanation) if text)
    if owner.types:
        yield "Тип: " + fold(owner.types)
    for name, value in owner.properties.items():
        yield from (f"{name}: {part}" for part in _broken(value))
    yield from _outline(item for item in owner.fields if item.kind not in _FILES_OF_THEIR_OWN)
    for word, children in (("Формы", form_fqns(owner)), ("Макеты", template_fqns(owner))):
        for start in range(0, len(children), 8):
            yield f"{word}: " + ", ".join(_child(fqn, context) for fqn in children[start : start + 8])
    declared: dict[str, list[str]] = {}
    for link in owner.links:
        declared.setdefault(link.relation.capitalize(), []).append(context.called(link.target))
    for relation, other in context.relations.get(owner.fqn, ()) if document.kind is DocumentKind.OBJECT else ():
        declared.setdefault(_RELATIONS.get(relation, f"Назван как {relation}"), []).append(context.called(other))
    for relation, others in declared.items():
        for start in range(0, len(others), 8):
            yield f"{relation}: " + ", ".join(others[start : start + 8])


def _broken(value: str) -> Iterator[str]:
    """A value as it is, a long list of names in parts that end between names."""
    while len(value) > _ROW and (end := value.find(", ", _ROW)) >= 0:
        yield value[:end]
        value = value[end + 2 :]
    yield value


def _outline(fields: Iterable[Field]) -> Iterator[str]:
    """A line for each field, what it owns indented below it; the properties of an XDTO type share lines."""
    stack = [("", item) for item in fields][::-1]
    while stack:
        indent, item = stack.pop()
        yield indent + describe(item)
        if item.kind == "ObjectType":
            properties = ", ".join(f"{child.name}: {fold(child.types)}" for child in item.fields)
            yield from (f"{indent}  {part}" for part in _broken(properties) if part)
        else:
            stack.extend((f"{indent}  ", child) for child in reversed(item.fields))


def _child(fqn: str, context: Context) -> str:
    """A form or template by its own name, with its synonym."""
    return context.called(fqn).removeprefix(fqn.rpartition(".")[0] + ".")


def describe(item: Field) -> str:
    """A field on one line: kind, name, synonym, types."""
    title = title_of(item.synonyms, item.name)
    line = f"{FIELD_KINDS.get(item.kind, item.kind)} {item.name}" + (f" ({title})" if title != item.name else "")
    if item.types:
        line += ": " + fold(item.types)
    facts = [f"{name} {value}" for name, value in item.properties.items()]
    return f"{line}; {', '.join(facts)}" if facts else line


def fold(types: Sequence[str], most: int = 8) -> str:
    """Types of a field; a composite type of very many is folded to its first ones and a count."""
    shown = ", ".join(types[:most])
    return f"{shown} и ещё {len(types) - most}" if len(types) > most else shown


def _field_rows(fqn: str, item: Field) -> Iterator[str]:
    yield describe(item)
    yield fqn
    yield from (f"{language}: {text}" for language, text in item.synonyms.items() if text and language != "ru")
    yield from (text for text in (item.tooltip, item.comment) if text)
    if item.fields:
        yield "Состав: " + ", ".join(column.name for column in item.fields)


def _cut(text: str, room: int) -> str:
    """The beginning of a text that must be one chunk."""
    return "\n".join(piece.text for piece in pack([Piece(row, 0, 0) for row in text.split("\n")], room)[0])
