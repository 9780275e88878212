"""A report's data composition schema."""

from dataclasses import dataclass, field

from onec_rag.model.code import Query
from onec_rag.model.metadata import NO_SYNONYMS, Synonyms


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field, resource or parameter by its path; `expression` is what it is calculated by, where the schema says."""

    name: str
    titles: Synonyms = field(default_factory=lambda: NO_SYNONYMS)
    types: tuple[str, ...] = ()
    expression: str = ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A data set; those nested in a union stand after it. `query` is None for an object or a union."""

    name: str
    query: Query | None = None
    fields: tuple[SchemaField, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportSchema:
    """What a schema reads and offers, together with the schemas nested in it, whose data sets are named
    `Вложенная.НаборДанных`. `totals` are resources with their expressions, `variants` settings by name and titles."""

    data_sets: tuple[DataSet, ...] = ()
    calculated: tuple[SchemaField, ...] = ()
    totals: tuple[SchemaField, ...] = ()
    parameters: tuple[SchemaField, ...] = ()
    variants: tuple[tuple[str, Synonyms], ...] = ()
