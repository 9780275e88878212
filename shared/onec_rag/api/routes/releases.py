"""`/v1/releases`: list, activate an old one, delete."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path

from onec_rag.api.auth import Admin, Parts, Reader
from onec_rag.api.schemas import Line, ReleaseOut, SourceName
from onec_rag.errors import InvalidRequest, NotFound
from onec_rag.indexing import retire
from onec_rag.store import releases

router = APIRouter(prefix="/releases", tags=["releases"])
ReleaseName = Annotated[Line, Path(max_length=100, description="number, or label where one release alone has it")]


@router.get("")
def list_releases(caller: Reader, parts: Parts, source: SourceName | None = None) -> list[ReleaseOut]:
    """The releases of a source, or of every visible one, newest first: ready, loading and failed ones."""
    with parts.database.transaction(caller.sources) as connection:
        rows = releases.read_releases(connection, source)
    if source is not None and not rows:
        raise NotFound(f"{source} is not here")
    return [_shown(row) for row in rows]


@router.post("/{source}/{release:path}/activate")
def activate(source: SourceName, release: ReleaseName, caller: Admin, parts: Parts) -> ReleaseOut:
    """Makes a ready release the current one. The next upload is compared with the head all the same, and becomes the
    current one."""
    with parts.database.transaction(caller.sources) as connection:
        found = releases.find_release(connection, source, release)
        refusal = releases.activate_old_release(connection, found["source_id"], found["release"])
        if refusal == "unready":
            raise InvalidRequest(
                f"release {release} of {source} is {found['state']}; only a ready one can be activated"
            )
        return _shown(releases.find_release(connection, source, str(found["release"])))


@router.delete("/{source}/{release:path}")
def delete(source: SourceName, release: ReleaseName, caller: Admin, parts: Parts) -> ReleaseOut:
    """Deletes a release with all that no other one shows; refuses the current one, and what a load needs just now."""
    return _shown(retire.delete_release(parts.database, caller.sources, source, release))


def _shown(row: Mapping[str, Any]) -> ReleaseOut:
    return ReleaseOut(**{name: row[name] for name in ReleaseOut.model_fields})
