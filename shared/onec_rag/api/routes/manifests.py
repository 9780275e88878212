"""`/v1/sources/{name}/manifest`: what a client compares its folder with, to send only what has changed."""

import gzip
from typing import Annotated

from fastapi import APIRouter, Header, Response

from onec_rag.api.auth import Parts, Uploader
from onec_rag.api.schemas import ManifestOut, SourceName
from onec_rag.errors import NotFound
from onec_rag.indexing.base import PIPELINE
from onec_rag.indexing.manifest import unpack_manifest
from onec_rag.store import kept

router = APIRouter(prefix="/sources", tags=["uploads"])


@router.get("/{name}/manifest", response_model=ManifestOut)
def manifest(
    name: SourceName, caller: Uploader, parts: Parts, accept_encoding: Annotated[str, Header()] = ""
) -> Response:
    """All files of the upload that the source's head release was made of, with hashes of their bytes.

    Not found where there is no such list, or where the next upload has to be whole.
    """
    with parts.database.transaction(caller.sources) as connection:
        found = kept.read_manifest(connection, name, PIPELINE)
    if found is None:
        raise NotFound(f"source {name} has no list of files: send everything")
    files = unpack_manifest(found["packed"]).files
    answer = ManifestOut(upload=str(found["upload"]), release=found["release"], label=found["label"], files=dict(files))
    content, headers = answer.model_dump_json().encode(), {"Content-Type": "application/json"}
    if "gzip" in accept_encoding:  # 33,000 files are more than the 6 MB that a Lambda function may answer
        content, headers = gzip.compress(content, 6, mtime=0), headers | {"Content-Encoding": "gzip"}
    return Response(content, headers=headers)
