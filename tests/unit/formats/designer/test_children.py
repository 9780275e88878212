import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.children import read_child
from onec_rag.model.metadata import walk_fields
from unit.formats.designer.parts import read_document, read_part


def descriptor(kind: str, properties: str, children: str = "") -> str:
    return (
        f"<MetaDataObject><{kind}><Properties>{properties}</Properties><ChildObjects>{children}</ChildObjects></{kind}>"
        "</MetaDataObject>"
    )


@pytest.mark.parametrize(
    ("path", "xml", "owner", "child", "facts"),
    [
        (
            "Catalogs/К/Forms/Ф.xml",
            descriptor("Form", "<Name>Ф</Name><FormType>Managed</FormType>"),
            "Справочник.К",
            "Справочник.К.Форма.Ф",
            {"ТипФормы": "Управляемая"},
        ),
        (
            "Reports/О/Templates/М.xml",
            descriptor("Template", "<Name>М</Name><TemplateType>DataCompositionSchema</TemplateType>"),
            "Отчет.О",
            "Отчет.О.Макет.М",
            {"ТипМакета": "СхемаКомпоновкиДанных"},
        ),
        (
            "ExternalDataSources/И/Tables/Т/Forms/Ф.xml",
            descriptor("Form", "<Name>Ф</Name><ObjectBelonging>Adopted</ObjectBelonging>"),
            "ВнешнийИсточникДанных.И.Таблица.Т",
            "ВнешнийИсточникДанных.И.Таблица.Т.Форма.Ф",
            {"ПринадлежностьОбъекта": "Заимствованный"},
        ),
    ],
)
def test_a_descriptor_is_a_part_of_its_owner_with_one_field(
    path: str, xml: str, owner: str, child: str, facts: dict[str, str]
) -> None:
    part = read_part(read_child, path, xml)
    assert (part.fqn, part.name) == (owner, owner.rpartition(".")[2])
    assert [(fqn, item.properties) for fqn, item in walk_fields(part)] == [(child, facts)]


def test_the_document_has_the_name_of_the_child_and_its_synonym_for_a_title() -> None:
    synonym = "<Synonym><item><lang>ru</lang><content>Ёлочная форма</content></item></Synonym>"
    document = read_document(read_child, "Catalogs/К/Forms/Ф.xml", descriptor("Form", f"<Name>Ф</Name>{synonym}"))
    assert document is not None
    assert (document.fqn, document.title) == ("Справочник.К.Форма.Ф", "Ёлочная форма")


def test_a_table_of_an_external_source_comes_with_its_fields() -> None:
    field = "<Field><Properties><Name>Ключ</Name><NameInDataSource>id</NameInDataSource></Properties></Field>"
    part = read_part(
        read_child,
        "ExternalDataSources/И/Tables/Т.xml",
        descriptor("Table", "<Name>Т</Name>", f"{field}<Form>Ф</Form>"),
    )
    assert [(fqn, item.properties) for fqn, item in walk_fields(part)] == [
        ("ВнешнийИсточникДанных.И.Таблица.Т", {}),
        ("ВнешнийИсточникДанных.И.Таблица.Т.Поле.Ключ", {"ИмяВИсточникеДанных": "id"}),
    ]


def test_a_descriptor_that_contradicts_its_place_or_has_no_name_is_broken() -> None:
    with pytest.raises(PermanentError, match="Форма expected, Template found"):
        read_document(read_child, "Catalogs/К/Forms/Ф.xml", descriptor("Template", "<Name>Ф</Name>"))
    with pytest.raises(PermanentError, match="no name"):
        read_document(read_child, "Catalogs/К/Forms/Ф.xml", descriptor("Form", "<Name/>"))


@pytest.mark.parametrize("xml", ["<Form/>", "<MetaDataObject/>"])
def test_xml_that_describes_nothing_is_passed_over(xml: str) -> None:
    assert read_document(read_child, "Catalogs/К/Forms/Ф.xml", xml) is None
