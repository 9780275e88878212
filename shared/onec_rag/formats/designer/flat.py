"""What a file of a flat ("plain") dump is: its name spells what folders spell elsewhere, and modules are `.txt`."""

from onec_rag.formats.designer.paths import NESTED, place_in, place_of
from onec_rag.formats.place import Place
from onec_rag.model.metadata import KIND_BY_NAME

_CHILDREN = frozenset(NESTED.values())


def flat_place_of(path: str) -> Place | None:
    """The place of `Catalog.Валюты.Form.ФормаЭлемента.Form.Module.txt` and the like inside a root."""
    if path == "Configuration.xml":
        return place_of(path)
    if "/" in path:
        return None
    words, _, extension = path.rpartition(".")
    if extension == "Form":  # the body of an ordinary form has no extension
        words, extension = path, ""
    parts = words.split(".")
    if len(parts) < 2 or (parts[0] not in KIND_BY_NAME and parts[0] != "Configuration"):
        return None
    if parts[0] == "Configuration":  # Configuration.<name>.SessionModule.txt
        reference, rest = [], parts[2:]
    else:
        reference, rest = parts[:2], parts[2:]
        while len(rest) >= 2 and rest[0] in _CHILDREN:
            if rest[0] == "Form" and reference[-2] in ("Form", "CommonForm"):  # its module, `Form.Module`
                break
            reference, rest = [*reference, *rest[:2]], rest[2:]
    match rest, extension:
        case [], "xml":
            return place_in(reference, [])
        case ["Form"], "":
            return place_in(reference, ["Ext", "Form.bin"])
        case ["Form", "Module"], _:
            return place_in(reference, ["Ext", "Form", "Module.bsl"])
        case [name], ("xml" | "bin"):
            return place_in(reference, ["Ext", f"{name}.{extension}"])
        case ["Template"], "txt":
            return place_in(reference, ["Ext", "Template.txt"])
        case [name], "txt":
            return place_in(reference, ["Ext", f"{name}.bsl"])
        case [("Help" | "Template") as name, language], "html":
            return place_in(reference, ["Ext", name, f"{language}.html"])
    return None
