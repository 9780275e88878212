"""The bucket as a real server shows it: listings, versions, archives put together from pieces of others."""

import io
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from fakes import run_until_idle
from integration.configuration import configuration, zipped
from integration.databases import Dsns
from integration.indexing.rows import visible
from integration.service import service_over
from onec_rag.aws.objects import PART_SIZE, Objects
from onec_rag.errors import PermanentError
from onec_rag.formats.archive import Limits, list_members
from onec_rag.indexing.compose import copy_members
from onec_rag.indexing.sync import note_change
from onec_rag_local.aws import BUCKET

pytestmark = pytest.mark.integration


def test_a_listing_tells_of_each_object_what_pins_it(objects: Objects) -> None:
    version = objects.put(BUCKET, "sync/listed/а/1.bsl", io.BytesIO(b"123"))
    objects.put(BUCKET, "sync/listed/2.bsl", io.BytesIO(b""))
    first, second = objects.listing(BUCKET, "sync/listed/")
    assert [(item.key, item.size) for item in (first, second)] == [("sync/listed/2.bsl", 0), ("sync/listed/а/1.bsl", 3)]
    assert second.etag == version == objects.facts(BUCKET, second.key).etag
    assert abs(datetime.now(UTC) - second.modified) < timedelta(minutes=5)
    assert objects.pinned(BUCKET, second.key, second.etag).read_range(0, 3) == b"123"
    assert objects.keys(BUCKET, "sync/listed/") == [first.key, second.key]


def test_the_size_is_that_of_the_version(objects: Objects) -> None:
    key = "content/sized.zip"
    version = objects.put(BUCKET, key, io.BytesIO(b"1" * (PART_SIZE + 1)))
    assert objects.size(BUCKET, key, version) == PART_SIZE + 1
    objects.put(BUCKET, key, io.BytesIO(b"1"))
    with pytest.raises(PermanentError, match="deleted or replaced"):
        objects.size(BUCKET, key, version)
    with pytest.raises(PermanentError, match="deleted or replaced"):
        objects.size(BUCKET, "content/nothing.zip", version)


@pytest.mark.parametrize("compression", [ZIP_STORED, ZIP_DEFLATED])
def test_members_are_copied_as_they_are_packed(objects: Objects, compression: int) -> None:
    files = {path: data.encode() if isinstance(data, str) else data for path, data in configuration().items()}
    data = zipped(files, "", compression)
    version = objects.put(BUCKET, "content/copied.zip", io.BytesIO(data))
    read = objects.pinned(BUCKET, "content/copied.zip", version).read_range
    members, _ = list_members(read, len(data), Limits())
    with tempfile.TemporaryFile() as file:
        with ZipFile(file, "w") as target:
            copy_members(read, members[::2], target)
            target.writestr("between.txt", "text")
            copy_members(read, members[1::2], target)
        with ZipFile(file) as made:
            assert made.testzip() is None
            assert {name: made.read(name) for name in made.namelist()} == files | {"between.txt": b"text"}
            assert {made.getinfo(path).compress_type for path in files} == {compression}


def test_loose_objects_of_a_real_bucket_become_releases(objects: Objects, database: Dsns) -> None:
    changed = configuration() | {"CommonModules/Ценообразование/Ext/Module.bsl": "Процедура А()\nКонецПроцедуры\n"}
    with service_over(database) as service:
        indexing = replace(service.indexing, objects=objects, sync_quiet=0)
        for number, files in enumerate((configuration(), changed), 1):
            for path, data in files.items():
                objects.put(BUCKET, f"sync/gathered/{path}", io.BytesIO(str(data).encode()))
            note_change(indexing, BUCKET, "sync/gathered/Configuration.xml")
            run_until_idle(service.cloud, indexing)
            upload = service.uploads("gathered")[0]
            assert (upload["state"], upload["release"]) == ("ready", number), upload["reason"]
            assert objects.keys(BUCKET, "content/gathered/") == [f"content/gathered/{upload['id']}.zip"]
        service.load("fresh", zipped(changed, ""))
        assert visible(service, "gathered") == visible(service, "fresh")
