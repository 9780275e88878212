"""A page of the platform's syntax help."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlatformParameter:
    """A parameter of a method or event; `types` are names of types, in the page's language."""

    name: str
    required: bool = True
    types: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Syntax:
    """One way to call it; `variant` is the variant's name where the page has several, else empty."""

    text: str
    variant: str = ""
    parameters: tuple[PlatformParameter, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class PlatformPage:
    """A page of a help book (.hbk).

    `titles` has `ru` and `en` where the page names both (`Массив.Добавить`, `Array.Add`); `headings` is the path in
    the table of contents, outermost first, without the page itself. `since` and `deprecated` are platform versions
    or the words the page uses, empty where it says nothing. `members` are what a type's page lists (methods,
    properties, events, constructors, values) by chapter.
    """

    titles: Mapping[str, str]
    headings: tuple[str, ...] = ()
    syntax: tuple[Syntax, ...] = ()
    returns: str = ""
    return_types: tuple[str, ...] = ()
    description: str = ""
    availability: tuple[str, ...] = ()
    notes: str = ""
    example: str = ""
    since: str = ""
    deprecated: str = ""
    see_also: tuple[str, ...] = ()
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()
    links: tuple[str, ...] = ()
