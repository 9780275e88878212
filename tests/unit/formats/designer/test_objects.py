import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.designer import objects
from onec_rag.formats.designer.paths import place_of
from onec_rag.model.document import Document
from onec_rag.model.metadata import FIELD_KINDS, KINDS, Kind, MetadataObject, walk_fields


def descriptor(kind: str, name: str, children: str = "", namespace: str = "http://v8.1c.ru/8.3/MDClasses") -> bytes:
    return (
        f'<MetaDataObject xmlns="{namespace}" version="9.99"><{kind} uuid="0"><ChildObjects>{children}</ChildObjects>'
        f"<Properties><Comment/><Name>{name}</Name></Properties></{kind}></MetaDataObject>"
    ).encode()


def read_object(path: str, data: bytes) -> Document | None:
    place = place_of(path)
    assert place is not None
    return objects.read_object(place, path, data)


def read(path: str, data: bytes) -> MetadataObject:
    document = read_object(path, data)
    assert document is not None
    assert isinstance(document.content, MetadataObject)
    return document.content


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.plural], ids=lambda kind: kind.name)
def test_one_reader_reads_every_kind_whatever_the_order_and_version(kind: Kind) -> None:
    found = read(f"{kind.plural}/Имя.xml", descriptor(kind.name, "Имя"))
    assert (found.kind, found.name, found.fqn, found.title) == (kind.name, "Имя", f"{kind.ru}.Имя", "Имя")


@pytest.mark.parametrize("kind", [kind for kind in FIELD_KINDS if kind not in ("StandardAttribute", "PredefinedItem")])
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


LANGUAGE = "<item><lang>{}</lang><content>{}</content></item>"


def test_standard_attributes_are_read_only_where_somebody_described_them() -> None:
    data = (
        "<MetaDataObject><Document><Properties><Name>Имя</Name><StandardAttributes>"
        '<StandardAttribute name="Posted"><Synonym/><ToolTip/><Comment/></StandardAttribute>'
        f'<StandardAttribute name="Number"><Synonym>{LANGUAGE.format("ru", "№ акта")}</Synonym></StandardAttribute>'
        f'<StandardAttribute name="Date"><ToolTip>{LANGUAGE.format("ru", "День сделки")}</ToolTip></StandardAttribute>'
        f"<StandardAttribute><Synonym>{LANGUAGE.format('ru', 'Ничей')}</Synonym></StandardAttribute>"
        "</StandardAttributes></Properties></Document></MetaDataObject>"
    )
    owner = read("Documents/Имя.xml", data.encode())
    assert [(fqn, item.synonyms, item.tooltip) for fqn, item in walk_fields(owner)] == [
        ("Документ.Имя.СтандартныйРеквизит.Номер", {"ru": "№ акта"}, ""),
        ("Документ.Имя.СтандартныйРеквизит.Дата", {}, "День сделки"),
    ]


@pytest.mark.parametrize(("language", "found"), [("ru", ["Аналитика"]), ("", [])])
def test_standard_tables_are_read_where_their_synonym_is_not_the_platforms_own(language: str, found: list[str]) -> None:
    data = (
        "<MetaDataObject><ChartOfAccounts><Properties><Name>Имя</Name><StandardTabularSections>"
        f'<StandardTabularSection name="ExtDimensionTypes"><Synonym>{LANGUAGE.format(language, "Аналитика")}</Synonym>'
        '<StandardAttributes><StandardAttribute name="TurnoversOnly"><Synonym/></StandardAttribute>'
        "</StandardAttributes>"
        "</StandardTabularSection></StandardTabularSections></Properties></ChartOfAccounts></MetaDataObject>"
    )
    owner = read("ChartsOfAccounts/Имя.xml", data.encode())
    assert [(item.name, item.synonyms) for item in owner.fields] == [("ВидыСубконто", {"ru": title}) for title in found]


ADOPTED = (
    "<MetaDataObject><Catalog><InternalInfo>"
    "<PropertyState><Property>ObjectModule</Property><State>Extended</State></PropertyState>"
    "<PropertyState><Property>Novelty</Property><State>Extended</State></PropertyState>"
    "<PropertyState><Property>CodeLength</Property><State>Notify</State></PropertyState></InternalInfo><Properties>"
    "{}<ExtendedConfigurationObject>579baaa4-6493-4d99-8744-6399757295c7</ExtendedConfigurationObject></Properties>"
    "<ChildObjects><Attribute><InternalInfo><PropertyState><Property>Type</Property><State>MultiState</State>"
    "</PropertyState></InternalInfo><Properties><Name>Цена</Name><ObjectBelonging>Adopted</ObjectBelonging><Type>"
    "<CheckValue><Type>xs:string</Type><StringQualifiers><Length>10</Length></StringQualifiers></CheckValue>"
    "<ExtendValue><Type>xs:string</Type><Type>xs:boolean</Type><StringQualifiers><Length>60</Length>"
    "</StringQualifiers></ExtendValue></Type></Properties></Attribute>"
    "<Attribute><Properties><Name>Рсш_Своя</Name></Properties></Attribute></ChildObjects></Catalog></MetaDataObject>"
)


@pytest.mark.parametrize(
    "properties",
    [
        "<Name>Игрушки</Name><ObjectBelonging>Adopted</ObjectBelonging>",
        "<ObjectBelonging>Adopted</ObjectBelonging><Comment/><Name>Игрушки</Name>",
    ],
    ids=["name first", "belonging first"],
)
def test_an_adopted_object_and_its_adopted_fields_tell_so_and_what_was_extended(properties: str) -> None:
    owner = read("Catalogs/Игрушки.xml", ADOPTED.format(properties).encode())
    adopted, own = owner.fields
    assert owner.properties == {
        "ПринадлежностьОбъекта": "Заимствованный",
        "РасширенныеСвойства": "МодульОбъекта, Novelty",
        "КонтролируемыеСвойства": "CodeLength",
    }
    assert adopted.properties == {"ПринадлежностьОбъекта": "Заимствованный", "РасширенныеСвойства": "Тип"}
    assert adopted.types == ("Строка(10)", "Строка(60)", "Булево")
    assert (own.name, own.properties) == ("Рсш_Своя", {})


def test_nesting_that_no_dump_has_is_refused() -> None:
    depth = 100_000
    with pytest.raises(PermanentError, match="depth"):
        read_object("Catalogs/Имя.xml", b"<MetaDataObject>" + b"<Catalog>" * depth)
    deepest = 60  # each level is two elements of the 256 that the parser goes down
    inner = "<TabularSection><Properties><Name>Т</Name></Properties><ChildObjects>{}</ChildObjects></TabularSection>"
    children = ""
    for _ in range(deepest):
        children = inner.format(children)
    assert len(list(walk_fields(read("Catalogs/Имя.xml", descriptor("Catalog", "Имя", children))))) == deepest


def test_two_children_of_one_name_are_both_kept() -> None:
    twice = "<Attribute><Properties><Name>А</Name></Properties></Attribute>" * 2
    assert [item.name for item in read("Catalogs/Имя.xml", descriptor("Catalog", "Имя", twice)).fields] == ["А", "А"]
