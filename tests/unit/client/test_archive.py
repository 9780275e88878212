import os
import time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from onec_rag.formats.archive import Limits, list_members, read_member
from onec_rag_client import archive
from onec_rag_client.archive import MANIFEST, Skipped, list_folder, long_path, write_zip

UTF8_NAMES = 1 << 11


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A small export with some litter beside it."""
    folder = tmp_path / "cf"
    for name, content in {
        "Configuration.xml": "<MetaDataObject/>",
        "CommonModules/Скидки/Ext/Module.bsl": "Процедура А() Экспорт\nКонецПроцедуры\n" * 200,
        "CommonModules/Скидки.xml": "<MetaDataObject/>",
        "empty.txt": "",
        ".git/config": "[core]",
        "docs/node_modules/x/README.md": "# x",
        ".DS_Store": "x",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def packed(folder: Path) -> bytes:
    target = folder.parent / "packed.zip"
    write_zip(list_folder(folder), target, lambda _: None)
    return target.read_bytes()


def test_a_folder_becomes_a_zip_of_its_files_in_order_and_without_litter(dump: Path) -> None:
    packed(dump)
    with ZipFile(dump.parent / "packed.zip") as result:
        assert result.testzip() is None
        assert result.namelist() == [
            "CommonModules/Скидки.xml", "CommonModules/Скидки/Ext/Module.bsl", "Configuration.xml", "empty.txt",
            MANIFEST,
        ]  # fmt: skip
        module = result.getinfo("CommonModules/Скидки/Ext/Module.bsl")
        assert module.compress_type == ZIP_DEFLATED
        assert module.compress_size < module.file_size / 10
        assert module.flag_bits & UTF8_NAMES
        assert {info.date_time for info in result.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert result.read(module).decode().startswith("Процедура А() Экспорт")


def test_the_same_content_gives_the_same_bytes_whatever_times_modes_and_order(dump: Path, tmp_path: Path) -> None:
    first = packed(dump)
    names = sorted((path.relative_to(dump) for path in dump.rglob("*") if path.is_file()), reverse=True)
    copy = tmp_path / "elsewhere" / "копия"
    for name in names:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_bytes((dump / name).read_bytes())
        (copy / name).chmod(0o600)
        os.utime(copy / name, (time.time() - 86_400, 1_000_000_000))
    assert packed(copy) == first


def test_one_changed_letter_gives_other_bytes(dump: Path) -> None:
    first = packed(dump)
    (dump / "Configuration.xml").write_text("<MetadataObject/>", "utf-8")
    assert packed(dump) != first


def test_progress_sums_up_to_the_size_of_the_files(dump: Path, tmp_path: Path) -> None:
    (dump / "large.bin").write_bytes(bytes(3_000_000))
    listing = list_folder(dump)
    told: list[int] = []
    write_zip(listing, tmp_path / "x.zip", told.append)
    assert sum(told) == listing.size
    assert max(told) <= 1024**2


def test_decomposed_names_of_macos_are_composed(tmp_path: Path) -> None:
    (tmp_path / "cf").mkdir()
    (tmp_path / "cf" / "По\u0438\u0306ск.bsl").write_text("x")
    assert [file.name for file in list_folder(tmp_path / "cf").files] == ["Пойск.bsl"]


def test_links_to_the_outside_and_to_folders_are_not_followed(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (dump / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (dump / "outside").symlink_to(tmp_path, target_is_directory=True)
    (dump / "loop").symlink_to(dump, target_is_directory=True)
    (dump / "git.txt").symlink_to(dump / ".git" / "config")
    (dump / "broken.txt").symlink_to(dump / "nowhere")
    (dump / "inside.xml").symlink_to(dump / "Configuration.xml")
    listing = list_folder(dump)
    assert listing.skipped == tuple(
        Skipped(name, "link") for name in ("broken.txt", "git.txt", "loop", "outside", "outside.txt")
    )
    assert "inside.xml" in [file.name for file in listing.files]
    assert b"secret" not in packed(dump)


def test_a_folder_that_is_itself_a_link_is_read(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(dump, target_is_directory=True)
    assert [file.name for file in list_folder(tmp_path / "link").files] == [
        file.name for file in list_folder(dump).files
    ]


def test_a_file_above_half_a_gigabyte_is_left_out_with_a_note(dump: Path) -> None:
    with (dump / "1Cv8.dt").open("wb") as file:
        file.truncate(archive.LARGEST + 1)  # sparse: takes no room
    listing = list_folder(dump)
    assert listing.skipped == (Skipped("1Cv8.dt", "large"),)
    assert "1Cv8.dt" not in [file.name for file in listing.files]


@pytest.mark.skipif(os.name == "nt", reason="bytes that are no text can't be names on Windows")
def test_a_name_that_is_no_utf8_is_packed_all_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "cf"
    folder.mkdir()
    with open(os.fsencode(folder) + b"/\xcc\xee\xe4.bsl", "wb") as file:  # noqa: PTH123 - a name in cp1251
        file.write(b"x")
    assert packed(folder)
    assert [file.name for file in list_folder(folder).files] == ["\N{REPLACEMENT CHARACTER}" * 3 + ".bsl"]


@pytest.mark.parametrize(
    ("path", "long"),
    [
        ("C:\\База\\cf", "\\\\?\\C:\\База\\cf"),
        ("\\\\server\\share\\cf", "\\\\?\\UNC\\server\\share\\cf"),
        ("\\\\?\\C:\\cf", "\\\\?\\C:\\cf"),
    ],
)
def test_windows_paths_may_be_longer_than_260_characters(path: str, long: str) -> None:
    assert long_path(path, windows=True) == long
    assert long_path(path, windows=False) == path


def test_the_product_reads_what_is_packed(dump: Path) -> None:
    content = packed(dump)
    members, problems = list_members(lambda offset, size: content[offset : offset + size], len(content), Limits())
    assert problems == []
    by_path = {member.path: member for member in members}
    module = by_path["CommonModules/Скидки/Ext/Module.bsl"]
    assert read_member(content, 0, module, Limits()) == (dump / module.path).read_bytes()
