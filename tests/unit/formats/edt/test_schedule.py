import pytest
from hypothesis import given

from onec_rag.formats.designer.schedule import read_schedule
from onec_rag.formats.edt.schedule import read_project_schedule
from onec_rag.formats.place import Place, Role
from unit.formats.edt.trees import check, files

PATH = "ScheduledJobs/Полив/Schedule.schedule"
PLACE = Place(Role.SCHEDULE, "РегламентноеЗадание.Полив", "ScheduledJob", "РегламентноеЗадание.Полив")


@pytest.mark.parametrize(
    ("project", "dump"),
    [
        (  # what is omitted is zero
            'beginDate="0001-01-01" daysRepeatPeriod="3" beginTime="01:00:00" repeatPeriodInDay="900">',
            'BeginDate="0001-01-01" DaysRepeatPeriod="3" BeginTime="01:00:00" RepeatPeriodInDay="900" DayInMonth="0">',
        ),
        (  # days and months are counted from Monday and January
            'weeksPeriod="2"><weekDays>Sat</weekDays><weekDays>Mon</weekDays><months>Dec</months>',
            'WeeksPeriod="2"><WeekDays>1 6</WeekDays><Months>12</Months>',
        ),
        (
            'daysRepeatPeriod="1"><dailySchedules beginTime="14:00:00"/><dailySchedules beginTime="20:00:00"/>',
            'DaysRepeatPeriod="1"><DetailedDailySchedules BeginTime="14:00:00"/>'
            '<DetailedDailySchedules BeginTime="20:00:00"/>',
        ),
    ],
)
def test_a_schedule_says_what_that_of_a_dump_says(project: str, dump: str) -> None:
    root = 'schedule:Schedule xmlns:schedule="http://g5.1c.ru/v8/dt/schedule"'
    document = read_project_schedule(PLACE, PATH, f"<{root} {project}</schedule:Schedule>".encode())
    assert document is not None
    assert document == read_schedule(PLACE, PATH, f"<JobSchedule><Schedule {dump}</Schedule></JobSchedule>".encode())


def test_other_xml_is_none() -> None:
    assert read_project_schedule(PLACE, PATH, b"<JobSchedule/>") is None


@given(files("Schedule", ("Schedule", "weekDays", "months", "dailySchedules", "Название")))
def test_any_bytes_give_a_document_or_nothing_or_a_permanent_error(data: bytes) -> None:
    check(read_project_schedule, PLACE, PATH, data)
