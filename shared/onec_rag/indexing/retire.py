"""What goes for good: a release, those beyond the retention, a source; and what nobody refers to afterwards."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from onec_rag.aws.objects import Objects
from onec_rag.errors import InvalidRequest, NotFound, RetryableError
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.keys import CONTENT, PREFIX, SYNC
from onec_rag.observability import logger
from onec_rag.store import releases, retention, vectors
from onec_rag.store.database import ALL_SOURCES, Database

_PREFIXES = (PREFIX, SYNC, CONTENT)
"""Below its name in each of them the bucket keeps what is a source's."""
_LOADING = "an upload of {source} is loading; delete the source when that has ended"
_REFUSALS = {
    "current": "release {release} of {source} is the current one; activate another first",
    "loading": "release {release} of {source} is still loading",
    "compared": "an upload of {source} is being compared with release {release}; delete it when that has ended",
}


def delete_release(database: Database, allowed: Sequence[str], source: str, release: str) -> dict[str, Any]:
    """Deletes the release of that number or label; gives it as it was.

    Raises:
        NotFound: it is not there, or the caller may not see it.
        InvalidRequest: it is the current one, still needed by a load, or the label names several.
        RetryableError: a load or a reader does not let go; nothing was deleted.
    """
    with database.transaction(allowed) as connection:
        found = releases.find_release(connection, source, release)
        refusal = retention.delete_release(connection, found["source_id"], found["release"])
        if refusal == "missing":  # somebody was faster
            raise NotFound(f"release {release} of {source} is not here")
        if refusal is not None:
            raise InvalidRequest(_REFUSALS[refusal].format(source=source, release=release))
    logger.info("release deleted", extra={"source": found["source_id"], "release": found["release"]})
    _sweep_once(database, [found["shard"]])
    return found


def retire_releases(
    indexing: Indexing, source_id: int, *, keep: int | None = None, older_than: timedelta | None = None
) -> list[int]:
    """Deletes the releases of a source that no rule keeps; gives their numbers.

    The newest `keep` stay, and those that became ready within `older_than`; the current one and the head always do.
    Without a rule all stay. What a load needs just now is left to the next time.
    """
    if keep is None and older_than is None:
        return []
    with indexing.database.transaction() as connection:
        beyond = retention.releases_beyond(connection, source_id, keep, older_than)
    deleted = []
    for no in beyond:
        with indexing.database.transaction(ALL_SOURCES) as connection:
            if retention.delete_release(connection, source_id, no) is None:
                deleted.append(no)
    if deleted:
        logger.info("releases retired", extra={"source": source_id, "releases": deleted})
    return deleted


def delete_source(
    database: Database, objects: Objects, bucket: str, allowed: Sequence[str], name: str
) -> dict[str, Any]:
    """Deletes a source with all its releases and uploads and its objects in the bucket; gives how many releases and
    objects went.

    Raises:
        NotFound: it is not there, or the caller may not see it.
        InvalidRequest: an upload of it is loading.
        RetryableError: the bucket is away, or a reader does not let go; asked again, it goes on.
    """
    with database.transaction(allowed) as connection:
        found = retention.find_source(connection, name)
    if found is None:
        raise NotFound(f"source {name} is not here")
    if found["loading"]:
        raise InvalidRequest(_LOADING.format(source=name))
    # The bucket first: an object without its upload would be taken for one that was never planned.
    keys = [key for prefix in _PREFIXES for key in objects.keys(bucket, f"{prefix}{name}/")]
    for key in keys:
        objects.delete(bucket, key)
    with database.transaction(allowed) as connection:
        if retention.delete_source(connection, found["source_id"]) == "loading":  # begun meanwhile
            raise InvalidRequest(_LOADING.format(source=name))
    logger.info("source deleted", extra={"source": found["source_id"], "objects": len(keys)})
    _sweep_once(database, [])
    return {"source": name, "releases": found["releases"], "objects": len(keys)}


def sweep(indexing: Indexing) -> None:
    """Deletes every outline and vector that nobody refers to, a bounded number in each transaction."""
    with indexing.database.transaction() as connection:
        shards = {0, *(shard for _, shard in vectors.loaded_sources(connection))}
    while _sweep_batch(indexing.database, shards):
        pass


def _sweep_once(database: Database, shards: Iterable[int]) -> None:
    """What is left over, or can't be had just now, is the janitor's."""
    try:
        _sweep_batch(database, shards)
    except RetryableError as error:
        logger.info("left to the janitor", extra={"reason": str(error)})


def _sweep_batch(database: Database, shards: Iterable[int]) -> bool:
    """One bounded number of outlines and of each shard's vectors; whether there may be more."""
    with database.transaction() as connection:
        more = retention.sweep_outlines(connection)
    for shard in shards:
        with database.transaction() as connection:
            more |= retention.sweep_vectors(connection, shard)
    return more
