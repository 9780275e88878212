"""What embedding costs and how fast it may go: the endpoint's pace, a release's plan, progress with an estimate."""

from dataclasses import dataclass
from typing import Any

from onec_rag.store.database import Connection
from onec_rag.store.queries import query

HORIZON = 600.0
"""Seconds for which requests are booked ahead; a message can be delayed for 900."""


@dataclass(frozen=True, slots=True)
class VectorPlan:
    """What the vectors of a release need: texts and tokens (an upper estimate), their price if it is known, and
    whether they are held until somebody confirms."""

    texts: int
    tokens: int
    price: float | None
    held: bool


def book_request(connection: Connection, space: int, seconds: float) -> float | None:
    """Books the next request to the space's endpoint, which uses up `seconds` of the allowed rate.

    How many seconds it has to wait, 0 for none; None where so much is booked already that nothing was.
    """
    asked = {"space": space, "seconds": seconds, "horizon": HORIZON}
    row = connection.execute(query("book_embedding"), asked).fetchone()
    return max(row["wait"], 0.0) if row else None


def seconds_held(connection: Connection, space: int) -> float:
    """For how many seconds the endpoint is still left alone after a failure; 0 where it is not."""
    row = connection.execute(query("embedding_held"), {"space": space}).fetchone()
    return row["wait"] if row else 0.0


def count_failure(connection: Connection, space: int) -> int:
    """Counts one failure more of the space's endpoint; how many there were in a row."""
    row = connection.execute(query("count_failure"), {"space": space}).fetchone()
    return int(row["failures"]) if row else 1


def hold_requests(connection: Connection, space: int, seconds: float) -> None:
    """Keeps every embedder from the space's endpoint for so long."""
    connection.execute(query("hold_embedding"), {"space": space, "seconds": seconds})


def count_embedded(connection: Connection, space: int, texts: int, tokens: int) -> None:
    """Counts what the endpoint has done; its failures are forgotten."""
    connection.execute(query("forget_failures"), {"space": space})
    connection.execute(query("count_embedded"), {"space": space, "texts": texts, "tokens": tokens})


def read_vector_plan(connection: Connection, source_id: int, release_no: int) -> VectorPlan | None:
    row = connection.execute(query("read_vector_plan"), {"source_id": source_id, "no": release_no}).fetchone()
    return VectorPlan(**row) if row else None


def write_vector_plan(connection: Connection, source_id: int, release_no: int, plan: VectorPlan) -> None:
    connection.execute(
        query("write_vector_plan"),
        {"source_id": source_id, "no": release_no, "texts": plan.texts, "tokens": plan.tokens, "price": plan.price,
         "held": plan.held},
    )  # fmt: skip


def describe_release(connection: Connection, source_id: int, release_no: int) -> tuple[str, str]:
    """(source, label) of a release."""
    row = connection.execute(query("describe_release"), {"source_id": source_id, "no": release_no}).fetchone()
    return (row["source"], row["label"]) if row else ("", "")


def vector_progress(connection: Connection, space: int | None, source: str | None = None) -> list[dict[str, Any]]:
    """How far the vectors of the current release are in the space, of one visible source or of each; see the SQL
    function. Without a space: nothing is embedded.

    `seconds` is added: how long what waits will take at the rate of the last minutes, if nothing else were embedded.
    None where nothing was embedded lately, or the vectors are held.
    """
    rows = connection.execute(query("vector_progress"), {"space": space, "source": source}).fetchall()
    for row in rows:
        known = row["per_minute"] > 0 and not row["held"]
        row["seconds"] = 0.0 if not row["waiting"] else row["waiting"] / row["per_minute"] * 60 if known else None
    return rows


def release_vectors(connection: Connection, source_id: int) -> bool:
    """Lets the held vectors of a visible source's head begin; False where none were held."""
    row = connection.execute(query("release_vectors"), {"source_id": source_id}).fetchone()
    return bool(row and row["released"])


def retry_refused_texts(connection: Connection, source_id: int) -> int:
    """Forgets which texts of a visible source the active endpoint refused; how many they were."""
    row = connection.execute(query("retry_refused_texts"), {"source_id": source_id}).fetchone()
    return int(row["forgotten"]) if row else 0
