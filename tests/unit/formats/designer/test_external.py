from onec_rag.formats.designer.external import external_place_of
from onec_rag.formats.place import Place, Role


def test_an_external_file_lies_beside_its_folder() -> None:
    place_of = external_place_of("ExternalReport")
    owner = "ВнешнийОтчет.Выручка"
    assert place_of("Выручка.xml") == Place(Role.OBJECT, owner, "ExternalReport", owner)
    assert place_of("Выручка/Ext/ObjectModule.bsl") == Place(
        Role.MODULE, owner, "ObjectModule", f"{owner}.МодульОбъекта"
    )
    assert place_of("Выручка/Forms/Форма.xml") == Place(Role.CHILD, owner, "ExternalReport", f"{owner}.Форма.Форма")
    assert place_of("а/Выручка.xml") is None
