import io
import sys

import pytest

from onec_rag_client.streams import speak_utf8


def test_streams_of_a_cp1251_console_become_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    console = io.BytesIO()
    stream = io.TextIOWrapper(console, encoding="cp1251")
    monkeypatch.setattr(sys, "stdout", stream)
    speak_utf8()
    stream.write("→ \udcd0")
    stream.flush()
    assert console.getvalue() == "→ ?".encode()


def test_streams_that_are_none_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    speak_utf8()
