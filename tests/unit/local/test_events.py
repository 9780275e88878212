import time
from pathlib import Path

import pytest

from onec_rag_local.events import LambdaContext, back_off_seconds, failed_messages, load_handler_module


@pytest.mark.parametrize("answer", [None, {}, {"batchItemFailures": []}, {"batchItemFailures": None}])
def test_an_empty_answer_means_that_all_is_done(answer: object) -> None:
    assert failed_messages(answer, {"1", "2"}) == set()


def test_what_is_reported_has_failed() -> None:
    assert failed_messages({"batchItemFailures": [{"itemIdentifier": "2"}]}, {"1", "2"}) == {"2"}


@pytest.mark.parametrize(
    "answer",
    [
        "text",
        ["1"],
        {"batchItemFailures": "text"},
        {"batchItemFailures": [{"itemIdentifier": ""}]},
        {"batchItemFailures": [{"itemIdentifier": None}]},
        {"batchItemFailures": [{"itemIdentifier": "unknown"}]},
        {"batchItemFailures": [{"wrong": "1"}]},
        {"batchItemFailures": [{"itemIdentifier": []}]},
        {"batchItemFailures": 5},
    ],
)
def test_a_malformed_answer_leaves_all_undone(answer: object) -> None:
    assert failed_messages(answer, {"1", "2"}) == {"1", "2"}


def test_a_failed_message_waits_longer_each_time_but_not_for_its_burial() -> None:
    assert [back_off_seconds(count) for count in range(1, 6)] == [2, 4, 8, 16, 0]


def test_the_time_that_remains_is_never_negative() -> None:
    assert LambdaContext("api", time.monotonic() - 1).get_remaining_time_in_millis() == 0
    assert LambdaContext("api", time.monotonic() + 100).get_remaining_time_in_millis() > 0


def test_a_file_that_is_not_there_is_an_import_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(FileNotFoundError):
        load_handler_module(tmp_path / "handler.py")
