"""The query language of 1C (SDBL) in its Russian and English words: tokens, and the tables that a text reads."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from onec_rag.model.metadata import FIELD_KINDS, KIND_BY_NAME

# Possessive quantifiers (`*+`) keep every expression linear on any input.
_TOKEN = re.compile(
    r"""(?P<name>[^\W\d]\w*+(?:\s*+\.\s*+[^\W\d]\w*+)*+)  # with all that dots join to it: `Справочник.Валюты`
      | (?P<comment>//[^\n]*+)
      | (?P<string>"[^"]*+"?)                             # a doubled quote makes two strings of one: no matter here
      | (?P<parameter>&\w*+)
      | (?P<number>\d\w*+)
      | (?P<mark>[^\w\s])""",
    re.VERBOSE,
)
_QUERY = re.compile(r"(?:\s|//[^\n]*+(?:\n|\Z)|;)*+(?:ВЫБРАТЬ|SELECT|УНИЧТОЖИТЬ|DROP)(?!\w)", re.IGNORECASE)


def _words(*words: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)


_SOURCES_FOLLOW = _words("ИЗ", "FROM")
_SOURCE_FOLLOWS = _words(
    *("СОЕДИНЕНИЕ", "JOIN", "ВИДЫХАРАКТЕРИСТИК", "CHARACTERISTICTYPES", "ЗНАЧЕНИЯХАРАКТЕРИСТИК", "CHARACTERISTICVALUES")
)
_SOURCES_END = _words(
    *("ВЫБРАТЬ", "SELECT", "ГДЕ", "WHERE", "СГРУППИРОВАТЬ", "GROUP", "ИМЕЮЩИЕ", "HAVING", "УПОРЯДОЧИТЬ", "ORDER"),
    *("ОБЪЕДИНИТЬ", "UNION", "ИТОГИ", "TOTALS", "ДЛЯ", "FOR", "ИНДЕКСИРОВАТЬ", "INDEX", "АВТОУПОРЯДОЧИВАНИЕ"),
    *("AUTOORDER", "УНИЧТОЖИТЬ", "DROP", "ХАРАКТЕРИСТИКИ", "CHARACTERISTICS"),
)
_KEYWORDS = _SOURCES_FOLLOW | _SOURCE_FOLLOWS | _SOURCES_END
_ALIAS_FOLLOWS = _words("КАК", "AS")

_TOTALS = {"Balance": "Остатки", "Turnovers": "Обороты", "BalanceAndTurnovers": "ОстаткиИОбороты"}
_CHANGES = {"Changes": "Изменения"}
# Kinds that are tables → the tables inside them whose English names are words of the language.
_INNER: Mapping[str, dict[str, str]] = {
    "Catalog": {},
    "Document": {},
    "DocumentJournal": {},
    "Enum": {},
    "Constant": {},
    "ExchangePlan": {},
    "FilterCriterion": {},
    "ChartOfCharacteristicTypes": {},
    "ChartOfAccounts": {"ExtDimensionTypes": "ВидыСубконто"},
    "ChartOfCalculationTypes": {
        "BaseCalculationTypes": "БазовыеВидыРасчета",
        "LeadingCalculationTypes": "ВедущиеВидыРасчета",
        "DisplacingCalculationTypes": "ВытесняющиеВидыРасчета",
    },
    "InformationRegister": {"SliceLast": "СрезПоследних", "SliceFirst": "СрезПервых"},
    "AccumulationRegister": _TOTALS,
    "AccountingRegister": _TOTALS
    | {
        "DrCrTurnovers": "ОборотыДтКт",
        "RecordsWithExtDimensions": "ДвиженияССубконто",
        "ExtDimensions": "Субконто",
    },
    "CalculationRegister": {"ScheduleData": "ДанныеГрафика", "ActualActionPeriod": "ФактическийПериодДействия"},
    "BusinessProcess": {"Points": "Точки"},
    "Task": {"TasksByExecutive": "ЗадачиПоИсполнителю", "TasksByPerformer": "ЗадачиПоИсполнителю"},
    "Sequence": {"Boundaries": "Границы"},
    "ExternalDataSource": {kind: FIELD_KINDS[kind] for kind in ("Table", "Cube", "DimensionTable", "Function")},
}


def _inner_words(kind: str) -> Mapping[str, str]:
    """Words of both languages, casefolded → the Russian word."""
    words = _INNER[kind] | _CHANGES
    return MappingProxyType(
        {word.casefold(): russian for english, russian in words.items() for word in (english, russian)}
    )


_KINDS: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType(
    {
        word.casefold(): (KIND_BY_NAME[kind].ru, _inner_words(kind))
        for kind in _INNER
        for word in (kind, KIND_BY_NAME[kind].ru)
    }
)
_CONSTANTS = _words("Константы", "Constants")  # the one table of all constants


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Everything but white space; `lastgroup` is name, comment, string, parameter, number or mark.

    A name comes with what dots join to it, white space around the dots included. Any text has tokens.
    """
    return _TOKEN.finditer(text)


def is_query(text: str) -> bool:
    """Whether a text begins as a query or a package of queries does; comments may stand before."""
    return _QUERY.match(text) is not None


def tables_of(text: str) -> tuple[str, ...]:
    """The tables a query or a package reads, each once, in order of appearance.

    Canonical names: `Справочник.Валюты`, `Документ.Заказ.Товары`, `РегистрНакопления.Продажи.Обороты`,
    `ВнешнийИсточникДанных.Склад.Таблица.Остатки`, `Константы`; for an English text the same, words of the language
    in Russian. Sources are what stands behind ИЗ and СОЕДИНЕНИЕ, in nested queries and in the parameters of virtual
    tables too. Temporary tables and tables given by a parameter are none. Any text, also a piece of a query, is read
    in linear time.
    """
    found: dict[str, None] = {}
    for source in _sources(text):
        table = _table(source[0])
        if table and text[source.end() : source.end() + 1] not in ("%", "#", "&", "["):  # `Документ.Заказ%1`
            found[table] = None
    return tuple(found)


def _sources(text: str) -> Iterator[re.Match[str]]:
    """The names that stand where a query names what it reads."""
    listing = [False]  # at each depth of brackets: whether a comma announces another source
    expected = alias = False
    for token in tokens(text):
        kind, word = token.lastgroup, token[0]
        if kind == "name":
            key = word.casefold()
            if alias or key in _ALIAS_FOLLOWS:
                alias = not alias
            elif key in _KEYWORDS:
                expected = key not in _SOURCES_END
                listing[-1] = expected and (listing[-1] or key in _SOURCES_FOLLOW)
            elif expected:
                expected = False
                yield token
        elif kind == "mark":
            alias = False
            if word == "(":
                listing.append(expected)
            elif word == ",":
                expected = listing[-1]
            elif word in ");":
                expected = False
                del listing[-1 if word == ")" else 0 :]
                listing = listing or [False]
            elif word not in "{}":  # braces enclose what a report's settings may leave out
                expected = False
        elif kind != "comment":
            expected = alias = False


def _table(word: str) -> str:
    """The canonical name of a source, empty for a temporary table."""
    first, *rest = (part.strip() for part in word.split("."))
    if not rest:
        return "Константы" if first.casefold() in _CONSTANTS else ""
    if first.casefold() not in _KINDS:
        return ""
    kind, inner = _KINDS[first.casefold()]
    named = (inner.get(part.casefold(), part) if number % 2 else part for number, part in enumerate(rest))
    return ".".join([kind, *named])
