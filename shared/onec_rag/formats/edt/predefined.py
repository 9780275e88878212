"""What an object's file in a project holds inline and a dump keeps in files of their own: predefined items, and the
content of an exchange plan."""

from collections.abc import Iterable

from lxml import etree

from onec_rag.formats.edt.shape import grouped, property_of
from onec_rag.formats.xml import text_of


def predefined_data(kind: str, items: Iterable[etree._Element]) -> etree._Element:
    """`<predefined><items>…` of an object of that kind → `<PredefinedData><Item>…`."""
    made = etree.Element("PredefinedData")
    made.extend(_item(kind, item) for item in items)
    return made


def exchange_content(items: Iterable[etree._Element]) -> etree._Element:
    """`<content><mdObject>…` of an exchange plan → `<ExchangePlanContent><Item><Metadata>…`."""
    made = etree.Element("ExchangePlanContent")
    for item in items:
        registered = etree.SubElement(made, "Item")
        etree.SubElement(registered, "Metadata").text = item.findtext("mdObject")
        etree.SubElement(registered, "AutoRecord").text = item.findtext("autoRecord", "Deny")
    return made


def _item(kind: str, source: etree._Element) -> etree._Element:
    """Items nest as `content`, accounts as `childItems`; an account is active unless something else is said."""
    made = etree.Element("Item")
    parts = grouped(source)
    for tag, group in parts.items():
        if tag in ("content", "childItems"):
            etree.SubElement(made, "ChildItems").extend(_item(kind, item) for item in group)
        elif tag == "accountingFlags":
            made.append(_flags(group))
        elif tag == "extDimensionTypes":
            etree.SubElement(made, "ExtDimensionTypes").extend(map(_dimension, group))
        else:
            made.append(property_of(tag, group))
    if kind == "ChartOfAccounts" and "accountType" not in parts:
        etree.SubElement(made, "AccountType").text = "Active"
    return made


def _dimension(source: etree._Element) -> etree._Element:
    made = etree.Element("ExtDimensionType", name=source.findtext("characteristicType", ""))
    etree.SubElement(made, "Turnover").text = source.findtext("turnover")
    made.append(_flags(source.findall("extDimensionAccountingFlags")))
    return made


def _flags(group: Iterable[etree._Element]) -> etree._Element:
    """EDT names the flags that are set, a dump all of them."""
    made = etree.Element("AccountingFlags")
    for flag in group:
        etree.SubElement(made, "Flag", ref=text_of(flag)).text = "true"
    return made
