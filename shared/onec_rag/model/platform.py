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
    the table of contents, outermost first, without the page itself; `language` is that of the book (`ru`, `en`).
    `return_types` are the types of what it returns, of a property those of its value. `since` is a platform version,
    `deprecated` the page's words about it and what to use instead, `versions` all notes on versions as written; empty
    where the page says nothing. `members` are what a type's page lists (methods, properties, events, constructors,
    values) by chapter, `others` chapters that have no field here, as (name, text). `links` are `v8help://` targets.
    """

    titles: Mapping[str, str]
    headings: tuple[str, ...] = ()
    language: str = ""
    syntax: tuple[Syntax, ...] = ()
    returns: str = ""
    return_types: tuple[str, ...] = ()
    description: str = ""
    availability: tuple[str, ...] = ()
    notes: str = ""
    example: str = ""
    since: str = ""
    deprecated: str = ""
    versions: tuple[str, ...] = ()
    see_also: tuple[str, ...] = ()
    members: tuple[tuple[str, tuple[str, ...]], ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    links: tuple[str, ...] = ()
