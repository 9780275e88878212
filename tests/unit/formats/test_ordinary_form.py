import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError, ProtectedError
from onec_rag.formats.ordinary_form import read_ordinary_form
from onec_rag.formats.place import Place, Role
from onec_rag.model.code import Module
from onec_rag.model.document import Document, DocumentKind
from unit.formats.container_builder import container, ordinary_form

PATH = "DataProcessors/Улей/Forms/Форма/Ext/Form.bin"
FORM = "Обработка.Улей.Форма.Форма"
PLACE = Place(Role.ORDINARY_FORM, FORM, "FormModule", f"{FORM}.Модуль")


def read(data: bytes) -> Document | None:
    return read_ordinary_form(PLACE, PATH, data)


def test_the_module_of_an_ordinary_form_is_read_as_that_of_any_form() -> None:
    document = read(
        ordinary_form("Процедура ПриОткрытии() Экспорт\r\n\tМёд = 1;\r\nКонецПроцедуры\r\n".encode("utf-8-sig"))
    )
    assert document is not None
    assert (document.kind, document.fqn, document.path) == (DocumentKind.MODULE, f"{FORM}.Модуль", PATH)
    assert isinstance(document.content, Module)
    assert document.content.kind == "FormModule"
    assert [procedure.name for procedure in document.content.procedures] == ["ПриОткрытии"]


@pytest.mark.parametrize("module", [None, b"", b"\xef\xbb\xbf", b"\r\n"])
def test_a_form_without_code_is_none(module: bytes | None) -> None:
    assert read(ordinary_form(module)) is None


def test_a_protected_module_inside_is_protected() -> None:
    closed = container({"image": b"{1}", "info": b'{3,3,1,"",1000}', "text": b"\xb5\xd9"})
    with pytest.raises(ProtectedError):
        read(ordinary_form(closed))


def test_what_is_no_container_is_an_error_with_its_path() -> None:
    with pytest.raises(PermanentError, match="not a container") as raised:
        read("Процедура А()".encode())
    assert raised.value.path == PATH


@given(st.binary() | st.binary().map(ordinary_form))
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(data: bytes) -> None:
    try:
        document = read(data)
    except PermanentError:
        return
    assert document is None or document.title
