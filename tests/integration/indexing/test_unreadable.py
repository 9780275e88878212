"""Files that can't be read among files that can: they are told, everything else is indexed, and the past is kept."""

import unicodedata

import pytest

from integration.configuration import PRICING, Files, configuration, descriptor, zipped
from integration.databases import Dsns
from integration.indexing.rows import visible
from integration.service import Service, service_over
from onec_rag.formats.archive import Limits
from unit.formats.zip_builder import Entry, build

pytestmark = pytest.mark.integration

ROOT = "src/cf/"
MODULE = "CommonModules/Ценообразование/Ext/Module.bsl"
PRICE = "ОбщийМодуль.Ценообразование.ЦенаТовара"
PROTECTED = b"\xff\xff\xff\x7f" + bytes(40)
NFD = unicodedata.normalize("NFD", "Ёлки")


def archive(*more: Entry, encoding: str = "utf-8", flags: int = 1 << 11) -> bytes:
    """The configuration's zip with the names in an encoding, and members that `zipfile` would not write."""
    entries = [
        Entry((ROOT + path).encode(encoding), content if isinstance(content, bytes) else content.encode(), flags)
        for path, content in configuration().items()
    ]
    return build([*entries, *more])


BAD: dict[str, tuple[Files, str, str]] = {
    "broken XML": ({"Catalogs/Битый.xml": "<MetaDataObject><Catalog>"}, "Catalogs/Битый.xml", "XML"),
    "another kind of object": (
        {"Catalogs/Чужой.xml": descriptor("Document", "Чужой")}, "Catalogs/Чужой.xml", "Catalog expected, Document",
    ),
    "a protected module": ({"Catalogs/Товары/Ext/ObjectModule.bin": PROTECTED},
                           "Catalogs/Товары/Ext/ObjectModule.bin", "module is password-protected"),
    "NUL bytes": ({"Catalogs/Товары/Ext/ObjectModule.bsl": b"\0\0\0"},
                  "Catalogs/Товары/Ext/ObjectModule.bsl", "binary data where a text was expected"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_told_with_its_reason_and_the_rest_is_indexed(service: Service, case: str) -> None:
    bad, path, reason = BAD[case]
    files = bad | configuration()  # first in the archive
    upload = service.load("shop", zipped(files))
    assert (upload["state"], upload["problems"]) == ("ready", 1)
    problems = service.problems(upload)
    assert list(problems) == [ROOT + path]
    assert reason in problems[ROOT + path]
    service.load("clean", zipped(configuration()))
    assert visible(service, "shop") == visible(service, "clean")


def test_the_counts_tell_problems_and_empty_files(service: Service) -> None:
    files = configuration() | {"Catalogs/Битый.xml": "<", "Catalogs/Товары/Ext/ObjectModule.bsl": "\n"}
    service.load("shop", zipped(files))
    counts = service.value("SELECT counts FROM release")
    assert (counts["documents"], counts["problems"], counts["empty"]) == (8, 1, 1)


@pytest.mark.parametrize(
    ("entry", "path", "reason"),
    [
        (Entry(b"../../etc/passwd.xml", b"x"), "../../etc/passwd.xml", "leads out of the archive"),
        (Entry(b"src/cf/Catalogs/a\0b.xml", b"x"), "src/cf/Catalogs/a\ufffdb.xml", "control characters"),
        (Entry(b"src/cf/Catalogs/Lie.xml", b"x", size=9), "src/cf/Catalogs/Lie.xml", "less than the 9 bytes"),
        (Entry(b"src/cf/Catalogs/Sum.xml", b"x", crc=1), "src/cf/Catalogs/Sum.xml", "checksum is wrong"),
        (Entry(b"src/cf/Catalogs/Lock.xml", b"x", flags=1), "src/cf/Catalogs/Lock.xml", "encrypted"),
        (Entry(b"src/cf/Catalogs/New.xml", b"x", method=93), "src/cf/Catalogs/New.xml", "packed by zstd"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_bad_member_is_told_and_the_rest_is_indexed(service: Service, entry: Entry, path: str, reason: str) -> None:
    upload = service.load("shop", archive(entry))
    assert upload["state"] == "ready"
    problems = service.problems(upload)
    assert list(problems) == [path]
    assert reason in problems[path]
    assert len(service.find("цена товара", PRICE)) == 1


def test_a_bomb_is_not_inflated(database: Dsns) -> None:
    bomb = Entry(b"src/cf/Catalogs/Bomb.xml", bytes(3 << 20))
    with service_over(database, limits=Limits(ratio=50)) as service:
        upload = service.load("shop", archive(bomb))
        assert upload["state"] == "ready"
        assert service.problems(upload) == {
            "src/cf/Catalogs/Bomb.xml": "the member inflates more than the 50 times allowed"
        }


@pytest.mark.parametrize(("encoding", "flags"), [("cp866", 0), ("cp1251", 0), ("utf-8", 0), ("utf-8", 1 << 11)])
def test_names_are_read_in_whatever_encoding_they_are(service: Service, encoding: str, flags: int) -> None:
    upload = service.load("shop", archive(encoding=encoding, flags=flags))
    assert (upload["state"], upload["problems"]) == ("ready", 0)
    service.load("clean", zipped(configuration()))
    assert visible(service, "shop") == visible(service, "clean")


def test_decomposed_names_of_macos_are_composed(service: Service) -> None:
    name = f"{ROOT}Catalogs/{NFD}.xml".encode()
    service.load("shop", archive(Entry(name, descriptor("Catalog", "Ёлки", "Ели").encode())))
    (hit,) = service.find("елки", "Справочник.Ёлки")
    assert hit.place.path == unicodedata.normalize("NFC", name.decode())


def test_decomposed_words_of_a_page_are_found(service: Service) -> None:
    service.load("docs", zipped({"а.md": unicodedata.normalize("NFD", "# Край\n\nмой зелёный йод")}, ""))
    assert [hit.place.path for hit in service.ask("йод").hits] == ["а.md"]


def test_a_page_with_odd_characters_is_stored(service: Service) -> None:
    text = "# Заголовок &#0; \U0001f600\n\nслово &#xD800; \u2028 \x0b \ufeff конец"
    upload = service.load("docs", zipped({"а.md": text}, ""))
    assert (upload["state"], upload["problems"]) == ("ready", 0)
    assert len(service.ask("слово").hits) == 1


@pytest.fixture
def loaded(service: Service) -> Service:
    service.load("shop", zipped(configuration()), label="first")
    return service


def test_what_can_no_longer_be_read_is_served_on_and_marked_stale(loaded: Service) -> None:
    before = visible(loaded, "shop")
    upload = loaded.load("shop", zipped(configuration() | {MODULE: b"\0"}), label="second")
    assert upload["state"] == "ready"
    assert [hit.stale for hit in loaded.find("цена товара", PRICE)] == [True]
    assert [hit.stale for hit in loaded.find("цена товара", PRICE, release="first")] == [False]
    assert [hit.stale for hit in loaded.find("товары", "Справочник.Товары")] == [False]
    after = visible(loaded, "shop")
    assert after["chunks"] == before["chunks"]
    assert after["names"] == before["names"]


def test_an_unreadable_descriptor_keeps_its_names_for_others(loaded: Service) -> None:
    broken = configuration() | {"Documents/УстановкаЦен.xml": "<MetaDataObject>"}
    loaded.load("shop", zipped(broken), label="second")
    (card,) = loaded.find("цены товаров", "РегистрСведений.ЦеныТоваров")
    assert "Регистраторы: Документ.УстановкаЦен (Установка цен)" in card.text
    (document,) = loaded.find("установка цен", "Документ.УстановкаЦен")
    assert document.stale


def test_a_file_that_stays_unreadable_is_nothing_new(loaded: Service) -> None:
    broken = configuration() | {MODULE: b"\0"}
    loaded.load("shop", zipped(broken), label="second")
    upload = loaded.load("shop", zipped(broken, compression=0), name="again.zip", label="second")
    assert upload["state"] == "unchanged"


def test_a_file_that_can_be_read_again_is_fresh_again(loaded: Service) -> None:
    loaded.load("shop", zipped(configuration() | {MODULE: b"\0"}), label="second")
    loaded.load("shop", zipped(configuration()), name="third.zip", label="third")
    assert [hit.stale for hit in loaded.find("цена товара", PRICE)] == [False]
    assert [hit.stale for hit in loaded.find("цена товара", PRICE, release="second")] == [True]
    assert visible(loaded, "shop") == visible(loaded, "shop", 1)


@pytest.mark.parametrize("extension", [".bin", ".bsl"])
def test_a_module_that_became_protected_is_closed(loaded: Service, extension: str) -> None:
    files = configuration()
    del files[MODULE]
    upload = loaded.load("shop", zipped(files | {MODULE.replace(".bsl", extension): PROTECTED}), label="second")
    assert "password-protected" in next(iter(loaded.problems(upload).values()))
    assert loaded.find("цена товара", PRICE) == []


def test_a_module_that_became_empty_is_closed(loaded: Service) -> None:
    loaded.load("shop", zipped(configuration() | {MODULE: "\n"}), label="second")
    assert loaded.find("цена товара", PRICE) == []
    assert len(loaded.find("цена товара", PRICE, release="first")) == 1


def test_very_long_words_and_names_are_stored(service: Service) -> None:
    name = "Я" * 500
    text = PRICING + f"\n// {'слово' * 50_000}\nПроцедура {name}()\nКонецПроцедуры\n"
    upload = service.load("shop", zipped(configuration() | {MODULE: text}))
    assert (upload["state"], upload["problems"]) == ("ready", 0)
    assert len(service.find("цена товара", PRICE)) == 1
