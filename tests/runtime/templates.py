"""The templates as data: resources of all nested stacks, and values with their references resolved."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
PSEUDO = {
    "AWS::Region": "us-east-1",
    "AWS::AccountId": "111122223333",
    "AWS::Partition": "aws",
    "AWS::StackName": "onec-rag",
}
NESTED = "AWS::Serverless::Application"
FUNCTION = "AWS::Serverless::Function"

StandIn = Callable[[str, str, str], str | None]
"""(type of a resource, its logical id, attribute or `Ref`) → its value on this machine; None: no matter which."""


class Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short forms, which become the long ones: `!Ref X` → `{"Ref": "X"}`."""


def _short_form(loader: Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)  # type: ignore[arg-type]
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {suffix if suffix == "Ref" else f"Fn::{suffix}": value}


Loader.add_multi_constructor("!", _short_form)


def no_stand_in(kind: str, logical_id: str, attribute: str) -> str | None:
    """For those who ask for names alone."""
    return None


@dataclass(frozen=True)
class Stack:
    """One template with the values of its parameters; a nested one has its parent's values in them."""

    path: Path
    given: Mapping[str, Any] = field(default_factory=dict)
    stand_in: StandIn = no_stand_in

    @cached_property
    def template(self) -> dict[str, Any]:
        return yaml.load(self.path.read_text("utf-8"), Loader)  # noqa: S506  a safe loader with tags of ours

    @cached_property
    def nested(self) -> dict[str, "Stack"]:
        """Stacks inside this one by logical id."""
        return {
            name: Stack(
                self.path.parent / resource["Properties"]["Location"],
                _Parameters(self, resource["Properties"].get("Parameters", {})),
                self.stand_in,
            )
            for name, resource in self.template["Resources"].items()
            if resource["Type"] == NESTED
        }

    def all(self) -> Iterator["Stack"]:
        """This stack and all below it."""
        yield self
        for stack in self.nested.values():
            yield from stack.all()

    def resources(self, kind: str) -> dict[str, dict[str, Any]]:
        """Properties by logical id, with `Globals` in those of functions; of this stack alone."""
        found = {
            name: resource.get("Properties", {})
            for name, resource in self.template["Resources"].items()
            if resource["Type"] == kind
        }
        if kind != FUNCTION:
            return found
        shared = self.template.get("Globals", {}).get("Function", {})
        return {name: _merged(shared, own) for name, own in found.items()}

    def parameter(self, name: str) -> Any:
        """The value that was given, else the default."""
        return self.given[name] if name in self.given else self.template["Parameters"][name].get("Default")

    def resolve(self, value: Any) -> Any:
        """The value without references; a reference to what has no stand-in becomes `<name>`."""
        match value:
            case {"Ref": name}:
                return self._reference(name, "Ref")
            case {"Fn::GetAtt": [name, attribute]}:
                return self._reference(name, attribute)
            case {"Fn::Sub": str(text)}:
                return re.sub(r"\$\{([\w:.]+)\}", lambda found: str(self._reference(*_parts(found[1]))), text)
            case {"Fn::Join": [separator, parts]}:
                return separator.join(map(str, self.resolve(parts)))
            case dict():
                return {name: self.resolve(item) for name, item in value.items()}
            case list():
                return [self.resolve(item) for item in value]
            case _:
                return value

    def _reference(self, name: str, attribute: str) -> Any:
        if name in PSEUDO:
            return PSEUDO[name]
        if name in self.template.get("Parameters", {}):
            return self.parameter(name)
        if name in self.nested:
            output = self.nested[name]
            return output.resolve(output.template["Outputs"][attribute.removeprefix("Outputs.")]["Value"])
        found = self.stand_in(self.template["Resources"][name]["Type"], name, attribute)
        return f"<{name}.{attribute}>" if found is None else found


class _Parameters(Mapping[str, Any]):
    """What a parent gives to a nested stack, resolved when it is asked for: outputs of siblings are in it."""

    def __init__(self, parent: Stack, given: Mapping[str, Any]) -> None:
        self._parent, self._given = parent, given

    def __getitem__(self, name: str) -> Any:
        return self._parent.resolve(self._given[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)


def root(stand_in: StandIn = no_stand_in, **parameters: Any) -> Stack:
    """The whole application."""
    return Stack(ROOT / "template.yaml", parameters, stand_in)


def functions(stack: Stack) -> dict[str, tuple[Stack, dict[str, Any]]]:
    """Every function of the nested stacks by logical id: its stack and its properties."""
    return {name: (inner, own) for inner in stack.all() for name, own in inner.resources(FUNCTION).items()}


def variables(stack: Stack, properties: Mapping[str, Any]) -> dict[str, str]:
    """A function's environment as Lambda would give it."""
    return {name: str(stack.resolve(value)) for name, value in properties["Environment"]["Variables"].items()}


def function_of(event_file: Path, names: Mapping[str, Any]) -> str:
    """`planner_created.json` → `PlannerFunction`."""
    wanted = event_file.stem.partition("_")[0] + "function"
    (found,) = (name for name in names if name.lower() == wanted)
    return found


def _parts(reference: str) -> tuple[str, str]:
    if reference in PSEUDO:
        return reference, "Ref"
    name, _, attribute = reference.partition(".")
    return name, attribute or "Ref"


def _merged(shared: Any, own: Any) -> Any:
    """As SAM merges Globals: maps are united, lists joined, anything else is replaced."""
    if isinstance(shared, dict) and isinstance(own, dict):
        return shared | {name: _merged(shared.get(name), value) for name, value in own.items()}
    if isinstance(shared, list) and isinstance(own, list):
        return [*shared, *own]
    return own
