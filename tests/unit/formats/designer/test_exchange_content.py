from onec_rag.formats.designer.exchange_content import read_exchange_content
from onec_rag.model.metadata import Link
from unit.formats.designer.parts import read_document, read_part

PATH = "ExchangePlans/Филиалы/Ext/Content.xml"


def content(*items: tuple[str, str]) -> str:
    rows = (f"<Item><Metadata>{name}</Metadata><AutoRecord>{auto}</AutoRecord></Item>" for name, auto in items)
    return f"<ExchangePlanContent>{''.join(rows)}</ExchangePlanContent>"


def test_members_are_links_and_so_is_that_their_changes_are_registered() -> None:
    part = read_part(
        read_exchange_content,
        PATH,
        content(("Catalog.А", "Allow"), ("Document.Б", "Deny"), ("22222222-0000-4000-8000-000000000000", "Allow")),
    )
    assert (part.kind, part.fqn) == ("ExchangePlan", "ПланОбмена.Филиалы")
    assert part.links == (
        Link("состав", "Справочник.А"),
        Link("авторегистрация", "Справочник.А"),
        Link("состав", "Документ.Б"),
    )


def test_a_plan_without_content_has_no_part() -> None:
    assert read_document(read_exchange_content, PATH, content()) is None
    assert read_document(read_exchange_content, PATH, "<Help/>") is None
