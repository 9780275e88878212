"""Spaces of vectors: the active one, one that is filled beside it, and those that go."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from psycopg.types.json import Jsonb

from onec_rag.errors import ConfigurationError
from onec_rag.store.database import Connection
from onec_rag.store.queries import query

REMOVED_AT_ONCE = 20_000
"""Vectors in one transaction: a second's work at the most."""
GRACE = timedelta(minutes=1)
"""How long the vectors of a replaced space stay for readers that have not yet seen that it was replaced."""


@dataclass(frozen=True, slots=True)
class Space:
    """What stored vectors are of; those of another model, size or prefix can't be compared with them.

    `base_url` is where a reembedding found the endpoint, None where the settings say. `stands_for` are the settings'
    `model`, `dimensions` and `prefix` that it took the place of. `problem` says why one that is being filled is not.
    """

    id: int
    model: str
    dimensions: int
    prefix: str
    query_prefix: str
    base_url: str | None
    stands_for: Mapping[str, Any] | None
    active: bool
    filling: bool
    problem: str | None


def settle_space(connection: Connection, model: str, dimensions: int, prefix: str) -> Space:
    """The active space under settings of that model; it becomes the active one while no vector of another is stored.

    Raises:
        ConfigurationError: the stored vectors are of another model, size or prefix, and did not take its place.
    """
    asked = {"model": model, "dimensions": dimensions, "prefix": prefix}
    active = read_space(connection)
    if active is None or not _accepts(active, asked):
        for statement in ("drop_unused_space", "activate_known_space", "ensure_space"):
            connection.execute(query(statement), asked)
        active = read_space(connection)
    if active is None or not _accepts(active, asked):
        stored = f"{active.model}, {active.dimensions} dimensions, passage prefix {active.prefix!r}" if active else "?"
        raise ConfigurationError(
            f"the settings name the embedding model {model}, {dimensions} dimensions, passage prefix {prefix!r}, but"
            f" the stored vectors are of {stored}; set ONEC_RAG_EMBEDDING_MODEL, _DIMENSIONS and _PASSAGE_PREFIX back,"
            f" and change the model by: onec-rag reembed --model {model} --dimensions {dimensions} --base-url URL"
        )
    return active


def read_space(connection: Connection) -> Space | None:
    """The active space; None before the first vector was asked for."""
    return _space(connection, "active_space")


def read_filling_space(connection: Connection) -> Space | None:
    """The space that is being filled beside the active one."""
    return _space(connection, "filling_space")


def note_space_problem(connection: Connection, space: int, problem: str | None) -> None:
    """Why a space that is being filled is not; None when it is again."""
    connection.execute(query("note_space_problem"), {"space": space, "problem": problem})


def begin_filling(
    connection: Connection,
    *,
    model: str,
    dimensions: int,
    prefix: str,
    query_prefix: str,
    base_url: str,
    settings: Mapping[str, Any],
) -> bool:
    """Begins to fill a space beside the active one, or goes on with it; `settings` are those it will stand for.

    False where it is the active one, or another is being filled.
    """
    row = connection.execute(
        query("begin_filling"),
        {"model": model, "dimensions": dimensions, "prefix": prefix, "query_prefix": query_prefix,
         "base_url": base_url, "settings": Jsonb(dict(settings))},
    ).fetchone()  # fmt: skip
    return bool(row and row["space"] is not None)


def abandon_filling(connection: Connection) -> bool:
    """Gives up the space that is being filled; False where there is none."""
    row = connection.execute(query("abandon_filling")).fetchone()
    return bool(row and row["space"] is not None)


def cut_over(connection: Connection, space: int) -> bool:
    """Makes the space that is being filled the active one, if every current release is covered by it."""
    row = connection.execute(query("cut_over"), {"space": space}).fetchone()
    return bool(row and row["done"])


def remove_retired_space(connection: Connection) -> bool:
    """One bounded step of removing what was replaced or abandoned; whether there is more to do now."""
    row = connection.execute(query("remove_retired_space"), {"most": REMOVED_AT_ONCE, "grace": GRACE}).fetchone()
    return bool(row and row["more"])


def any_retired_space(connection: Connection) -> bool:
    """Whether vectors of a space that was replaced or abandoned are still there."""
    row = connection.execute(query("count_retired_spaces")).fetchone()
    return bool(row and row["retired"])


def _accepts(space: Space, settings: Mapping[str, Any]) -> bool:
    own = {"model": space.model, "dimensions": space.dimensions, "prefix": space.prefix}
    return settings in (own, space.stands_for)


def _space(connection: Connection, statement: str) -> Space | None:
    row = connection.execute(query(statement)).fetchone()
    return Space(**row) if row else None
