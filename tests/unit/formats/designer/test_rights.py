import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.rights import read_rights
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.rights import ObjectRights, Restriction, Rights

PATH = "Roles/Продавец/Ext/Rights.xml"


def document(body: str | bytes) -> Document | None:
    data = body if isinstance(body, bytes) else f'<Rights xmlns="http://v8.1c.ru/8.2/roles">{body}</Rights>'.encode()
    place = place_of(PATH)
    assert place is not None
    return read_rights(place, PATH, data)


def rights(body: str) -> Rights:
    found = document(body)
    assert found is not None
    assert (found.kind, found.fqn, found.title) == (DocumentKind.RIGHTS, "Роль.Продавец", "Продавец")
    assert isinstance(found.content, Rights)
    return found.content


def right(name: str, value: str = "true", inner: str = "") -> str:
    return f"<right><name>{name}</name><value>{value}</value>{inner}</right>"


def entry(name: str, *parts: str) -> str:
    return f"<object><name>{name}</name>{''.join(parts)}</object>"


def restriction(condition: str, *fields: str) -> str:
    named = "".join(f"<field>{name}</field>" for name in fields)
    return f"<restrictionByCondition>{named}<condition>{condition}</condition></restrictionByCondition>"


def test_rights_are_named_in_russian_and_unknown_ones_as_the_file_names_them() -> None:
    body = entry("Catalog.Ёлки", right("Read"), right("InteractiveDelete", "false"), right("SparkleWithLights"))
    assert rights(body).objects == (
        ObjectRights("Справочник.Ёлки", ("Чтение", "SparkleWithLights"), ("ИнтерактивноеУдаление",)),
    )


@pytest.mark.parametrize(
    ("name", "fqn"),
    [
        ("Configuration.ЁлочныйБазар", "Конфигурация"),
        ("Catalog.Ёлки.Attribute.Цвет", "Справочник.Ёлки.Реквизит.Цвет"),
        ("Catalog.Ёлки.StandardAttribute.Description", "Справочник.Ёлки.СтандартныйРеквизит.Наименование"),
        ("Subsystem.А.Subsystem.Б", "Подсистема.А.Подсистема.Б"),
        ("HTTPService.С.URLTemplate.Ш.Method.М", "HTTPСервис.С.ШаблонURL.Ш.Метод.М"),
        ("Novelty.Новое", "Novelty.Новое"),
    ],
)
def test_objects_are_called_by_their_canonical_names(name: str, fqn: str) -> None:
    assert [item.fqn for item in rights(entry(name, right("View"))).objects] == [fqn]


def test_fields_and_restrictions_repeat_in_one_right() -> None:
    """Case B5: other readers gave the whole file up."""
    conditions = restriction("ГДЕ А", "Цвет", "Размер") + restriction("ГДЕ Б") + restriction("ГДЕ Б") + restriction("")
    (item,) = rights(entry("Catalog.Ёлки", right("Read", inner=conditions), right("Update"))).objects
    assert item.granted == ("Чтение", "Изменение")
    assert item.restrictions == (Restriction("Чтение", "ГДЕ А", ("Цвет", "Размер")), Restriction("Чтение", "ГДЕ Б"))


def test_an_unknown_element_is_passed_over_with_all_that_is_in_it() -> None:
    """Case B5: what followed it was read at the wrong depth."""
    inner = f"<name>Чужое</name><value>false</value>{right('Delete')}{entry('Catalog.А')}"
    unknown = f"<novelty>{inner}</novelty>"
    body = unknown + entry("Catalog.Ёлки", unknown, right("Read", inner=unknown), right("View")) + unknown
    assert rights(body).objects == (ObjectRights("Справочник.Ёлки", ("Чтение", "Просмотр")),)


def test_two_names_in_one_right_are_both_kept() -> None:
    """Case B42: dumps that were merged by hand."""
    body = entry("Catalog.Ёлки", "<right><name>Read</name><name>View</name><value>true</value></right>")
    assert rights(body).objects == (ObjectRights("Справочник.Ёлки", ("Чтение", "Просмотр")),)


def test_an_object_that_stands_twice_is_one_with_the_rights_of_both() -> None:
    """Case B42."""
    body = (
        entry("Catalog.Ёлки", right("Read"))
        + entry("Catalog.Шары")
        + entry("Catalog.Ёлки", right("Read"), right("View"))
    )
    assert rights(body).objects == (
        ObjectRights("Справочник.Ёлки", ("Чтение", "Просмотр")),
        ObjectRights("Справочник.Шары"),
    )


def test_what_has_no_name_gives_nothing() -> None:
    body = entry("", right("Read")) + entry("Catalog.Ёлки", right(""), "<right/>")
    assert rights(body).objects == (ObjectRights("Справочник.Ёлки"),)


def test_templates_and_switches_are_read() -> None:
    template = (
        "<restrictionTemplate><name>Свои(Поле)</name><condition>ГДЕ #Параметр(1)\r\n</condition></restrictionTemplate>"
    )
    switches = "<setForNewObjects>true</setForNewObjects><setForAttributesByDefault>true</setForAttributesByDefault>"
    assert rights(
        switches + template + "<independentRightsOfChildObjects>true</independentRightsOfChildObjects>"
    ) == Rights(
        templates={"Свои(Поле)": "ГДЕ #Параметр(1)"},
        for_new_objects=True,
        for_attributes_by_default=True,
        independent_child_rights=True,
    )


@pytest.mark.parametrize("data", [b"<Rights/>", b"<Help/>", b"<MetaDataObject><Rights/></MetaDataObject>"])
def test_xml_without_rights_gives_none_and_no_error(data: bytes) -> None:
    """Case B3: a file is what its root says."""
    assert document(data) is None


def test_a_file_that_breaks_off_is_refused_with_its_place() -> None:
    with pytest.raises(PermanentError) as caught:
        document(b"<Rights>\n<object>")
    assert (caught.value.path, caught.value.place) == (PATH, "line 2")


TAGS = [
    *("object", "right", "name", "value", "restrictionByCondition", "field", "condition", "restrictionTemplate"),
    "novelty",
]
XML = st.recursive(
    st.sampled_from(["", "true", "Read", "Catalog.А", "..", "CommonModule"]),
    lambda inner: st.builds("<{0}>{1}</{0}>".format, st.sampled_from(TAGS), st.lists(inner, max_size=4).map("".join)),
)


@given(st.one_of(st.binary(), XML.map(lambda text: f"<Rights>{text}</Rights>".encode())))
@settings(deadline=None)
def test_any_bytes_give_rights_or_nothing_or_a_permanent_error(data: bytes) -> None:
    try:
        found = document(data)
    except PermanentError:
        return
    assert found is None or (isinstance(found.content, Rights) and all(item.fqn for item in found.content.objects))
