import pytest

from onec_rag.errors import PermanentError
from onec_rag.formats.encoding import decode_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_text_is_read_in_every_encoding_that_people_use(encoding: str) -> None:
    assert decode_text("Ёлка й\r\n".encode(encoding), "a.md") == "Ёлка й\r\n"


def test_both_byte_orders_of_utf_16_are_read() -> None:
    assert decode_text("\ufeffЁ".encode("utf-16-be"), "a") == decode_text("\ufeffЁ".encode("utf-16-le"), "a") == "Ё"


@pytest.mark.parametrize(
    ("data", "place"),
    [("\ufeffа\0".encode("utf-16-le"), "byte 4"), (b"\xff\xfe\0", "byte 2"), (b"\xff\xfe\0\xd8", "byte 2")],
)
def test_a_mark_of_utf_16_makes_no_text_of_binary_data(data: bytes, place: str) -> None:
    with pytest.raises(PermanentError, match="binary data") as raised:
        decode_text(data, "a.txt")
    assert (raised.value.path, raised.value.place) == ("a.txt", place)


def test_binary_data_is_named_with_its_path_and_place() -> None:
    with pytest.raises(PermanentError, match="binary data") as raised:
        decode_text(b"MZ\0\0", "a.md")
    assert (raised.value.path, raised.value.place) == ("a.md", "byte 2")


def test_bytes_that_no_encoding_knows_are_a_permanent_error() -> None:
    with pytest.raises(PermanentError, match="neither UTF-8 nor Windows-1251") as raised:
        decode_text(b"\xff\x98", "a.md")
    assert raised.value.place == "byte 1"
