import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of


def test_names_are_read_without_their_namespaces_and_comments_are_dropped() -> None:
    root = parse_xml(b'\xef\xbb\xbf<a xmlns="u"><!-- c --><?p i?><b> x </b><v:b xmlns:v="w">y</v:b></a>', "a.xml")
    assert local_name(root) == "a"
    assert text_of(by_name(root)["b"]) == "x"
    assert text_of(None) == ""


@pytest.mark.parametrize("data", [b"", b"<a>", b"<a>\n<b></a>", b"text", b"<a/><b/>", b"\xff\xfe<\x00"])
def test_broken_xml_is_a_permanent_error_with_its_line(data: bytes) -> None:
    with pytest.raises(PermanentError, match="not well-formed XML") as raised:
        parse_xml(data, "a.xml")
    assert raised.value.path == "a.xml"
    assert raised.value.place.startswith("line ")


@pytest.mark.parametrize(
    "declaration",
    [
        "<!DOCTYPE a>",
        '<!DOCTYPE a SYSTEM "http://127.0.0.1/none.dtd">',
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_a_doctype_is_refused(declaration: str) -> None:
    with pytest.raises(PermanentError, match="DOCTYPE"):
        parse_xml(f"{declaration}<a>x</a>".encode(), "a.xml")


def test_entities_that_grow_and_trees_without_bottom_are_refused() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    bomb = f'<!DOCTYPE a [<!ENTITY e0 "x">{entities}]><a b="&e9;"/>'
    for data in (bomb.encode(), b"<a>" * 10_000 + b"</a>" * 10_000):
        with pytest.raises(PermanentError):
            parse_xml(data, "a.xml")


def test_a_namespace_that_is_no_uri_is_read() -> None:
    """`http://localhost/Обмен` is usual in 1C; what else is wrong stays wrong."""
    root = parse_xml('<a xmlns="http://localhost/Обмен" xmlns:б="ж"><б:в>1</б:в></a>'.encode(), "а.xml")
    assert [local_name(element) for element in root.iter()] == ["a", "в"]
    with pytest.raises(PermanentError, match="not well-formed XML"):
        parse_xml('<a xmlns="http://localhost/Обмен"><в></a>'.encode(), "а.xml")
