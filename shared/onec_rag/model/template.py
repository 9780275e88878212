"""A template (макет): a spreadsheet, a text or an HTML document to be filled."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Template:
    """Texts of the cells or lines, names of the parameters and of the areas, each once, in order of appearance.

    Of a long template the first texts, see the reader.
    """

    texts: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
