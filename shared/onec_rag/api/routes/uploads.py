"""`/v1/uploads`: announce, complete, watch."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from fastapi import APIRouter

from onec_rag.api.auth import Caller, Parts, Reader, Uploader
from onec_rag.api.schemas import CompleteBody, Form, ProblemOut, SourceName, UploadBody, UploadLinks, UploadOut
from onec_rag.api.services import Services
from onec_rag.aws.objects import PART_SIZE
from onec_rag.errors import Forbidden, InvalidRequest, NotFound
from onec_rag.indexing.activate import sum_counts
from onec_rag.store import uploads

router = APIRouter(prefix="/uploads", tags=["uploads"])


@router.post("", status_code=201)
def announce(body: UploadBody, caller: Uploader, parts: Parts) -> UploadLinks:
    """Announces an upload and gives presigned links to the bucket; no byte of it passes through this API."""
    if not caller.may_see(body.source):
        raise Forbidden(f"this API key may not upload to {body.source}")
    if body.size > parts.upload_limit:
        raise InvalidRequest(f"an upload has at most {parts.upload_limit} bytes, this one {body.size}")
    upload_id = str(uuid4())
    key = f"uploads/{body.source}/{upload_id}/{_object_name(body.file_name)}"
    # The bucket first: an upload that it can't take is not announced.
    if body.method == "form":
        url, fields = parts.objects.post_policy(parts.bucket, key, parts.upload_limit, {})
        links = UploadLinks(id=upload_id, key=key, form=Form(url=url, fields=fields))
    else:
        multipart_id, urls = parts.objects.begin_multipart(parts.bucket, key, body.size, {})
        links = UploadLinks(id=upload_id, key=key, multipart_id=multipart_id, part_size=PART_SIZE, parts=urls)
    with parts.database.transaction(caller.sources) as connection:
        uploads.insert_upload(
            connection, upload_id=upload_id, source_name=body.source, bucket=parts.bucket, key=key, size=body.size,
            label=body.label, requested_by=caller.key_id, confirmed=body.confirm,
        )  # fmt: skip
    return links


@router.post("/{upload_id}/complete")
def complete(upload_id: UUID, body: CompleteBody, caller: Uploader, parts: Parts) -> UploadOut:
    """Puts the sent parts together; from here on the upload is planned by its event."""
    row = _read(parts, caller, upload_id)
    parts.objects.complete_multipart(parts.bucket, row["key"], body.multipart_id, body.etags)
    return _shown(row)


@router.post("/{upload_id}/confirm")
def confirm(upload_id: UUID, caller: Uploader, parts: Parts) -> UploadOut:
    """Loads an upload that is held, or will be, since it removes a large part of its source."""
    with parts.database.transaction(caller.sources) as connection:
        refusal = uploads.confirm_upload(connection, str(upload_id))
    if refusal == "missing":
        raise NotFound(f"upload {upload_id} is not here")
    if refusal is not None:
        raise InvalidRequest(f"upload {upload_id} is {refusal}: there is nothing to confirm")
    parts.plan_queue.send([{"upload": str(upload_id)}])
    return _shown(_read(parts, caller, upload_id))


@router.get("")
def list_uploads(caller: Reader, parts: Parts, source: SourceName | None = None) -> list[UploadOut]:
    """The last uploads, newest first."""
    with parts.database.transaction(caller.sources) as connection:
        return [_shown(row) for row in uploads.read_uploads(connection, source=source)]


@router.get("/{upload_id}")
def read(upload_id: UUID, caller: Reader, parts: Parts) -> UploadOut:
    """How far an upload is."""
    return _shown(_read(parts, caller, upload_id))


@router.get("/{upload_id}/problems")
def problems(upload_id: UUID, caller: Reader, parts: Parts) -> list[ProblemOut]:
    """The files that could not be read, with the place and the reason."""
    _read(parts, caller, upload_id)
    with parts.database.transaction(caller.sources) as connection:
        return [ProblemOut(**row) for row in uploads.read_problems(connection, str(upload_id))]


def _read(parts: Services, caller: Caller, upload_id: UUID) -> dict[str, Any]:
    with parts.database.transaction(caller.sources) as connection:
        rows = uploads.read_uploads(connection, upload_id=str(upload_id), most=1)
    if not rows:
        raise NotFound(f"upload {upload_id} is not here")
    return rows[0]


def _shown(row: Mapping[str, Any]) -> UploadOut:
    counts = sum_counts(row["task_counts"])
    return UploadOut(
        **{name: value for name, value in row.items() if name in UploadOut.model_fields and name != "id"},
        id=str(row["id"]),
        counts=counts,
    )


def _object_name(file_name: str) -> str:
    """The last part of a file's name as a part of a key: letters, digits and a few signs."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    return "".join(sign if sign.isalnum() or sign in "._-" else "_" for sign in name) or "upload"
