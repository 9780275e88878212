"""Loads `sql/*.sql`: statements under `-- name: …` lines, by name."""

from functools import cache
from importlib.resources import files
from typing import LiteralString

from psycopg import sql


@cache
def statements() -> dict[str, LiteralString]:
    """Every named statement of the folder; a name stands once."""
    found: dict[str, LiteralString] = {}
    for file in sorted(files("onec_rag.store").joinpath("sql").iterdir(), key=lambda item: item.name):
        for block in file.read_text(encoding="utf-8").split("-- name: ")[1:]:
            name, _, statement = block.partition("\n")
            if name.strip() in found:
                raise ValueError(f"{file.name}: {name.strip()} is named twice")
            found[name.strip()] = statement.strip()
    return found


def query(name: str) -> LiteralString:
    """The statement of that name."""
    return statements()[name]


def shard_query(name: str, shard: int) -> sql.Composed:
    """A statement with `{chunk}` and `{vector}` in it, for one shard's own tables, attached or not."""
    return sql.SQL(query(name)).format(
        chunk=sql.Identifier(f"chunk_{shard}"), vector=sql.Identifier(f"chunk_vector_{shard}")
    )
