import pytest

from onec_rag.formats.designer.schedule import read_schedule
from unit.formats.designer.parts import read_document, read_part

PATH = "ScheduledJobs/З/Ext/Schedule.xml"


def schedule(attributes: str, inside: str = "") -> str:
    return f"<JobSchedule><Schedule {attributes}>{inside}</Schedule></JobSchedule>"


@pytest.mark.parametrize(
    ("attributes", "inside", "words"),
    [
        ('DaysRepeatPeriod="1"', "", "каждый день; один раз в день"),
        ('DaysRepeatPeriod="1" BeginTime="08:15:00"', "", "каждый день; с 08:15:00; один раз в день"),
        ('DaysRepeatPeriod="0" RepeatPeriodInDay="7200"', "", "без повтора по дням; каждые 2 ч"),
        ('DaysRepeatPeriod="7" RepeatPeriodInDay="85"', "", "каждые 7 дн.; каждые 85 с"),
        (
            'DaysRepeatPeriod="1" WeeksPeriod="2" RepeatPeriodInDay="300" RepeatPause="60"',
            "<WeekDays>6 7</WeekDays><Months>1 2 3 4 5 6 7 8 9 10 11 12</Months>",
            "каждый день; каждые 2 нед.; суббота, воскресенье; каждые 5 мин; с паузой 1 мин",
        ),
        ('DaysRepeatPeriod="1" DayInMonth="5"', "", "каждый день; 5-го числа; один раз в день"),
        (
            'DaysRepeatPeriod="1" DayInMonth="-1"',
            "<Months>3 6</Months>",
            "каждый день; 1-й день с конца месяца; март, июнь; один раз в день",
        ),
        (
            'DaysRepeatPeriod="1" WeekDayInMonth="2" CompletionTime="06:00:00" CompletionInterval="90"',
            "<WeekDays>1</WeekDays>",
            "каждый день; понедельник; 2-й такой день месяца; один раз в день; завершать в 06:00:00; "
            "завершать через 90 с",
        ),
        (
            'BeginDate="2026-12-01" EndDate="2026-12-31" DaysRepeatPeriod="1"',
            '<DetailedDailySchedules BeginTime="08:00:00" EndTime="09:00:00" RepeatPeriodInDay="60"/>',
            "начиная с 2026-12-01; до 2026-12-31; каждый день; в течение дня (с 08:00:00 до 09:00:00; каждые 1 мин)",
        ),
        ('DaysRepeatPeriod="много" WeeksPeriod="99999999999999"', "", "без повтора по дням; один раз в день"),
    ],
)
def test_a_schedule_is_told_in_words(attributes: str, inside: str, words: str) -> None:
    part = read_part(read_schedule, PATH, schedule(attributes, inside))
    assert part.properties == {"Расписание": words}


@pytest.mark.parametrize("xml", ["<JobSchedule/>", "<Schedule/>"])
def test_xml_without_a_schedule_is_passed_over(xml: str) -> None:
    assert read_document(read_schedule, PATH, xml) is None
