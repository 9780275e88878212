import json
from pathlib import Path

import pytest

from onec_rag_client.errors import SettingsInvalid
from onec_rag_client.settings import DEFAULT_URL, Settings, read_language, read_settings

LOCAL = {"url": "http://127.0.0.1:9090", "key": "onecrag_local"}


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """An environment whose data folder holds what the local stack leaves there."""
    (tmp_path / "client.json").write_text(json.dumps(LOCAL), "utf-8")
    return {"ONEC_RAG_DATA": str(tmp_path)}


def test_without_anything_the_service_is_the_local_one(tmp_path: Path) -> None:
    assert read_settings({"ONEC_RAG_DATA": str(tmp_path)}) == Settings(DEFAULT_URL, "")


def test_the_local_stack_tells_address_and_key(data: dict[str, str]) -> None:
    assert read_settings(data) == Settings(LOCAL["url"], LOCAL["key"])


def test_the_data_folder_is_looked_for_where_the_user_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".onec-rag").mkdir()
    (tmp_path / ".onec-rag" / "client.json").write_text(json.dumps(LOCAL), "utf-8")
    assert read_settings({}) == Settings(LOCAL["url"], LOCAL["key"])


def test_the_environment_wins(data: dict[str, str]) -> None:
    given = {"ONEC_RAG_URL": "https://rag.example.org/", "ONEC_RAG_API_KEY": " onecrag_mine\n"}
    assert read_settings(data | given) == Settings("https://rag.example.org/", "onecrag_mine")
    assert read_settings(data | {"ONEC_RAG_API_KEY": "onecrag_mine"}) == Settings(LOCAL["url"], "onecrag_mine")


def test_the_local_key_is_not_sent_to_another_address(data: dict[str, str]) -> None:
    assert read_settings(data | {"ONEC_RAG_URL": "https://rag.example.org"}).key == ""
    assert read_settings(data | {"ONEC_RAG_URL": f"{LOCAL['url']}/"}).key == LOCAL["key"]


def test_a_file_that_notepad_saved_is_read(tmp_path: Path) -> None:
    (tmp_path / "client.json").write_text(json.dumps(LOCAL), "utf-8-sig")
    assert read_settings({"ONEC_RAG_DATA": str(tmp_path)}).key == LOCAL["key"]


@pytest.mark.parametrize("content", ["{", "[]", "{}", "null", '{"url": "http://x"}'])
def test_a_file_that_is_not_ours_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "client.json").write_text(content, "utf-8")
    with pytest.raises(SettingsInvalid, match=r"client\.json"):
        read_settings({"ONEC_RAG_DATA": str(tmp_path)})


def test_the_key_is_not_shown_with_the_settings() -> None:
    assert "secret" not in repr(Settings("http://x", "secret"))


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"ONEC_RAG_LANG": "ru", "LANG": "en_US.UTF-8"}, "ru"),
        ({"ONEC_RAG_LANG": "en", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "ru_RU.UTF-8", "LANG": "de_DE.UTF-8"}, "ru"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_asked_for_or_the_locales(environment: dict[str, str], language: str) -> None:
    assert read_language(environment) == language
