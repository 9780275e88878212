import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.container import Container, binary_refusal
from unit.formats.container_builder import (
    HEADER,
    NOWHERE,
    behind_stub,
    block,
    container,
    page_header,
)

ELEMENTS: dict[str, bytes | None] = {"Книга": b"1" * 300, "ещё": b"", "без тела": None, "й": bytes(range(256)) * 4}
TABLE = len(HEADER[32])


def opened(data: bytes) -> Container:
    return Container(lambda offset, length: data[offset : offset + length], len(data), "улей.bin")


def with_table(records: bytes, rest: bytes = b"") -> bytes:
    return HEADER[32] + block(records, TABLE) + rest


def one_element(head: int, body: int) -> bytes:
    return struct.pack("<3I", head, body, NOWHERE[32])


@pytest.mark.parametrize("page", [0, 64, 512])
@pytest.mark.parametrize("bits", [32, 64])
def test_elements_are_read_by_name_from_chains_of_pages(bits: int, page: int) -> None:
    found = opened(container(ELEMENTS, page=page, bits=bits))
    assert found.bits == bits
    assert found.elements() == tuple(ELEMENTS)
    assert {name: found.read(name) for name in ELEMENTS} == {name: data or b"" for name, data in ELEMENTS.items()}


def test_b13_a_configuration_of_64_bits_is_told_from_the_stub_before_it() -> None:
    """Read as 32-bit, it holds nothing but root, version and versions."""
    found = opened(behind_stub(container(ELEMENTS, page=64, bits=64)))
    assert (found.bits, found.elements()) == (64, tuple(ELEMENTS))
    assert found.read("й") == ELEMENTS["й"]


def test_b13_a_container_of_32_bits_is_not_read_as_64() -> None:
    found = opened(container({"длинный": b"\xff" * 20_000}))
    assert (found.bits, found.read("длинный")) == (32, b"\xff" * 20_000)


def test_numbers_may_be_in_upper_case_and_addresses_unordered() -> None:
    body = page_header(0xAB, 0xAB, NOWHERE[32]).upper() + b"x" * 0xAB
    begin = len(with_table(bytes(12)))
    head = block(bytes(20) + "имя".encode("utf-16-le") + bytes(4), begin + len(body))
    found = opened(with_table(one_element(begin + len(body), begin), body + head))
    assert found.read("имя") == b"x" * 0xAB


def test_unused_records_of_the_table_are_skipped() -> None:
    spare = struct.pack("<3I", NOWHERE[32], NOWHERE[32], NOWHERE[32]) + bytes(12) + b"tail"
    assert opened(container(ELEMENTS, spare=spare)).elements() == tuple(ELEMENTS)


def test_an_element_is_read_by_ranges() -> None:
    data = container({"большой": bytes(5 << 20), "малый": b"abcdef"}, page=4096)
    taken = []

    def read(offset: int, length: int) -> bytes:
        taken.append(length)
        return data[offset : offset + length]

    element = Container(read, len(data)).open("малый")
    assert element.read(2, 3) == b"cde"
    assert sum(taken) < len(data) // 2


def test_a_range_crosses_the_borders_of_pages() -> None:
    body = bytes(range(256)) * 2
    element = opened(container({"а": body}, page=64)).open("а")
    starts = (0, 63, 64, 200, 500, 600)
    assert [element.read(start, 130) for start in starts] == [body[start : start + 130] for start in starts]


def test_a_name_that_is_not_there_is_told() -> None:
    with pytest.raises(PermanentError, match=r"улей\.bin: the container has no element module"):
        opened(container({})).read("module")


BEGIN = len(with_table(bytes(12)))
NAME = block(bytes(20) + "а".encode("utf-16-le") + bytes(2), BEGIN)
BODY = BEGIN + len(NAME)
ONE = with_table(one_element(BEGIN, BODY), NAME)
FAULTS = {
    "nothing": (b"", "not a container"),
    "another file": (b"PK\3\4" + bytes(100), "not a container"),
    "a header alone": (HEADER[32], "not a container"),
    "a wide header before a narrow table": (HEADER[64] + block(b"", 20), "not a container"),
    "a cut header of the table": (HEADER[32] + page_header(0, 0, 0)[:-1], "not a container"),
    "a block above the file": (ONE + page_header(1 << 30, 64, NOWHERE[32]) + bytes(64), "more than the file has"),
    "a page of no size": (ONE + page_header(64, 0, NOWHERE[32]) + bytes(64), "has no size"),
    "a page that follows itself": (ONE + page_header(99, 64, BODY) + bytes(64), "come back to one another"),
    "a chain that ends early": (ONE + page_header(99, 64, NOWHERE[32]) + bytes(64), "ends before the bytes"),
    "a chain that leaves the file": (ONE + page_header(99, 64, 1 << 20) + bytes(64), "no page begins"),
    "a page in the middle of nothing": (ONE + page_header(99, 64, 3) + bytes(64), "no page begins"),
    "a cut page": (ONE + page_header(64, 64, NOWHERE[32]) + bytes(63), "is truncated"),
    "no body where one is told": (ONE, "no page begins"),
    "numbers that are none": (ONE + page_header(64, 64, 0).replace(b"4", b"z") + bytes(64), "no page begins"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_contradiction_is_one_clear_error(fault: str) -> None:
    data, reason = FAULTS[fault]
    with pytest.raises(PermanentError, match=reason) as raised:
        opened(data).read("а")
    assert raised.value.path == "улей.bin"


def test_elements_that_share_their_pages_without_end_are_refused() -> None:
    records = 3_000
    begin = len(with_table(bytes(12 * records)))
    name = block(bytes(100), begin, page=1)
    with pytest.raises(PermanentError, match="more than the 262144 pages allowed"):
        opened(with_table(one_element(begin, NOWHERE[32]) * records, name))


@pytest.mark.parametrize(
    ("data", "bits"),
    [
        (container(ELEMENTS), "32-bit"),
        (behind_stub(container(ELEMENTS, bits=64)), "64-bit"),
        (container(ELEMENTS, bits=64), "64-bit"),
    ],
)
def test_b13_a_binary_configuration_is_refused_with_the_way_to_export_it(data: bytes, bits: str) -> None:
    refusal = binary_refusal(data[:8192])
    assert bits in refusal
    assert all(way in refusal for way in ("Выгрузить конфигурацию в файлы", "/DumpConfigToFiles", "ibcmd"))
    assert "/DumpExternalDataProcessorOrReportToFiles" in refusal


@pytest.mark.parametrize("head", [b"", b"PK\3\4", "Процедура А()".encode(), b"\xff\xff\xff"])
def test_other_files_are_not_refused_as_binary_configurations(head: bytes) -> None:
    assert not binary_refusal(head)


@given(st.data())
def test_any_bytes_give_elements_or_a_permanent_error(data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from([32, 64]))
    content = bytearray(container(ELEMENTS, page=data.draw(st.sampled_from([0, 16, 64])), bits=bits))
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(content)))
        content[start : start + data.draw(st.integers(0, 40))] = data.draw(
            st.binary(max_size=40) | st.sampled_from([b"\r\n", b"7fffffff", b"00000000", b"00000010", b"0000001f "])
        )
    with suppress(PermanentError):
        found = opened(bytes(content))
        for name in found.elements():
            found.read(name)
