"""What a file of a flat ("plain") dump is: its name spells what folders spell elsewhere, and modules are `.txt`."""

from collections.abc import Sequence

from onec_rag.formats.designer.paths import NESTED, place_in, place_of
from onec_rag.formats.place import Place
from onec_rag.model.metadata import KIND_BY_NAME

_CHILDREN = frozenset(NESTED.values())
_FORM = "Form"


def flat_place_of(path: str) -> Place | None:
    """The place of `Catalog.Валюты.Form.ФормаЭлемента.Form.Module.txt` and the like inside a root."""
    if path == "Configuration.xml":
        return place_of(path)
    words, _, extension = path.rpartition(".")
    if extension == _FORM:  # the body of an ordinary form has no extension
        words, extension = path, ""
    parts = words.split(".")
    if "/" in path or len(parts) < 2:
        return None
    reference, rest = _walk(parts)
    inside = _inside(rest, extension) if reference is not None else None
    return None if reference is None or inside is None else place_in(reference, inside)


def _walk(parts: Sequence[str]) -> tuple[list[str] | None, Sequence[str]]:
    """Kinds and names that the words spell (none of the configuration's own files), and the words behind them."""
    if parts[0] == "Configuration":  # Configuration.<name>.SessionModule.txt
        return [], parts[2:]
    if parts[0] not in KIND_BY_NAME:
        return None, parts
    reference, rest = list(parts[:2]), parts[2:]
    while len(rest) >= 2 and rest[0] in _CHILDREN:
        if rest[0] == _FORM and reference[-2] in (_FORM, "CommonForm"):  # its module, `Form.Module`
            break
        reference, rest = [*reference, *rest[:2]], rest[2:]
    return reference, rest


def _inside(rest: Sequence[str], extension: str) -> list[str] | None:
    """The path inside the object's folder of a hierarchical dump; none for its descriptor, `None` for no such file."""
    match list(rest), extension:
        case [], "xml":
            return []
        case ["Form"], "":
            return ["Ext", "Form.bin"]
        case ["Form", "Module"], _:
            return ["Ext", "Form", "Module.bsl"]
        case ["Template"], "txt":
            return ["Ext", "Template.txt"]
        case [name], ("xml" | "bin" | "txt"):
            return ["Ext", f"{name}.bsl" if extension == "txt" else f"{name}.{extension}"]
        case [("Help" | "Template") as name, language], "html":
            return ["Ext", name, f"{language}.html"]
    return None
