import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onec_rag.errors import PermanentError
from onec_rag.formats.designer.children import read_child
from onec_rag.formats.designer.command_interface import read_command_interface
from onec_rag.formats.designer.exchange_content import read_exchange_content
from onec_rag.formats.designer.flowchart import read_flowchart
from onec_rag.formats.designer.package import read_package
from onec_rag.formats.designer.part import part_of
from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.designer.predefined import read_predefined
from onec_rag.formats.designer.schedule import read_schedule
from onec_rag.formats.place import Place, Reader, Role
from onec_rag.model.document import Document, DocumentKind
from onec_rag.model.metadata import Link

READERS: dict[str, tuple[Reader, str]] = {
    "Catalogs/К/Forms/Ф.xml": (read_child, "MetaDataObject Form Properties Name ChildObjects Type"),
    "Catalogs/К/Ext/Predefined.xml": (read_predefined, "PredefinedData Item Name ChildItems Type ExtDimensionTypes"),
    "ExchangePlans/П/Ext/Content.xml": (read_exchange_content, "ExchangePlanContent Item Metadata AutoRecord"),
    "ScheduledJobs/З/Ext/Schedule.xml": (read_schedule, "JobSchedule Schedule WeekDays DetailedDailySchedules"),
    "XDTOPackages/П/Ext/Package.bin": (read_package, "package import property objectType typeDef enumeration"),
    "BusinessProcesses/П/Ext/Flowchart.xml": (read_flowchart, "GraphicalSchema Items Activity Properties Name Events"),
    "Subsystems/П/Ext/CommandInterface.xml": (read_command_interface, "CommandInterface CommandsVisibility Command"),
}


def test_a_part_is_its_owners_and_nothing_makes_no_part() -> None:
    place = Place(Role.SCHEDULE, "РегламентноеЗадание.Ночное", "ScheduledJob", "РегламентноеЗадание.Ночное")
    document = part_of(place, "п", links=[Link("состав", "Справочник.А")])
    assert document is not None
    assert (document.kind, document.fqn, document.title) == (DocumentKind.PART, place.owner, "Ночное")
    assert part_of(place, "п", properties={}) is None


@pytest.mark.parametrize("path", READERS)
@given(data=st.data())
@settings(deadline=None)
def test_any_bytes_give_a_part_or_nothing_or_a_permanent_error(path: str, data: st.DataObject) -> None:
    reader, names = READERS[path]
    tags = [f"{mark.format(name)}" for name in names.split() for mark in ("<{}>", "</{}>", "<{}/>", '<{} name="й">')]
    snippet = st.sampled_from([*tags, "Catalog.А", " ", "\n", "&b;", "\0", '<!DOCTYPE a [<!ENTITY b "c">]>', "9" * 20])
    root = names.split()[0]
    content = data.draw(
        st.one_of(
            st.binary(),
            st.lists(snippet, max_size=30).map(lambda parts: "".join(parts).encode()),
            st.lists(st.sampled_from(tags[2::4] + tags[3::4]), max_size=8).map(
                lambda parts: f"<{root}>{''.join(parts)}</{root}>".encode()
            ),
        )
    )
    place = place_of(path)
    assert place is not None
    try:
        document = reader(place, path, content)
    except PermanentError:
        return
    assert document is None or (isinstance(document, Document) and document.path == path and document.title)
