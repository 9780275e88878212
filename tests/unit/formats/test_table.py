from collections.abc import Iterable

import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats import table
from onec_rag.formats.base import Root, RootKind, Wave
from onec_rag.formats.place import DESCRIPTORS, Role
from onec_rag.formats.table import FORMATS, format_of


def find_roots(paths: Iterable[str]) -> list[Root]:
    return table.find_roots(paths, lambda _: b"")


def test_descriptors_are_loaded_before_what_shows_their_names() -> None:
    for rows in FORMATS.values():
        for row in rows:
            assert row.wave == (Wave.DESCRIPTORS if row.name in DESCRIPTORS else Wave.CONTENT)


def test_every_layout_of_a_dump_reads_every_role() -> None:
    for kind in (RootKind.CONFIGURATION, RootKind.PLAIN, RootKind.EDT):
        assert {Role(row.name) for row in FORMATS[kind]} >= set(Role) - {Role.PREDEFINED, Role.EXCHANGE_CONTENT}
    for kind in (RootKind.CONFIGURATION, RootKind.PLAIN):
        assert {row.name for row in FORMATS[kind]} == set(Role)


def test_an_upload_may_hold_configurations_and_documentation() -> None:
    paths = ["src/cf/Configuration.xml", "src/cf/Catalogs/А.xml", "docs/а.md"]
    assert find_roots(iter(paths)) == [
        Root("src/cf/", RootKind.CONFIGURATION),
        Root("", RootKind.DOCUMENTATION, "documentation"),
    ]


def test_pages_inside_a_configuration_are_no_documentation() -> None:
    assert find_roots(["cf/Configuration.xml", "cf/README.md"]) == [Root("cf/", RootKind.CONFIGURATION)]
    assert find_roots(["Configuration.xml", "README.md"]) == [Root("", RootKind.CONFIGURATION)]


def test_documentation_alone_has_no_key() -> None:
    assert find_roots(["а.md", "б/в.md", "г.png"]) == [Root("", RootKind.DOCUMENTATION)]


def test_an_upload_of_unknown_things_has_no_roots() -> None:
    assert find_roots([]) == []
    assert find_roots(["а.png", "Configuration.mdo"]) == []


def test_files_that_nobody_reads_have_no_format() -> None:
    assert format_of("configuration", "README.md") is None
    assert format_of("documentation", "Catalogs/А.xml") is None
    assert format_of("unknown", "а.md") is None


@pytest.mark.parametrize("kind", FORMATS)
def test_a_pointer_of_git_lfs_is_never_read_as_the_file(kind: str) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    for row in FORMATS[kind]:
        with pytest.raises(PermanentError, match="Git LFS"):
            row.read("а", pointer)
