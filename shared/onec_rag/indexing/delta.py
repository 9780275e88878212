"""An upload of changed files alone → the whole archive, with all other files out of the head's."""

import tempfile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Member
from onec_rag.indexing.base import Indexing
from onec_rag.indexing.compose import copy_members
from onec_rag.indexing.kept import Kept, read_kept, read_listed
from onec_rag.indexing.keys import content_key
from onec_rag.indexing.manifest import MANIFEST, Manifest, write_manifest
from onec_rag.indexing.stage import Archive, store_archive
from onec_rag.model.tasks import Upload


def complete(indexing: Indexing, upload: Upload, archive: Archive) -> Archive:
    """The archive with all that its manifest lists; an archive that is whole comes back as it is.

    From then on the upload is loaded as any other, so that its rows are those of a full upload.

    Raises:
        PermanentError: the head is no longer the one that the changes were made against, or a file is missing.
    """
    members = {member.path: member for member in archive.members}
    manifest = read_listed(indexing, archive.content, members.get(MANIFEST))
    if manifest is None or manifest.base is None:
        return archive
    kept = read_kept(indexing, upload.source_name)
    if kept is None or kept.upload.id != manifest.base:
        raise PermanentError(
            f"this upload holds only what has changed since the upload {manifest.base}, which is no longer the last one"
            " of its source: send everything"
        )
    inherited = _inherited(manifest, kept, members)
    with tempfile.TemporaryFile() as staged:
        with ZipFile(staged, "w", ZIP_DEFLATED) as packed:
            changed = [members[path] for path in manifest.files if path in members]
            copy_members(archive.content.read_range, changed, packed)
            copy_members(kept.content.read_range, inherited, packed)
            whole = Manifest(manifest.hashed, manifest.files)
            packed.writestr(ZipInfo(MANIFEST), write_manifest(whole), ZIP_DEFLATED)
        return store_archive(indexing, upload, staged, archive.problems, content_key(upload.source_name, upload.id))


def _inherited(manifest: Manifest, kept: Kept, members: dict[str, Member]) -> list[Member]:
    """What the upload does not bring itself, out of the head's archive; each under the hash that is asked for."""
    stored = kept.manifest.files if kept.manifest and kept.manifest.hashed == manifest.hashed else {}
    wanted = {path: digest for path, digest in manifest.files.items() if path not in members}
    missing = [path for path, digest in wanted.items() if stored.get(path) != digest or path not in kept.members]
    if missing:
        raise PermanentError(f"{len(missing)} files are neither in this upload nor in the last one", missing[0])
    return [kept.members[path] for path in wanted]
