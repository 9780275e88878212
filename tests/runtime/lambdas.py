"""Functions as Lambda runs them: the artefact that `sam build` makes, in AWS's own runtime client."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from runtime.templates import ROOT, Stack, functions, variables
from runtime_api import Answer, RuntimeApi


@dataclass(frozen=True, slots=True)
class Lambda:
    """A running function; `log` is the file with what it prints."""

    api: RuntimeApi
    process: subprocess.Popen[bytes]
    log: Path

    def invoke(self, event: Mapping[str, Any]) -> Answer:
        return self.api.invoke(event)

    def response(self, event: Mapping[str, Any]) -> Any:
        """What the handler returned; what it printed where it failed instead."""
        answer = self.invoke(event)
        assert answer.kind == "response", f"{answer.body}\n{self.printed()}"
        return answer.body

    def printed(self) -> str:
        return self.log.read_text("utf-8")


def build(makefile: str, logical_id: str, target: Path) -> Path:
    """What `sam build` does with a `BuildMethod: makefile`."""
    target.mkdir(parents=True)
    path = ROOT / makefile
    command = ["make", "--silent", "--makefile", str(path), f"build-{logical_id}"]
    subprocess.run(command, cwd=path.parent, env=os.environ | {"ARTIFACTS_DIR": str(target)}, check=True)
    return target


@contextmanager
def started(folder: Path, handler: str, environment: Mapping[str, str], log: Path) -> Iterator[Lambda]:
    """The runtime client over an artefact, with an environment that holds nothing of the tests' own but PATH."""
    name = environment.get("AWS_LAMBDA_FUNCTION_NAME", "function")
    with RuntimeApi(name) as api, log.open("wb") as output:
        given = {
            "PATH": os.environ["PATH"],
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "LAMBDA_TASK_ROOT": str(folder),
            "AWS_LAMBDA_RUNTIME_API": api.address,
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_LOG_GROUP_NAME": f"/aws/lambda/{name}",
            "AWS_LAMBDA_LOG_STREAM_NAME": "2026/11/30/[$LATEST]1",
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "AWS_EXECUTION_ENV": "AWS_Lambda_python3.13",
            "_HANDLER": handler,
            **environment,
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "awslambdaric", handler],
            cwd=folder, env=given, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            yield Lambda(api, process, log)
        finally:
            process.kill()
            process.wait()


class Deployment:
    """The application's functions, each started when it is first asked for.

    `local` are the variables without which a function would look for AWS itself; `dsns` are addresses by role: which
    one a function gets is said by the user of its own `DATABASE_URL`.
    """

    def __init__(self, stack: Stack, folder: Path, local: Mapping[str, str], dsns: Mapping[str, str]) -> None:
        self.functions = functions(stack)
        self._folder = folder
        self._local = local
        self._dsns = dsns
        self._numbers = count(1)
        self._layer = build("layers/shared/Makefile", "SharedLayer", folder / "SharedLayer")

    def environment(self, name: str) -> dict[str, str]:
        """The function's variables by the template, and with them this machine's endpoints."""
        stack, properties = self.functions[name]
        given = variables(stack, properties)
        del given["AWS_USE_DUALSTACK_ENDPOINT"]  # boto refuses it together with endpoints of our own
        role = given["DATABASE_URL"].removeprefix("postgresql://").partition("@")[0]
        return {
            **given,
            **self._local,
            "DATABASE_URL": self._dsns[role],
            "AWS_LAMBDA_FUNCTION_NAME": name,
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(properties["MemorySize"]),
            "PYTHONPATH": str(self._layer / "python"),
        }

    @contextmanager
    def started(self, name: str, **environment: str) -> Iterator[Lambda]:
        """The function, built by its Makefile; `environment` goes over what it would get."""
        _, properties = self.functions[name]
        folder = self._folder / name
        if not folder.exists():
            build(f"{properties['CodeUri'].removeprefix('../')}/Makefile", name, folder)
        log = self._folder / f"{name}-{next(self._numbers)}.log"
        with started(folder, properties["Handler"], self.environment(name) | environment, log) as running:
            yield running
