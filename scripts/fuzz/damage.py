"""Ways to damage a file: its bytes, or where it is XML its tree, so that most of what comes out is well-formed."""

import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Mapping
from copy import deepcopy

from lxml import etree

_TOKENS = (
    b"<", b">", b"/>", b"</", b"]]>", b"<![CDATA[", b"<!--", b"&amp;", b"&#0;", b"&#x10FFFF;", b"<!DOCTYPE a>", b'"',
    b"'", b'""', b"|", b"//", b"#", b"&", b"(", b")", b"{", b"}", b",", b";", b"\0", b"\r", b"\n", b"\n\n", b"\t",
    b"\xff\xfe", b"\xff\xff\xff\x7f", b"\xef\xbb\xbf", b"\xc3", b"\xed\xa0\x80", b"0", b"-1", b"9" * 20, b"7fffffff",
    b"```\n", b"| a | b |\n", b"# ", b"1. ", b"<p>", b"<td>", b"<pre>", b"<!-- ", b"--\n", b"%", b"\\", b"$", b"endobj",
    *(
        text.encode()
        for text in (
            "Процедура А()\n", "КонецПроцедуры\n", "Функция Б(", "#Область В\n", "#КонецОбласти\n", "#Если Г Тогда\n",
            "#Вставка\n", "#КонецУдаления\n", '&Перед("Д")\n', "ВЫБРАТЬ ", " ИЗ Справочник.Е", "СОЕДИНЕНИЕ",
            "Экспорт", "й", "и\u0306", "\u2028", "\u00a0", "\U0001f384",
        )
    ),
)  # fmt: skip
_TAG = re.compile(rb"<[^<>/!?]{1,200}>")
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"0", b"-1", b"1", b"4294967295", b"9" * 5_000, b"", b"1e9")
_TEXTS = (
    "", " ", "0", "-1", "true", "А", "А.Б", "Catalog", "Catalog.А.Attribute.Б", "cfg:CatalogRef.А", "a:b:c", ".", "..",
)  # fmt: skip
_OFTEN = (1, 1, 1, 2, 10, 1_000)
_LONGEST = 2_000_000


def damage(chance: random.Random, data: bytes, other: bytes, longest: int) -> bytes:
    """The file damaged in a few ways, cut to `longest` bytes; pieces of the other file may come in."""
    if (texts := _texts_of(data)) and chance.random() < 0.8:
        name = chance.choice(sorted(texts))
        text = damage(chance, texts[name].encode("utf-8", "replace"), other, longest // 2).decode("utf-8", "replace")
        return json.dumps({**json.loads(data), name: text}, ensure_ascii=False).encode("utf-8", "replace")[:longest]
    if (members := _members_of(data)) and chance.random() < 0.8:
        path = chance.choice(sorted(members))
        return _packed({**members, path: damage(chance, members[path], other, longest)})
    tree = _parsed(data)
    if tree is not None and chance.random() < 0.8:
        foreign = _parsed(other)
        for _ in range(chance.randint(1, 8)):
            _change_tree(chance, tree, tree if foreign is None else foreign)
        data = etree.tostring(tree, encoding="utf-8")
        if chance.random() < 0.9:
            return data[:longest]
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(_DAMAGES)(chance, data or b"\n", other or b"\n")[:longest]
    return data


def _texts_of(data: bytes) -> dict[str, str]:
    """The texts of a JSON object by name, so that one of them can be damaged and the JSON stays sound."""
    if not data.startswith(b"{"):
        return {}
    try:
        parts = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return {name: part for name, part in parts.items() if isinstance(part, str)}


def _members_of(data: bytes) -> dict[str, bytes]:
    """The files of a zip by their path, so that one of them can be damaged and the zip stays sound."""
    if not data.startswith(b"PK\3\4"):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError):
        return {}


def _packed(members: Mapping[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path, data in members.items():
            archive.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)
    return target.getvalue()


# Trees


def _parsed(data: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return None


def _change_tree(chance: random.Random, tree: etree._Element, foreign: etree._Element) -> None:
    """One element removed, repeated, moved, taken from another tree, renamed, wrapped, or given other words."""
    elements = list(tree.iter("*"))
    element, second = chance.choice(elements), chance.choice(elements)
    parent = element.getparent()
    if parent is None:  # the root stays where it is
        element.append(deepcopy(chance.choice(list(foreign.iter("*")))))
        return
    match chance.randrange(9):
        case 0:
            parent.remove(element)
        case 1 if len(element) < 50:
            for _ in range(chance.choice(_OFTEN)):
                parent.append(deepcopy(element))
        case 2 if element not in second.iterancestors() and element is not second:
            second.append(element)
        case 3:
            parent.replace(element, deepcopy(chance.choice(list(foreign.iter("*")))))
        case 4:
            element.tag = chance.choice((second.tag, etree.QName(element).localname, "Unknown"))
        case 5:
            for _ in range(chance.choice((1, 5, 50, 230))):
                wrap = etree.SubElement(element, element.tag)
                element = wrap
            wrap.text = second.text
        case 6:
            element.attrib.clear()
            element.attrib.update(second.attrib)
        case _:
            element.text = chance.choice(
                (second.text, chance.choice(_TEXTS), (element.text or "А") * chance.choice(_OFTEN))
            )


# Bytes


def _span(chance: random.Random, data: bytes) -> tuple[int, int]:
    """A block; short ones are as likely as long ones."""
    start = chance.randint(0, len(data))
    return start, min(len(data), start + 2 ** chance.randint(0, 14))


def _flip_bits(chance: random.Random, data: bytes, _: bytes) -> bytes:
    damaged = bytearray(data)
    for _number in range(chance.randint(1, 16)):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _truncate(chance: random.Random, data: bytes, _: bytes) -> bytes:
    return data[: chance.randrange(len(data))]


def _cut_out(chance: random.Random, data: bytes, _: bytes) -> bytes:
    start, end = _span(chance, data)
    return data[:start] + data[end:]


def _repeat(chance: random.Random, data: bytes, _: bytes) -> bytes:
    start, end = _span(chance, data)
    times = min(chance.choice((*_OFTEN, 100_000)), _LONGEST // max(end - start, 1))
    return data[:end] + data[start:end] * times + data[end:]


def _move(chance: random.Random, data: bytes, _: bytes) -> bytes:
    start, end = _span(chance, data)
    rest = data[:start] + data[end:]
    place = chance.randint(0, len(rest))
    return rest[:place] + data[start:end] + rest[place:]


def _splice(chance: random.Random, data: bytes, other: bytes) -> bytes:
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _insert(chance: random.Random, data: bytes, other: bytes) -> bytes:
    place = chance.randint(0, len(data))
    start, end = _span(chance, other)
    return data[:place] + other[start:end] + data[place:]


def _insert_tokens(chance: random.Random, data: bytes, _: bytes) -> bytes:
    for _number in range(chance.randint(1, 8)):
        place = chance.randint(0, len(data))
        data = data[:place] + chance.choice(_TOKENS) * chance.choice((*_OFTEN, 50_000)) + data[place:]
    return data


def _change_numbers(chance: random.Random, data: bytes, _: bytes) -> bytes:
    return _NUMBER.sub(lambda found: chance.choice(_NUMBERS) if chance.random() < 0.1 else found[0], data)


def _nest(chance: random.Random, data: bytes, _: bytes) -> bytes:
    """A tag or a bracket in itself, very often."""
    tags = _TAG.findall(data)
    tag = chance.choice(tags) if tags and chance.random() < 0.8 else chance.choice((b"{", b"(", b"<a>", b"[", b"> "))
    place = max(data.find(tag), 0)
    return data[:place] + tag * chance.choice((50, 300, 5_000, 100_000)) + data[place:]


def _change_encoding(chance: random.Random, data: bytes, _: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "utf-16-be", "utf-32", "cp1251", "koi8-r")), "replace")


_DAMAGES = (
    _flip_bits, _truncate, _cut_out, _repeat, _move, _splice, _insert, _insert_tokens, _change_numbers, _nest,
    _change_encoding,
)  # fmt: skip
