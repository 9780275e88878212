"""A BSL module as the scanner gives it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A formal parameter; `default` is the text after `=`, `None` where there is none."""

    name: str
    by_value: bool = False
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure or function. Lines are numbered from 1, both ends included.

    `first_line` is where its doc comment or annotations begin, `line` that of the word Процедура/Функция (or
    Асинх before it), `last_line` that of КонецПроцедуры/КонецФункции (the last line before the next header where
    it is missing). `regions` is the path of enclosing `#Область` names, outermost first. `directives` are
    compilation directives without `&` (`НаСервере`), `annotations` the others, written out (`Перед("Имя")`).
    `doc` is the doc comment without the slashes.
    `signature_last_line` is the line where the parameter list (and Экспорт) ends.
    """

    name: str
    is_function: bool
    export: bool
    asynchronous: bool
    parameters: tuple[Parameter, ...]
    directives: tuple[str, ...]
    annotations: tuple[str, ...]
    regions: tuple[str, ...]
    doc: str
    first_line: int
    line: int
    signature_last_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Query:
    """A query text. `text` is as the query language reads it: without quotes, doubled quotes and `|`.

    `tables` are the tables it reads, canonical and in order of appearance (`Справочник.Валюты`,
    `РегистрНакопления.Продажи.Обороты`). `symbol` is whose it is: a procedure, a data set, an attribute of a form;
    empty for module-level code. Lines as in the file, 0 where the format has none.
    """

    text: str
    tables: tuple[str, ...] = ()
    symbol: str = ""
    first_line: int = 0
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its lines (no line ends, no byte order mark) and what stands on them.

    `kind` is the module kind's English name (`ObjectModule`, `CommonModule`, `FormModule`…). `regions` are all
    region paths in order of appearance. `body` are line ranges (first, last) of module-level code: the non-blank lines
    between two procedures, comments and instructions to the preprocessor too, where a variable or a statement stands
    among them. `queries` are string literals that begin as a query does, in order. `copyright_last_line` is the last
    line of the copyright header, 0 where there is none.
    """

    kind: str
    lines: tuple[str, ...]
    procedures: tuple[Procedure, ...]
    regions: tuple[tuple[str, ...], ...] = ()
    body: tuple[tuple[int, int], ...] = ()
    queries: tuple[Query, ...] = ()
    copyright_last_line: int = 0
