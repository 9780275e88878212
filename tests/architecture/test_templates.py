"""The templates agree with the product's settings, with the local stack, and with the files that they name."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from onec_rag.settings import Settings
from onec_rag_local.environment import DEAD, FUNCTIONS, MAX_RECEIVE_COUNT, QUEUES, Endpoints, environment_of
from runtime.templates import ROOT, Stack, function_of, functions, root, variables

STACK = root()
ALL = functions(STACK)
TEMPLATES = [stack.path.relative_to(ROOT).as_posix() for stack in STACK.all()]
ENV_JSON: dict[str, dict[str, str]] = json.loads((ROOT / "env.json").read_text("utf-8"))
SETTINGS = {field.alias or f"ONEC_RAG_{name}".upper() for name, field in Settings.model_fields.items()}
OF_THE_PLATFORM = ("AWS_", "POWERTOOLS_", "PYTHON")
"""Variables that are read by Python and by libraries, not by our settings."""
OF_THE_USER = (
    "ONEC_RAG_CHAT_",
    "ONEC_RAG_JANITOR_KEEP_",
    *(f"ONEC_RAG_EMBEDDING_{name}" for name in (
        "REQUESTS_PER_MINUTE", "TOKENS_PER_MINUTE", "PRICE", "BUDGET", "NEXT_API_KEY",
    )),
)  # fmt: skip
"""The local stack has no chat model, limits, price or retention of its own: these reach its functions from the user's
environment."""
VISIBILITY = 6
"""A queue hides a message for so many timeouts of its function: AWS's rule, since a mapping retries while throttled.
Locally nothing throttles and a crash should not be felt for half an hour: there it is one timeout."""


def folder_of(name: str) -> str:
    """`IndexerDeadLettersFunction` → `indexer`: the folder that the function's Makefile takes it from."""
    makefile = (ROOT / "functions/Makefile").read_text("utf-8")
    (line,) = [line for line in makefile.splitlines() if f"build-{name}" in line.replace(":", " ").split()]
    return line.rpartition(":= ")[2]


def resources(kind: str) -> dict[str, tuple[Stack, dict[str, Any]]]:
    return {name: (stack, own) for stack in STACK.all() for name, own in stack.resources(kind).items()}


def queue_of(source: dict[str, Any]) -> str:
    """`{"Fn::GetAtt": ["IndexDeadQueue", "Arn"]}` → `index-dead`, its local name."""
    name = source["Queue"]["Fn::GetAtt"][0].removesuffix("Queue")
    return name.removesuffix("Dead").lower() + (DEAD if name.endswith("Dead") else "")


def sources_of(properties: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Queue → properties of its event source."""
    events = properties.get("Events", {}).values()
    return {queue_of(event["Properties"]): event["Properties"] for event in events if event["Type"] == "SQS"}


def of_settings(names: set[str]) -> set[str]:
    return {name for name in names if not name.startswith(OF_THE_PLATFORM)}


def test_every_template_passes_cfn_lint() -> None:
    program = str(Path(sys.executable).with_name("cfn-lint"))
    command = [program, "--regions", "us-east-1", "--", *TEMPLATES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_template_of_infra_is_a_nested_stack() -> None:
    assert sorted(TEMPLATES[1:]) == sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("infra/*.yaml"))


def test_the_repeated_block_of_functions_is_the_same_in_every_stack() -> None:
    """Globals of SAM do not reach nested stacks."""
    blocks = [stack.template["Globals"]["Function"] for stack in STACK.all() if "Globals" in stack.template]
    shared = [block | {"Environment": None} for block in blocks]
    assert shared == [shared[0]] * len(blocks)
    names = [set(block["Environment"]["Variables"]) for block in blocks]
    assert {name for name in set.union(*names) if name not in set.intersection(*names)} <= SETTINGS


def test_every_folder_of_functions_is_a_function() -> None:
    assert {folder_of(name) for name in ALL} == {path.parent.name for path in ROOT.glob("functions/*/handler.py")}


@pytest.mark.parametrize("name", ALL)
def test_a_function_names_a_handler_that_exists(name: str) -> None:
    stack, properties = ALL[name]
    folder = (stack.path.parent / properties["CodeUri"]).resolve() / folder_of(name)
    module, attribute = properties["Handler"].split(".")
    assert f"def {attribute}(" in (folder / f"{module}.py").read_text("utf-8")
    assert stack.resolve(properties["Layers"]) == ["<DependenciesLayer.Ref>", "<SharedLayer.Ref>"]


def test_every_layer_has_a_makefile_with_its_target() -> None:
    for name, (stack, properties) in resources("AWS::Serverless::LayerVersion").items():
        makefile = stack.path.parent / properties["ContentUri"] / "Makefile"
        assert f"build-{name}:" in makefile.read_text("utf-8")


@pytest.mark.parametrize("path", sorted(ROOT.glob("events/*")), ids=lambda path: path.name)
def test_an_event_file_names_a_function(path: Path) -> None:
    assert path.suffix == ".json"
    assert function_of(path, ALL) in ALL


def test_every_function_has_an_event_file() -> None:
    assert {function_of(path, ALL) for path in ROOT.glob("events/*.json")} == set(ALL)


def test_env_json_overrides_variables_that_functions_have() -> None:
    """`sam local` passes over any other without a word."""
    assert set(ENV_JSON) == set(ALL)
    for name, given in ENV_JSON.items():
        assert set(given) <= set(ALL[name][1]["Environment"]["Variables"]), name


@pytest.mark.parametrize("name", ALL)
def test_every_variable_is_a_setting(name: str) -> None:
    stack, properties = ALL[name]
    assert of_settings(set(variables(stack, properties))) <= SETTINGS


def test_the_local_stack_gives_the_same_variables() -> None:
    """On AWS a function gets what it needs; locally every function gets what any of them needs."""
    endpoints = Endpoints(dict.fromkeys(("migrator", "indexer", "api"), ""), "", "", dict.fromkeys(QUEUES, ""),
                          "", "", "", 1, "")  # fmt: skip
    local = {name for function in FUNCTIONS.values() for name in environment_of(function, endpoints, {})}
    templates = {name for stack, properties in ALL.values() for name in variables(stack, properties)}
    given_by_the_user = {name for name in templates if name.startswith(OF_THE_USER)}
    assert of_settings(templates) - given_by_the_user == of_settings(local)


@pytest.mark.parametrize("name", ALL)
def test_a_function_is_what_it_is_locally(name: str) -> None:
    stack, properties = ALL[name]
    local = FUNCTIONS[folder_of(name)]
    given = variables(stack, properties)
    assert properties["Timeout"] == local.timeout_seconds
    assert given["DATABASE_URL"].startswith(f"postgresql://{local.role}@")
    assert given["POWERTOOLS_SERVICE_NAME"] == local.name
    sources = sources_of(properties)
    dead = "dead_letter" in properties["Handler"]
    assert list(sources) == ([f"{local.queue}{DEAD if dead else ''}"] if local.queue else [])
    for source in sources.values():
        assert source["BatchSize"] == local.batch_size
        assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert stack.resolve(source["ScalingConfig"]["MaximumConcurrency"]) >= 2


def test_a_role_of_the_database_may_connect_as_itself_alone() -> None:
    """The right to connect is for the role that the address names."""
    for name in ("indexing", "api", "database"):
        text = (ROOT / f"infra/{name}.yaml").read_text("utf-8")
        role = {"indexing": "indexer", "api": "api", "database": "migrator"}[name]
        (resource,) = [line.rpartition("/")[2] for line in text.splitlines() if line.strip().startswith("Resource: ")
                       and ("DatabaseUsers" in line or "dbuser" in line)]  # fmt: skip
        assert resource == role


def test_queues_are_those_of_the_local_stack() -> None:
    found = resources("AWS::SQS::Queue").items()
    queues = {queue_of({"Queue": {"Fn::GetAtt": [name]}}): own for name, (_, own) in found}
    assert set(queues) == {*QUEUES, *(queue + DEAD for queue in QUEUES)}
    for name, timeout in QUEUES.items():
        redrive = queues[name]["RedrivePolicy"]
        assert queue_of({"Queue": redrive["deadLetterTargetArn"]}) == name + DEAD
        assert redrive["maxReceiveCount"] == MAX_RECEIVE_COUNT
        assert queues[name]["VisibilityTimeout"] >= VISIBILITY * timeout
    for _, properties in ALL.values():
        for queue in sources_of(properties):
            assert queues[queue]["VisibilityTimeout"] >= VISIBILITY * properties["Timeout"]


def test_the_layer_of_dependencies_is_within_the_lock() -> None:
    """Versions are locked once; what the runtime brings is left out; nothing of the client or of tests is in it."""
    locked = pinned("requirements.lock")
    layer = pinned("layers/dependencies/requirements.txt")
    assert layer.items() <= locked.items()
    assert not layer.keys() & {"boto3", "botocore", "s3transfer", "typer", "rich", "mcp", "pytest", "moto", "uvicorn"}
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    wanted = {requirement.partition("[")[0].partition(">")[0].lower() for requirement in extras["server"]}
    assert wanted - layer.keys() == {"boto3"}


def pinned(name: str) -> dict[str, str]:
    """Package → version of a file with hashes."""
    lines = [line for line in (ROOT / name).read_text("utf-8").splitlines() if "==" in line]
    return dict(line.split(" ")[0].split("==") for line in lines)
