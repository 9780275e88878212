import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.modules import read_module
from onec_rag.formats.place import Place, Role
from onec_rag.model.code import Module

PATH = "Catalogs/Имя/Commands/Печать/Ext/CommandModule.bsl"
COMMAND = "Справочник.Имя.Команда.Печать"
PLACE = Place(Role.MODULE, COMMAND, "CommandModule", f"{COMMAND}.МодульКоманды")


def test_a_module_knows_its_kind_and_its_full_name() -> None:
    document = read_module(PLACE, PATH, "Процедура А()\r\nКонецПроцедуры\r\n".encode("utf-8-sig"))
    assert document is not None
    assert isinstance(document.content, Module)
    assert document.fqn == "Справочник.Имя.Команда.Печать.МодульКоманды"
    assert (document.content.kind, document.content.lines) == ("CommandModule", ("Процедура А()", "КонецПроцедуры"))


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\r\n\t\r\n"])
def test_an_empty_module_is_none(data: bytes) -> None:
    assert read_module(PLACE, PATH, data) is None


def test_a_container_is_protected_whatever_its_name_says() -> None:
    with pytest.raises(PermanentError, match="module is password-protected"):
        read_module(PLACE, PATH, b"\xff\xff\xff\x7f\0\0")
