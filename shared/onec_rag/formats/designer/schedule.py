"""The schedule of a scheduled job (`Ext/Schedule.xml`) → a property of the job, worded as the platform words it."""

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from onec_rag.formats.designer.part import part_of
from onec_rag.formats.place import Place
from onec_rag.formats.xml import by_name, local_name, parse_xml, text_of
from onec_rag.model.document import Document

_WEEK = ("понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье")
_YEAR = (
    "январь", "февраль", "март", "апрель", "май", "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь",
)  # fmt: skip
_NUMBER = re.compile(r"-?+[0-9]{1,9}")
_NO_DATE, _NO_TIME = "0001-01-01", "00:00:00"


def read_schedule(place: Place, path: str, data: bytes) -> Document | None:
    """The schedule at `path` inside a root, `None` for XML that is none."""
    root = parse_xml(data, path)
    schedule = by_name(root).get("Schedule") if local_name(root) == "JobSchedule" else None
    if schedule is None:
        return None
    words = [
        *_words(schedule),
        *(f"в течение дня ({'; '.join(_words(part))})" for part in schedule if _is_detailed(part)),
    ]
    return part_of(place, path, properties={"Расписание": "; ".join(words)})


def _is_detailed(part: etree._Element) -> bool:
    return local_name(part) == "DetailedDailySchedules"


def _words(schedule: etree._Element) -> Iterator[str]:
    if not _is_detailed(schedule):
        yield from _days(schedule)
    begin, end = schedule.get("BeginTime", _NO_TIME), schedule.get("EndTime", _NO_TIME)
    if begin != _NO_TIME or end != _NO_TIME:
        yield f"с {begin}" + (f" до {end}" if end != _NO_TIME else "")
    if period := _number(schedule, "RepeatPeriodInDay"):
        yield f"каждые {_interval(period)}"
    elif not any(map(_is_detailed, schedule)):
        yield "один раз в день"
    if pause := _number(schedule, "RepeatPause"):
        yield f"с паузой {_interval(pause)}"
    if (finish := schedule.get("CompletionTime", _NO_TIME)) != _NO_TIME:
        yield f"завершать в {finish}"
    if limit := _number(schedule, "CompletionInterval"):
        yield f"завершать через {_interval(limit)}"


def _days(schedule: etree._Element) -> Iterator[str]:
    parts = by_name(schedule)
    start, stop = schedule.get("BeginDate", _NO_DATE), schedule.get("EndDate", _NO_DATE)
    if start != _NO_DATE:
        yield f"начиная с {start}"
    if stop != _NO_DATE:
        yield f"до {stop}"
    days = _number(schedule, "DaysRepeatPeriod")
    yield f"каждые {days} дн." if days > 1 else "каждый день" if days else "без повтора по дням"
    if (weeks := _number(schedule, "WeeksPeriod")) > 1:
        yield f"каждые {weeks} нед."
    if named := _named(_WEEK, parts.get("WeekDays")):
        yield named
    if day := _number(schedule, "DayInMonth"):
        yield f"{day}-го числа" if day > 0 else f"{-day}-й день с конца месяца"
    if week := _number(schedule, "WeekDayInMonth"):
        yield f"{week}-й такой день месяца" if week > 0 else f"{-week}-й такой день с конца месяца"
    if named := _named(_YEAR, parts.get("Months")):
        yield named


def _named(names: Sequence[str], numbers: etree._Element | None) -> str:
    """The days or months by name; empty for all of them and for none."""
    chosen = set(text_of(numbers).split())
    found = [name for number, name in enumerate(names, 1) if str(number) in chosen]
    return ", ".join(found) if len(found) < len(names) else ""


def _number(schedule: etree._Element, name: str) -> int:
    text = schedule.get(name, "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _interval(seconds: int) -> str:
    for unit, size in (("ч", 3600), ("мин", 60)):
        if seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} с"
