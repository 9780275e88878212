"""The schedule of a scheduled job in a project (`Schedule.schedule`) → the same part as of a dump.

Dates, times and intervals are attributes in both; EDT names the days and months that a dump counts, and leaves out
what is zero.
"""

from collections.abc import Sequence

from lxml import etree

from onec_rag.formats.designer.schedule import read_schedule
from onec_rag.formats.edt.shape import dump_name
from onec_rag.formats.place import Place
from onec_rag.formats.xml import local_name, parse_xml, text_of
from onec_rag.model.document import Document

_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_YEAR = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def read_project_schedule(place: Place, path: str, data: bytes) -> Document | None:
    """The schedule at `path` inside a root, `None` for XML that is none."""
    root = parse_xml(data, path)
    if local_name(root) != "Schedule":
        return None
    made = etree.Element("JobSchedule")
    schedule = _add(made, "Schedule", root)
    for daily in root.iterchildren("dailySchedules"):
        _add(schedule, "DetailedDailySchedules", daily)
    return read_schedule(place, path, etree.tostring(made))


def _add(made: etree._Element, name: str, source: etree._Element) -> etree._Element:
    attributes = {dump_name(str(key)): str(value) for key, value in source.attrib.items()}
    schedule = etree.SubElement(made, name, attributes)
    etree.SubElement(schedule, "WeekDays").text = _numbers(_WEEK, source.findall("weekDays"))
    etree.SubElement(schedule, "Months").text = _numbers(_YEAR, source.findall("months"))
    return schedule


def _numbers(names: Sequence[str], elements: Sequence[etree._Element]) -> str:
    found = {text_of(element) for element in elements}
    return " ".join(str(number) for number, name in enumerate(names, 1) if name in found)
