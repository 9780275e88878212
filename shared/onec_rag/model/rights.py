"""What a role allows."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Restriction:
    """A condition on the records that a right covers; `fields` is empty where it holds for all fields."""

    right: str
    condition: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectRights:
    """The rights to one object, by their names in Russian (`Чтение`), unknown ones as they are written.

    `fqn` is canonical. `restrictions` are as in the file, equal ones once.
    """

    fqn: str
    granted: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    restrictions: tuple[Restriction, ...] = ()


@dataclass(frozen=True, slots=True)
class Rights:
    """A role's rights; `templates` maps names of restriction templates to their text.

    Where `for_new_objects` is set, the role grants everything that is not denied; `for_attributes_by_default` is the
    same for attributes and tabular sections. With `independent_child_rights` a right to these outlives the owner's.
    """

    objects: tuple[ObjectRights, ...] = ()
    templates: Mapping[str, str] = field(default_factory=dict)
    for_new_objects: bool = False
    for_attributes_by_default: bool = False
    independent_child_rights: bool = False
