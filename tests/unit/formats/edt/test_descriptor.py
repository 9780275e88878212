from lxml import etree

from onec_rag.formats.designer.objects import object_of
from onec_rag.formats.edt.descriptor import descriptor_of
from onec_rag.model.metadata import Field, Link, MetadataObject


def described(kind: str, xml: str) -> MetadataObject:
    element = etree.fromstring(f'<o xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><name>Ёлки</name>{xml}</o>')
    return object_of(descriptor_of(kind, element), "О")


def test_defaults_that_the_project_omits_are_filled_in() -> None:
    document = described("Document", "<numberType>String</numberType><posting>Deny</posting>")
    assert document.properties == {
        "ПериодичностьНомера": "Непериодический",
        "Проведение": "Запретить",
        "ОперативноеПроведение": "Разрешить",
    }


def test_a_method_without_a_verb_is_get() -> None:
    service = described(
        "HTTPService",
        "<urlTemplates><name>Цены</name><template>/prices</template><methods><name>Взять</name></methods>"
        "<methods><name>Дать</name><httpMethod>POST</httpMethod></methods></urlTemplates>",
    )
    (template,) = service.fields
    assert [(method.name, method.properties["HTTPМетод"]) for method in template.fields] == [
        ("Взять", "GET"),
        ("Дать", "POST"),
    ]


def test_a_default_may_depend_on_whose_child_it_is_of() -> None:
    dimension = "<dimensions><name>Ёлка</name></dimensions>"
    assert described("AccumulationRegister", dimension).fields[0].properties == {"ИспользованиеВИтогах": "Нет"}
    assert described("InformationRegister", dimension).fields[0].properties == {}


def test_children_of_children_and_commands() -> None:
    catalog = described(
        "Catalog",
        "<tabularSections><name>Состав</name><attributes><name>Ветка</name><type><types>Boolean</types></type>"
        "</attributes></tabularSections><commands><name>Печать</name></commands>",
    )
    assert catalog.fields == (
        Field("TabularSection", "Состав", fields=(Field("Attribute", "Ветка", types=("Булево",)),)),
        Field("Command", "Печать"),
    )


def test_forms_and_templates_are_named_and_described() -> None:
    catalog = described(
        "Catalog",
        "<forms><name>Ф</name><synonym><key>ru</key><value>Форма ёлки</value></synonym></forms>"
        "<templates><name>М</name><templateType>TextDocument</templateType></templates>",
    )
    assert (catalog.forms, catalog.templates) == (("Ф",), ("М",))
    assert catalog.fields == (
        Field("Form", "Ф", {"ru": "Форма ёлки"}, properties={"ТипФормы": "Управляемая"}),
        Field("Template", "М", properties={"ТипМакета": "ТекстовыйДокумент"}),
    )


def test_nested_subsystems_are_named() -> None:
    subsystem = described("Subsystem", "<content>Catalog.А</content><subsystems>Розница</subsystems>")
    assert subsystem.links == (Link("состав", "Справочник.А"), Link("состав", "О.Подсистема.Розница"))


def test_what_a_configuration_consists_of_is_no_property_of_it() -> None:
    configuration = described(
        "Configuration",
        "<compatibilityMode>8.3.24</compatibilityMode><documents>Document.А</documents>"
        "<xDTOPackages>XDTOPackage.П</xDTOPackages><httpServices>HTTPService.С</httpServices>",
    )
    assert configuration.links == ()
    assert configuration.properties["РежимСовместимости"] == "8.3.24"


def test_an_object_of_a_common_attribute_is_in_it_by_itself_where_nothing_is_said() -> None:
    content = (
        "<content><metadata>Catalog.А</metadata></content>"
        "<content><metadata>Catalog.Б</metadata><use>DontUse</use></content>"
    )
    assert described("CommonAttribute", content).links == (Link("состав", "Справочник.А"),)
    assert described("CommonAttribute", f"<autoUse>DontUse</autoUse>{content}").links == ()


class TestAdoptedByAnExtension:
    def test_copies_of_properties_are_left_out_but_for_those_that_the_extension_controls(self) -> None:
        catalog = described(
            "Catalog",
            "<objectBelonging>Adopted</objectBelonging><extension><codeLength>Checked</codeLength>"
            "<codeType>Checked</codeType></extension><codeLength>9</codeLength><descriptionLength>25</descriptionLength>",
        )
        assert catalog.properties == {
            "ДлинаКода": "9",
            "ТипКода": "Число",
            "ПринадлежностьОбъекта": "Заимствованный",
        }

    def test_defaults_of_what_it_does_not_control_are_not_filled_in(self) -> None:
        document = described("Document", "<objectBelonging>Adopted</objectBelonging>")
        assert document.properties == {"ПринадлежностьОбъекта": "Заимствованный"}

    def test_own_children_are_read_as_any(self) -> None:
        catalog = described(
            "Catalog",
            "<objectBelonging>Adopted</objectBelonging><attributes><name>Новый</name><indexing>Index</indexing>"
            "</attributes><attributes><name>Чужой</name><objectBelonging>Adopted</objectBelonging></attributes>",
        )
        assert [field.properties for field in catalog.fields] == [
            {"Индексирование": "Индексировать"},
            {"ПринадлежностьОбъекта": "Заимствованный"},
        ]

    def test_a_widened_type_stands_in_the_extension(self) -> None:
        catalog = described(
            "Catalog",
            "<attributes><name>Вид</name><objectBelonging>Adopted</objectBelonging><extension><type>Checked</type>"
            "<typeExtension><types><state>Checked</state><type>EnumRef.Виды</type></types>"
            "<types><state>Added</state><type>String</type></types>"
            "<stringQualifiers><length>15</length></stringQualifiers></typeExtension></extension><type/></attributes>",
        )
        assert catalog.fields[0].types == ("ПеречислениеСсылка.Виды", "Строка(15)")
        assert catalog.fields[0].properties["РасширенныеСвойства"] == "Тип"

    def test_what_it_changes_is_said_and_what_it_only_controls_is_not(self) -> None:
        catalog = described(
            "Catalog",
            "<objectBelonging>Adopted</objectBelonging><extension><objectModule>Extended</objectModule>"
            "<hierarchical>Checked</hierarchical></extension>",
        )
        assert catalog.properties == {
            "ПринадлежностьОбъекта": "Заимствованный",
            "РасширенныеСвойства": "МодульОбъекта",
        }
