"""What a file of an EDT project is, told by its path below `src/` alone.

A project keeps in one folder what a dump spreads: `X/X.mdo` stands for `X.xml`, and what lies beside it for `X/Ext/`.
So a path is rewritten to that of the dump, and a thing is called the same wherever it comes from.
"""

from collections.abc import Mapping
from types import MappingProxyType

from onec_rag.formats.designer.paths import place_of
from onec_rag.formats.place import Place

_EXT: Mapping[str, str] = MappingProxyType(
    {
        "Form.form": "Form.xml",
        "Form.oform": "Form.bin",
        "Rights.rights": "Rights.xml",
        "Template.mxlx": "Template.xml",
        "Template.dcs": "Template.xml",
        "Template.txt": "Template.txt",
        "Schedule.schedule": "Schedule.xml",
        "Package.xdto": "Package.bin",
        "Flowchart.scheme": "Flowchart.xml",
        "CommandInterface.cmi": "CommandInterface.xml",
        "MainSectionCommandInterface.cmi": "MainSectionCommandInterface.xml",
    }
)
"""Files of a project → files of a dump's `Ext` folder."""


def edt_place_of(path: str) -> Place | None:
    """The place of a path below `src/`, `None` for a file that no reader is for (a `BaseForm`, settings of lists)."""
    match path.split("/"):
        case ["Configuration", "Configuration.mdo"]:
            return place_of("Configuration.xml")
        case ["Configuration", *inside]:
            return _beside([], inside)
        case [*folders, name] if folders and name == f"{folders[-1]}.mdo":
            return place_of(f"{'/'.join(folders)}.xml")
        case [*owner, "Help", page]:
            return _beside(owner, ["Help", page])
        case [*owner, name]:
            return _beside(owner, [name])
    return None


def _beside(owner: list[str], inside: list[str]) -> Place | None:
    """The place of what lies in an object's folder; `owner` are the parts of that folder, `inside` those behind it."""
    holder = owner[-2] if len(owner) > 1 else ""
    match inside:
        case ["Module.bsl"] if holder in ("Forms", "CommonForms"):
            inside = ["Form", "Module.bsl"]
        case [page] if holder in ("Templates", "CommonTemplates") and page.endswith(".html"):
            inside = ["Template", page]
        case [name] if name in _EXT:
            inside = [_EXT[name]]
        case [name] if not name.endswith(".bsl"):
            return None
    return place_of("/".join([*owner, "Ext", *inside]))
