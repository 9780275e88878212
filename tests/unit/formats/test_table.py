from onec_rag.formats.base import Root, Wave
from onec_rag.formats.table import FORMATS, find_roots, format_of


def test_descriptors_are_loaded_before_what_shows_their_names() -> None:
    waves = {row.name: row.wave for rows in FORMATS.values() for row in rows}
    assert waves == {
        "object": Wave.DESCRIPTORS,
        "module": Wave.CONTENT,
        "help": Wave.CONTENT,
        "markdown": Wave.CONTENT,
    }


def test_an_upload_may_hold_configurations_and_documentation() -> None:
    paths = ["src/cf/Configuration.xml", "src/cf/Catalogs/А.xml", "docs/а.md"]
    assert find_roots(iter(paths)) == [
        Root("src/cf/", "configuration"),
        Root("", "documentation", "documentation"),
    ]


def test_pages_inside_a_configuration_are_no_documentation() -> None:
    assert find_roots(["cf/Configuration.xml", "cf/README.md"]) == [Root("cf/", "configuration")]
    assert find_roots(["Configuration.xml", "README.md"]) == [Root("", "configuration")]


def test_documentation_alone_has_no_key() -> None:
    assert find_roots(["а.md", "б/в.md", "г.png"]) == [Root("", "documentation")]


def test_an_upload_of_unknown_things_has_no_roots() -> None:
    assert find_roots([]) == []
    assert find_roots(["а.txt", "Configuration.mdo"]) == []


def test_files_that_nobody_reads_have_no_format() -> None:
    assert format_of("configuration", "Roles/Р/Ext/Rights.xml") is None
    assert format_of("configuration", "README.md") is None
    assert format_of("documentation", "Catalogs/А.xml") is None
    assert format_of("unknown", "а.md") is None
