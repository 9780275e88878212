"""From a folder to a found procedure through every real part, and what a stack survives."""

import json
import shutil
import signal
import uuid
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import psutil
import pytest

from running_stack import SAMPLE, RunningStack
from waiting import wait_until

pytestmark = [pytest.mark.integration, pytest.mark.e2e]
MakeStack = Callable[..., RunningStack]


def places(found: dict[str, Any]) -> list[str]:
    return [hit["place"]["path"] for hit in found["hits"]]


def test_a_question_finds_a_procedure_with_its_place_and_its_channels(stack: RunningStack) -> None:
    found = stack.json("search", "остаток гарантийного срока", "--kind", "procedure", "--source", "warm-home")
    assert found["mode"] == "hybrid"
    assert found["coverage"] == 1.0
    assert not found["warnings"]
    best = found["hits"][0]
    assert best["place"]["path"].startswith("src/cf/")
    module = (SAMPLE / "configuration" / best["place"]["path"]).read_text(encoding="utf-8-sig").split("\n")
    lines = [line.rstrip("\r") for line in module[best["place"]["first_line"] - 1 : best["place"]["last_line"]]]
    assert "\n".join(lines).strip("\n") == best["text"]
    assert {"vector", "bm25"} <= set(best["ranks"])
    assert {"embed", "search", "rank", "read"} <= set(found["timings"])


def test_exact_questions_of_the_sample_find_their_file_among_the_first_three(stack: RunningStack) -> None:
    rows = (Path(__file__).parents[1] / "evaluation" / "sample_questions.jsonl").read_text(encoding="utf-8")
    questions = [row for row in map(json.loads, rows.splitlines()) if row["type"] == "exact"]
    assert len(questions) >= 10
    for question in questions:
        wanted = {place["path"].removeprefix("manual/") for place in question["relevant"]}
        found = stack.json("search", question["query"], "--mode", "lexical", "-n", "3")
        assert wanted & set(places(found)), question["query"]


def test_filters_work_inside_the_search(stack: RunningStack) -> None:
    under = stack.json("search", "скидка", "--under", "CommonModule.Скидки", "-n", "50")
    assert under["hits"]
    assert all(hit["fqn"].startswith("ОбщийМодуль.Скидки") for hit in under["hits"])
    help_pages = stack.json("search", "как провести документ", "--kind", "help")
    assert {hit["kind"] for hit in help_pages["hits"]} == {"help"}
    manual = stack.json("search", "возврат", "--source", "manual")
    assert all(path.endswith(".md") for path in places(manual))


def test_status_counts_what_is_in_the_sample(stack: RunningStack) -> None:
    source = next(row for row in stack.json("sources") if row["name"] == "warm-home")
    assert source["label"] == "2.4.1.15"
    assert source["counts"]["procedures"] == 264
    assert source["counts"]["documents.object"] == 101
    assert source["counts"]["documents.help"] == 12


def test_the_same_upload_again_changes_nothing(stack: RunningStack) -> None:
    before = stack.json("sources")
    stack.cli("upload", str(SAMPLE / "configuration"), "--source", "warm-home", "--force")
    assert stack.json("status")["uploads"][0]["state"] == "unchanged"
    assert stack.json("sources") == before


def test_of_a_folder_only_what_has_changed_is_sent(stack: RunningStack, tmp_path: Path) -> None:
    def last() -> dict[str, Any]:
        upload: dict[str, Any] = stack.json("uploads", "--source", "changing")[0]
        return upload

    folder = tmp_path / "manual"
    shutil.copytree(SAMPLE / "manual", folder)
    stack.cli("upload", str(folder), "--source", "changing")
    first = last()
    said = stack.cli("upload", str(folder), "--source", "changing", ONEC_RAG_LANG="ru")
    assert "без изменений" in said
    assert last() == first, "nothing was sent"
    (folder / "новая.md").write_text("# Гарантийный обмен\n\nЯхонтовый чайник меняют без чека.\n", "utf-8")
    stack.cli("upload", str(folder), "--source", "changing", "--label", "second")
    assert (last()["state"], last()["files"]) == ("ready", first["files"] + 1)
    assert last()["size"] < first["size"] / 2
    found = stack.json("search", "яхонтовый чайник", "--mode", "lexical", "--source", "changing")
    assert found["hits"][0]["place"]["path"] == "новая.md"


def test_a_broken_upload_says_why_and_what_was_there_is_served_on(stack: RunningStack, tmp_path: Path) -> None:
    not_a_zip = tmp_path / "dump.zip"
    not_a_zip.write_bytes(b"Rar!\x1a\x07\x01\x00" + b"0" * 100)
    said = stack.cli("upload", str(not_a_zip), "--source", "warm-home", code=1, ONEC_RAG_LANG="en")
    assert "rar" in said.lower()
    assert stack.json("search", "скидка", "--source", "warm-home")["hits"]


def test_a_broken_file_in_the_middle_is_told_and_the_rest_is_indexed(stack: RunningStack, tmp_path: Path) -> None:
    archive = tmp_path / "broken.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted((SAMPLE / "configuration").rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                name = path.relative_to(SAMPLE / "configuration").as_posix()
                file.writestr(name, data[: len(data) // 2] if name.endswith("Catalogs/Контрагенты.xml") else data)
    stack.cli("upload", str(archive), "--source", "broken")
    upload = next(row for row in stack.json("status")["uploads"] if row["source"] == "broken")
    assert upload["state"] == "ready"
    assert upload["problems"] == 1
    (problem,) = stack.json("status", upload["id"])["problems"]
    assert problem["path"] == "src/cf/Catalogs/Контрагенты.xml"
    assert problem["reason"]
    source = next(row for row in stack.json("sources") if row["name"] == "broken")
    assert source["counts"]["procedures"] == 264


def test_a_browser_uploads_by_a_form_with_a_bounded_size(stack: RunningStack) -> None:
    page = "# Проверка формы\n\nСтраница, присланная формой браузера: сиреневый бегемот.\n".encode()
    body = {"source": "by-form", "file_name": "страница.md", "size": len(page), "method": "form"}
    headers = {"Authorization": f"Bearer {stack.key}", "Content-Type": "application/json"}
    with urlopen(Request(f"{stack.url}/v1/uploads", json.dumps(body).encode(), headers), timeout=30) as answer:
        form = json.load(answer)["form"]
    boundary = uuid.uuid4().hex
    fields = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in form["fields"].items()
    )
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    data = (fields + file).encode() + page + f"\r\n--{boundary}--\r\n".encode()
    post = Request(form["url"], data, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
    with urlopen(post, timeout=30) as answer:
        assert answer.status in (200, 201, 204)
    wait_until(lambda: any(row["name"] == "by-form" and row["label"] for row in stack.json("sources")), 60)
    assert stack.json("search", "сиреневый бегемот", "--source", "by-form")["hits"]


def test_a_second_stack_on_the_folder_and_a_taken_port_are_told_clearly(
    stack: RunningStack, make_stack: MakeStack
) -> None:
    second = stack.command("up", "--data", str(stack.folder), "--port", "0")
    said, _ = second.communicate(timeout=60)
    assert second.returncode != 0
    assert stack.url in said
    other = make_stack()
    third = stack.command("up", "--data", str(other.folder), "--port", str(stack.port))
    said, _ = third.communicate(timeout=60)
    assert third.returncode != 0
    assert str(stack.port) in said


def test_a_stack_ends_all_it_started_and_comes_back_with_its_data(make_stack: MakeStack) -> None:
    stack = make_stack()
    stack.start()
    stack.cli("upload", str(SAMPLE / "manual"), "--source", "manual")
    before = stack.json("search", "возврат от покупателя", "--mode", "lexical")
    assert stack.process is not None
    children = psutil.Process(stack.process.pid).children(recursive=True)
    assert len(children) >= 7
    stack.stop()
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    stack.start()
    after = stack.json("search", "возврат от покупателя", "--mode", "lexical")
    assert after["hits"] == before["hits"]
    # The bucket was empty after the start but for what was put back: the same upload is still known.
    stack.cli("upload", str(SAMPLE / "manual"), "--source", "manual", "--force")
    assert stack.json("status")["uploads"][0]["state"] == "unchanged"


def test_an_upload_survives_a_kill_of_the_whole_stack(make_stack: MakeStack) -> None:
    stack = make_stack()
    stack.start()
    stack.cli("upload", str(SAMPLE / "configuration"), "--source", "warm-home", "--no-wait")
    wait_until(lambda: any((stack.folder / "objects").glob("*.json")), 60)
    stack.stop(signal.SIGKILL)
    stack.start()
    wait_until(lambda: stack.json("status")["uploads"][0]["state"] == "ready", 120)
    source = next(row for row in stack.json("sources") if row["name"] == "warm-home")
    assert source["counts"]["procedures"] == 264


def test_full_text_answers_while_the_embedding_endpoint_is_dead(make_stack: MakeStack) -> None:
    stack = make_stack(ONEC_RAG_EMBEDDING_BASE_URL="http://127.0.0.1:9/v1")
    stack.start()
    stack.cli("upload", str(SAMPLE / "manual"), "--source", "manual")
    found = stack.json("search", "возврат от покупателя")
    assert found["hits"]
    assert found["mode"] == "lexical"
    assert any("full text alone" in warning for warning in found["warnings"])
    wait_until(lambda: stack.json("sources")[0]["vector_problem"], 60)


def test_the_cli_prints_russian_in_any_locale(stack: RunningStack) -> None:
    said = stack.cli("search", "скидка", LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="", ONEC_RAG_LANG="ru")
    assert "Скидки" in said


def test_a_wrong_key_is_an_exit_code_of_its_own(stack: RunningStack) -> None:
    stack.cli("search", "скидка", code=3, ONEC_RAG_API_KEY="onecrag_wrong")
