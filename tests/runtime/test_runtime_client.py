"""What Lambda's runtime client makes of our handlers, whatever the event."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.cloudformation import CloudFormation
from runtime.lambdas import Deployment, Lambda, started

pytestmark = pytest.mark.runtime


def test_a_handler_that_fails_to_import_is_told_before_any_event(tmp_path: Path) -> None:
    (tmp_path / "handler.py").write_text("import nothing_of_this_name\n")
    with started(tmp_path, "handler.handler", {}, tmp_path / "log") as function:
        answer = function.api.answer()
        assert function.process.wait(30) == 1
    assert answer.kind == "init/error"
    assert answer.body["errorType"] == "Runtime.ImportModuleError"
    assert "nothing_of_this_name" in answer.body["errorMessage"]


def test_a_wrong_setting_ends_the_api_at_start_with_its_name(deployment: Deployment) -> None:
    with deployment.started("ApiFunction", ONEC_RAG_EMBEDDING_DIMENSIONS="many") as function:
        answer = function.api.answer()
    assert answer.kind == "init/error"
    assert "embedding_dimensions" in answer.body["errorMessage"]


def test_a_secret_that_is_not_there_ends_the_api_at_start_with_its_name(deployment: Deployment) -> None:
    arn = "arn:aws:secretsmanager:us-east-1:111122223333:secret:gone-AbCdEf"
    with deployment.started("ApiFunction", ONEC_RAG_KEY_SECRET=arn) as function:
        answer = function.api.answer()
    assert answer.kind == "init/error"
    assert answer.body["errorType"] == "ConfigurationError"


def test_an_answer_that_cloudformation_does_not_take_is_an_error(
    function: Callable[[str], Lambda], cloudformation: CloudFormation
) -> None:
    """Lambda runs an asynchronous invocation that failed again, twice."""
    event = {"RequestType": "Delete", "StackId": "", "RequestId": "", "LogicalResourceId": ""}
    answer = function("MigratorFunction").invoke({**event, "ResponseURL": f"{cloudformation.url}&changed"})
    assert answer.kind == "error"
    assert answer.body["errorMessage"] == "CloudFormation: HTTP 403"


def test_an_event_that_is_not_known_is_an_error_and_the_process_goes_on(function: Callable[[str], Lambda]) -> None:
    migrator = function("MigratorFunction")
    answer = migrator.invoke({"job": "dance"})
    assert answer.kind == "error"
    assert answer.body["errorType"] == "ValueError"
    assert migrator.response({"job": "migrate"}) == {"applied": []}


def test_invocations_of_one_process_have_ids_of_their_own(
    function: Callable[[str], Lambda], run: Callable[..., Any]
) -> None:
    answers = [run("api_healthz") for _ in range(2)]
    assert [answer["statusCode"] for answer in answers] == [200, 200]
    first, second = (answer["headers"]["x-request-id"] for answer in answers)
    assert first != second
    assert function("ApiFunction").process.poll() is None
