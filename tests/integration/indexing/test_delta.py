"""Only what has changed is sent: the rows are those of a full upload, or the upload fails and says why."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from integration.configuration import PRICING, Files, configuration, descriptor, references, zipped
from integration.databases import Dsns
from integration.indexing.rows import row_counts, visible
from integration.service import Service, service_over
from onec_rag.indexing import plan
from onec_rag.indexing.base import PIPELINE
from onec_rag.indexing.manifest import MANIFEST, Manifest, unpack_manifest, write_manifest
from onec_rag.store import kept, uploads
from onec_rag_client import archive
from onec_rag_client.archive import Changes

pytestmark = pytest.mark.integration

MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
UNKNOWN = {"Ext/Logo.bin": bytes(range(256)), "notes/список.lst": "1"}
"""Files of no known format: the list holds them too, or they would look new each time."""


def digest(data: str | bytes) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:32]


def whole(files: Mapping[str, str | bytes]) -> bytes:
    """A full upload as the command line packs it."""
    hashes = {path: digest(data) for path, data in files.items()}
    return zipped({**files, MANIFEST: write_manifest(Manifest("sha256", hashes))}, "")


def head(service: Service, source: str = "shop") -> tuple[str, Mapping[str, str]] | None:
    """What the API answers: the head's upload and its files."""
    with service.search.database.transaction(("*",)) as connection:
        found = kept.read_manifest(connection, source, PIPELINE)
    return (str(found["upload"]), unpack_manifest(found["packed"]).files) if found else None


def delta(service: Service, files: Files, base: str | None = None) -> bytes:
    """The upload of these files that the command line would make now."""
    known = head(service)
    assert known is not None
    hashes = {path: digest(data) for path, data in files.items()}
    changed = {path: data for path, data in files.items() if known[1].get(path) != hashes[path]}
    manifest = Manifest("sha256", hashes, base or known[0])
    return zipped({**changed, MANIFEST: write_manifest(manifest)}, "")


@pytest.fixture
def loaded(service: Service) -> Service:
    assert service.load("shop", whole(configuration() | UNKNOWN), "1.zip", "first")["state"] == "ready"
    return service


def edits() -> dict[str, Files]:
    base: Files = configuration() | UNKNOWN
    records = references("RegisterRecords", ["InformationRegister.ЦеныТоваров"])
    less = {path: data for path, data in base.items() if not path.startswith(("Subsystems/", "Ext/"))}
    return {
        "a procedure": base | {MODULE: PRICING.replace("Окр(Цена, 0)", "Окр(Цена, 2)")},
        "a synonym alone": base
        | {"Documents/УстановкаЦен.xml": descriptor("Document", "УстановкаЦен", "Назначение цен", records)},
        "a subsystem alone": base
        | {"Subsystems/Торговля.xml": descriptor("Subsystem", "Торговля", "Торговля", references("Content", []))},
        "files are gone": less,
        "a file is new": base | {"Catalogs/Склады.xml": descriptor("Catalog", "Склады", "Места хранения")},
        "a file has moved": {path.replace("УстановкаЦен", "Цены"): data for path, data in base.items()},
        "a file is empty": base | {MODULE: ""},
        "nothing": base,
    }


@pytest.mark.parametrize("edit", edits())
def test_the_rows_are_those_of_a_full_upload(loaded: Service, edit: str) -> None:
    files = edits()[edit]
    upload = loaded.load("shop", delta(loaded, files), "2.zip", "second")
    assert (upload["state"], upload["release"]) == ("ready", 2)
    loaded.load("fresh", whole(files), "fresh.zip", "second")
    assert visible(loaded, "shop") == visible(loaded, "fresh")
    assert (upload["files"], upload["files_skipped"]) == tuple(
        loaded.uploads("fresh")[0][name] for name in ("files", "files_skipped")
    )


def test_changes_of_changes_go_on_and_on(loaded: Service) -> None:
    for number, files in enumerate(edits().values(), 2):
        assert loaded.load("shop", delta(loaded, files), f"{number}.zip", str(number))["state"] == "ready"
        found = head(loaded)
        assert found is not None
        assert found[1] == {path: digest(data) for path, data in files.items()}
    stored = [key for _, key in loaded.cloud.objects if key.startswith("content/")]
    assert stored == [f"content/shop/{loaded.uploads('shop')[0]['id']}.zip"], "of one source one archive is kept"
    assert row_counts(loaded)["upload_manifest"] == 1


def test_unchanged_files_are_read_in_the_bucket_and_not_sent(loaded: Service) -> None:
    sent = delta(loaded, edits()["a procedure"])
    assert len(sent) < len(whole(configuration() | UNKNOWN)) / 2
    loaded.load("shop", sent, "2.zip", "second")
    assert loaded.uploads("shop")[0]["state"] == "ready"


def test_changes_against_what_is_no_longer_the_head_fail_and_say_so(loaded: Service) -> None:
    late = delta(loaded, edits()["a procedure"])
    loaded.load("shop", whole(configuration("2.0")), "2.zip")
    before = visible(loaded, "shop")
    upload = loaded.load("shop", late, "3.zip")
    assert upload["state"] == "failed"
    assert "is no longer the last one of its source: send everything" in upload["reason"]
    assert visible(loaded, "shop") == before
    assert [key for _, key in loaded.cloud.objects if key.startswith("content/")] == []


def test_changes_that_waited_for_another_upload_fail_too(loaded: Service) -> None:
    late = delta(loaded, edits()["a procedure"])
    loaded.put("shop", whole(configuration("2.0")), "2.zip")
    loaded.run(most=2)
    loaded.put("shop", late, "3.zip")
    loaded.run()
    assert [row["state"] for row in loaded.uploads("shop")] == ["failed", "ready", "ready"]


def test_changes_of_a_source_that_is_not_there_fail(service: Service) -> None:
    manifest = Manifest("sha256", {"a.md": digest("# A")}, "00000000-0000-4000-8000-000000000000")
    upload = service.load("shop", zipped({"a.md": "# A\n\nB", MANIFEST: write_manifest(manifest)}, ""))
    assert upload["state"] == "failed"
    assert "send everything" in upload["reason"]


def test_changes_without_a_file_that_they_need_fail_and_name_it(loaded: Service) -> None:
    known = head(loaded)
    assert known is not None
    files = {**known[1], MODULE: digest("other")}
    upload = loaded.load("shop", zipped({MANIFEST: write_manifest(Manifest("sha256", files, known[0]))}, ""), "2.zip")
    assert upload["state"] == "failed"
    assert upload["reason"] == f"{MODULE}: 1 files are neither in this upload nor in the last one"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"hash": "md5", "base": null, "files": {}}'], ids=str)
def test_a_damaged_list_of_files_fails(service: Service, data: bytes) -> None:
    upload = service.load("shop", zipped({"a.md": "# A\n\nB", MANIFEST: data}, ""))
    assert upload["state"] == "failed"
    assert upload["reason"].startswith(f"{MANIFEST}: the list of files is damaged")


def test_an_archive_without_a_list_has_no_changes_made_against_it(loaded: Service) -> None:
    assert head(loaded) is not None
    loaded.load("shop", zipped(configuration("2.0"), ""), "2.zip")
    assert head(loaded) is None


def test_another_version_of_the_pipeline_wants_everything(loaded: Service) -> None:
    with loaded.search.database.transaction(("*",)) as connection:
        assert kept.read_manifest(connection, "shop", PIPELINE + 1) is None
    with loaded.search.database.transaction(("docs",)) as connection:
        assert kept.read_manifest(connection, "shop", PIPELINE) is None, "nor is it for who may not see the source"


def test_changes_that_remove_too_much_are_held_and_can_be_confirmed(database: Dsns) -> None:
    with service_over(database, most_removed=0.3) as service:
        service.load("shop", whole(configuration()), "1.zip")
        rest = {"Configuration.xml": configuration("2.0")["Configuration.xml"]}
        held = service.load("shop", delta(service, rest), "2.zip")
        assert held["state"] == "held"
        with service.search.database.transaction(("shop",)) as connection:
            assert uploads.confirm_upload(connection, str(held["id"])) is None
        service.indexing.plan_queue.send([{"upload": str(held["id"])}])
        service.run()
        assert service.uploads("shop")[0]["state"] == "ready"
        service.load("fresh", whole(rest))
        assert visible(service, "shop") == visible(service, "fresh")


def test_a_large_source_takes_changes_too(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "LARGE", 0)
    service.load("shop", whole(configuration()), "1.zip")
    files = configuration() | {MODULE: "Процедура А()\nКонецПроцедуры\n"}
    service.load("shop", delta(service, files), "2.zip", "second")
    service.load("fresh", whole(files), label="second")
    assert visible(service, "shop") == visible(service, "fresh")


def test_planning_reads_the_directory_and_not_the_members(service: Service) -> None:
    """Of an archive of a megabyte: its end, its directory, the main descriptor, the list of files."""
    padding = {f"Ext/{number}.bin": hashlib.shake_256(bytes([number])).digest(10_000) for number in range(100)}
    data = whole(configuration() | padding)
    service.put("shop", data)
    service.run(most=1)
    read = sum(length for _, length in service.cloud.reads)
    assert service.uploads("shop")[0]["state"] == "loading"
    assert read < len(data) / 5, f"{read} of {len(data)} bytes"


def test_the_command_line_and_the_service_know_a_file_by_the_same_path_and_hash(
    service: Service, tmp_path: Path
) -> None:
    folder = tmp_path / "cf"
    for path, data in (configuration() | UNKNOWN | {"Формы/и\u0306 №1.bin": "й"}).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data.encode() if isinstance(data, str) else data)

    def pack(changes: Changes | None = None) -> bytes:
        archive.write_zip(archive.list_folder(folder), tmp_path / "cf.zip", lambda _: None, changes)
        return (tmp_path / "cf.zip").read_bytes()

    assert service.load("shop", pack(), "1.zip")["state"] == "ready"
    known, hashes = head(service), archive.hash_files(archive.list_folder(folder), lambda _: None)
    assert known is not None
    assert known[1] == hashes
    (folder / MODULE).write_text("Процедура А()\nКонецПроцедуры\n", "utf-8")
    del hashes[MODULE]
    assert service.load("shop", pack(Changes(known[0], hashes)), "2.zip", "second")["state"] == "ready"
    service.load("fresh", pack(), label="second")
    assert visible(service, "shop") == visible(service, "fresh")


def test_the_list_of_files_is_no_file_of_the_upload(loaded: Service) -> None:
    upload: dict[str, Any] = loaded.uploads("shop")[0]
    assert (upload["files"], upload["files_skipped"]) == (8, 2)
