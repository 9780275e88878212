"""The command interface of a subsystem or configuration in a project (`.cmi`) → the same part as of a dump.

EDT gathers the commands of a group in one fragment, where a dump repeats the group for each command; the order of the
fragments is that of the groups. It leaves out that something is not shown.
"""

from lxml import etree

from onec_rag.formats.designer.command_interface import read_command_interface
from onec_rag.formats.edt.shape import dump_name
from onec_rag.formats.place import Place
from onec_rag.formats.xml import local_name, parse_xml, text_of
from onec_rag.model.document import Document


def read_project_command_interface(place: Place, path: str, data: bytes) -> Document | None:
    """The interface at `path` inside a root, `None` for XML that is none or says nothing."""
    root = parse_xml(data, path)
    if local_name(root) != "CommandInterface":
        return None
    made = etree.Element("CommandInterface")
    for section in root.iterchildren("{}*"):  # commandsVisibility, subsystemsOrder…
        shaped = etree.SubElement(made, dump_name(str(section.tag)))
        for fragment in section.iterchildren("{}*"):
            _add(shaped, fragment)
    groups = etree.SubElement(made, "GroupsOrder")
    for group in root.iterfind("commandsOrder/orderFragments/group"):
        etree.SubElement(groups, "Group").text = group.text
    return read_command_interface(place, path, etree.tostring(made))


def _add(section: etree._Element, fragment: etree._Element) -> None:
    if not len(fragment):  # of an order of subsystems
        etree.SubElement(section, "Subsystem").text = fragment.text
    for command in fragment.iterchildren("commands"):
        placed = etree.SubElement(section, "Command", name=text_of(command))
        etree.SubElement(placed, "CommandGroup").text = fragment.findtext("group")
    for shown in fragment.iterchildren("command", "subsystem"):
        named = etree.SubElement(section, "Command", name=text_of(shown))
        visibility = etree.SubElement(named, "Visibility")
        etree.SubElement(visibility, "Common").text = fragment.findtext("visible/common", "false")
        for role in fragment.iterfind("visible/for"):
            value = etree.SubElement(visibility, "Value", name=role.findtext("role", ""))
            value.text = role.findtext("value", "false")
