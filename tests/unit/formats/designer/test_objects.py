import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.objects import read_object
from onec_rag.model.metadata import FIELD_KINDS, KINDS, Kind, MetadataObject, walk_fields


def descriptor(kind: str, name: str, children: str = "", namespace: str = "http://v8.1c.ru/8.3/MDClasses") -> bytes:
    return (
        f'<MetaDataObject xmlns="{namespace}" version="9.99"><{kind} uuid="0"><ChildObjects>{children}</ChildObjects>'
        f"<Properties><Comment/><Name>{name}</Name></Properties></{kind}></MetaDataObject>"
    ).encode()


def read(path: str, data: bytes) -> MetadataObject:
    document = read_object(path, data)
    assert document is not None
    assert isinstance(document.content, MetadataObject)
    return document.content


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.plural], ids=lambda kind: kind.name)
def test_one_reader_reads_every_kind_whatever_the_order_and_version(kind: Kind) -> None:
    found = read(f"{kind.plural}/Имя.xml", descriptor(kind.name, "Имя"))
    assert (found.kind, found.name, found.fqn, found.title) == (kind.name, "Имя", f"{kind.ru}.Имя", "Имя")


@pytest.mark.parametrize("kind", [kind for kind in FIELD_KINDS if kind != "StandardAttribute"])
def test_fields_of_every_kind_are_read_with_what_they_own(kind: str) -> None:
    inner = f"<{kind}><Properties><Name>Б</Name></Properties></{kind}>"
    outer = f"<{kind}><ChildObjects>{inner}</ChildObjects><Properties><Name>А</Name></Properties></{kind}>"
    owner = read("Catalogs/Имя.xml", descriptor("Catalog", "Имя", outer))
    word = FIELD_KINDS[kind]
    assert [fqn for fqn, _ in walk_fields(owner)] == [f"Справочник.Имя.{word}.А", f"Справочник.Имя.{word}.А.{word}.Б"]


def test_children_without_a_name_or_of_an_unknown_kind_are_passed_over() -> None:
    children = (
        "<Attribute><Properties><Name> </Name></Properties></Attribute>"
        "<Novelty><Properties><Name>А</Name></Properties></Novelty>"
        "<Form>Ф</Form><Form>Г</Form><Template>М</Template>"
    )
    owner = read("Catalogs/Имя.xml", descriptor("Catalog", "Имя", children))
    assert (owner.fields, owner.forms, owner.templates) == ((), ("Ф", "Г"), ("М",))


@pytest.mark.parametrize("data", [b"<Help/>", b'<Rights xmlns="http://v8.1c.ru/8.2/roles"/>', b"<MetaDataObject/>"])
def test_xml_that_describes_no_object_gives_none_and_no_error(data: bytes) -> None:
    assert read_object("Catalogs/Имя.xml", data) is None


def test_a_descriptor_without_a_name_is_named_as_broken() -> None:
    with pytest.raises(PermanentError, match="no name") as raised:
        read_object("Catalogs/Имя.xml", descriptor("Catalog", ""))
    assert (raised.value.path, raised.value.place) == ("Catalogs/Имя.xml", "line 1")


def test_a_descriptor_of_another_kind_than_its_folder_is_named_as_broken() -> None:
    with pytest.raises(PermanentError, match="Catalog expected, Document found"):
        read_object("Catalogs/Имя.xml", descriptor("Document", "Имя"))


def test_standard_attributes_are_read_only_where_they_were_renamed() -> None:
    data = (
        "<MetaDataObject><Document><Properties><Name>Имя</Name><StandardAttributes>"
        '<StandardAttribute name="Posted"><Synonym/></StandardAttribute>'
        '<StandardAttribute name="Number"><Synonym><item><lang>ru</lang><content>№ акта</content></item></Synonym>'
        "</StandardAttribute></StandardAttributes></Properties></Document></MetaDataObject>"
    )
    owner = read("Documents/Имя.xml", data.encode())
    assert [(fqn, item.synonyms) for fqn, item in walk_fields(owner)] == [
        ("Документ.Имя.СтандартныйРеквизит.Номер", {"ru": "№ акта"})
    ]
