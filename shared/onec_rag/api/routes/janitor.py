"""`/v1/janitor`: have what stands still or was left lying looked for now, and see what was done."""

from uuid import UUID, uuid4

from fastapi import APIRouter

from onec_rag.api.auth import Admin, Caller, Parts
from onec_rag.api.status_schemas import JanitorOut
from onec_rag.errors import Forbidden, NotFound
from onec_rag.store import janitor
from onec_rag.store.database import ALL_SOURCES

router = APIRouter(prefix="/janitor", tags=["status"])


@router.post("", status_code=202)
def run(caller: Admin, parts: Parts) -> JanitorOut:
    """Asks for a run; a planner does it, so it begins when one is free. It also runs by schedule."""
    _require_all(caller)
    run_id = uuid4()
    with parts.database.transaction(caller.sources) as connection:
        janitor.ask_janitor(connection, str(run_id), caller.key_id)
    parts.plan_queue.send([{"janitor": str(run_id)}])
    return read(run_id, caller, parts)


@router.get("/{run_id}")
def read(run_id: UUID, caller: Admin, parts: Parts) -> JanitorOut:
    """Whether a run has come to its end, and what it has done."""
    _require_all(caller)
    with parts.database.transaction(caller.sources) as connection:
        found = janitor.read_run(connection, str(run_id))
    if found is None:
        raise NotFound(f"run {run_id} of the janitor is not here")
    return JanitorOut(**found)


def _require_all(caller: Caller) -> None:
    if caller.sources != ALL_SOURCES:
        raise Forbidden("the janitor looks after every source; this API key is for some of them")
