import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.package import read_package
from onec_rag.model.metadata import Field, walk_fields
from unit.formats.designer.parts import read_document, read_part

PATH = "XDTOPackages/П/Ext/Package.bin"


def package(inside: str) -> str:
    return f'<package xmlns="http://v8.1c.ru/8.1/xdto" targetNamespace="urn:own">{inside}</package>'


def only_field(inside: str) -> Field:
    (field,) = read_part(read_package, PATH, package(inside)).fields
    return field


def test_types_have_their_properties_and_imports_are_told() -> None:
    part = read_part(
        read_package,
        PATH,
        package(
            '<import namespace="urn:other"/><import namespace="http://v8.1c.ru/8.1/data/core"/>'
            '<valueType name="Код" base="xs:string"/><objectType name="Заказ"><property name="Номер" type="xs:string"/>'
            "</objectType>"
        ),
    )
    assert part.properties == {"Импорт": "urn:other, http://v8.1c.ru/8.1/data/core"}
    assert [(fqn, item.types) for fqn, item in walk_fields(part)] == [
        ("ПакетXDTO.П.ТипЗначения.Код", ("Строка",)),
        ("ПакетXDTO.П.ТипОбъекта.Заказ", ()),
        ("ПакетXDTO.П.ТипОбъекта.Заказ.Свойство.Номер", ("Строка",)),
    ]


@pytest.mark.parametrize(
    ("inside", "types", "facts"),
    [
        ('<property name="А" type="xs:int" lowerBound="0" upperBound="-1"/>', ("int",), {"Кратность": "0..*"}),
        ('<property name="А" lowerBound="1" upperBound="1" form="Element"/>', (), {}),
        (
            '<property name="А" form="Attribute" nillable="true" fixed="1"/>',
            (),
            {"Форма": "Атрибут", "ВозможноПустое": "Да", "Фиксированное": "1"},
        ),
        (
            '<valueType name="А" base="xs:string" maxLength="3"><enumeration>Б</enumeration><enumeration/>'
            "<enumeration>В</enumeration></valueType>",
            ("Строка",),
            {"МаксДлина": "3", "Перечисление": "Б, В"},
        ),
        (
            '<valueType name="А" variety="Union" memberTypes="xs:int xs:date"/>',
            ("int", "date"),
            {"Вариант": "Объединение"},
        ),
        ('<objectType name="А" abstract="true" open="false"/>', (), {"Абстрактный": "Да"}),
        (
            '<property name="А"><typeDef xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ValueType" '
            'base="xs:decimal" totalDigits="5"><pattern>[0-9]+</pattern></typeDef></property>',
            ("Число",),
            {"ВсегоРазрядов": "5", "Образец": "[0-9]+"},
        ),
        ('<property xmlns:d="urn:own" ref="d:А"/>', (), {}),
    ],
)
def test_a_type_or_property_says_what_is_not_the_default(
    inside: str, types: tuple[str, ...], facts: dict[str, str]
) -> None:
    field = only_field(inside)
    assert (field.name, field.types, field.properties) == ("А", types, facts)


def test_properties_of_a_type_defined_in_place_are_those_of_the_property() -> None:
    field = only_field(
        '<property name="А"><typeDef><property name="Б"><typeDef base="xs:string"/></property></typeDef></property>'
    )
    assert [(item.name, item.types) for item in field.fields] == [("Б", ("Строка",))]


@pytest.mark.parametrize(
    ("imported", "namespace", "name"),
    [
        ("urn:other", "urn:other", "Валюта (urn:other)"),
        ("urn:other", "urn:own", "Валюта"),
        ("http://v8.1c.ru/8.1/data/core", "http://v8.1c.ru/8.1/data/core", "Валюта"),
    ],
)
def test_types_of_other_packages_have_their_namespace(imported: str, namespace: str, name: str) -> None:
    part = read_part(
        read_package,
        PATH,
        package(f'<import namespace="{imported}"/><property xmlns:d="{namespace}" name="А" type="d:Валюта"/>'),
    )
    assert part.fields[0].types == (name,)


def test_what_is_no_package_is_passed_over_or_named_as_broken() -> None:
    assert read_document(read_package, PATH, "<Help/>") is None
    assert read_document(read_package, PATH, package("<novelty/><property/>")) is None
    with pytest.raises(PermanentError, match="not well-formed XML"):
        read_document(read_package, PATH, "version https://git-lfs.github.com/spec/v1")
    with pytest.raises(PermanentError, match="depth"):
        read_document(read_package, PATH, package('<property name="А"><typeDef>' * 50_000))
