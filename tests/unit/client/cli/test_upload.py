import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from unit.client.conftest import RunCli
from unit.client.fake_api import PART_SIZE, UPLOAD_ID, FakeApi, make_source, problem
from waiting import wait_until

COUNTS = {
    "procedures": 38_310, "documents.object": 2_724, "documents.help": 543, "chunks_new": 70_000, "chunks_kept": 5_000,
}  # fmt: skip
MANIFEST = ".onec-rag/manifest.json"
LOADED = {"state": "ready", "label": "3.1.12.238", "release": 2, "tasks": 4, "tasks_done": 4, "counts": COUNTS}


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """A folder that gives a zip of several parts."""
    folder = tmp_path / "БСП"
    (folder / "CommonModules").mkdir(parents=True)
    (folder / "Configuration.xml").write_text("<MetaDataObject/>", "utf-8")
    (folder / "CommonModules" / "Модуль.bin").write_bytes(hashlib.shake_256(b"module").digest(3 * PART_SIZE))
    return folder


def test_a_folder_is_zipped_sent_and_watched_until_full_text_finds_it(
    run_cli: RunCli, fake: FakeApi, dump: Path
) -> None:
    fake.upload_steps.extend([{"state": "loading", "tasks": 4, "tasks_done": 1}, LOADED])
    ended = run_cli("upload", dump, "--source", "bsp", "--label", "3.1.12.238")
    assert ended.returncode == 0, ended.stderr
    with ZipFile(io.BytesIO(fake.object)) as sent:
        assert sent.namelist() == ["CommonModules/Модуль.bin", "Configuration.xml", MANIFEST]
        assert json.loads(sent.read(MANIFEST)) == {"hash": "sha256", "base": None, "files": hashes(dump)}
    announced = fake.sent("POST", "/v1/uploads")[0].json
    assert announced == {"source": "bsp", "file_name": "БСП.zip", "size": len(fake.object), "label": "3.1.12.238"}
    shown = dict(line.split(maxsplit=1) for line in ended.stdout.splitlines() if "  " in line.strip())
    assert shown["состояние"].strip() == "готово"
    assert shown["релиз"].strip() == "3.1.12.238 (#2)"
    for figure in ("38 310", "2 724", "543", "75 000", "70 000"):
        assert figure in ended.stdout.replace("\N{NO-BREAK SPACE}", " ")
    for stage in ("упаковка", "отправка", "разбор и запись"):
        assert stage in ended.stderr
    assert "4 / 4" in ended.stderr
    assert fake.sent("GET", "/v1/sources") == []  # vectors are not waited for


def hashes(folder: Path) -> dict[str, str]:
    """What the service knows of a folder that was uploaded."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:32] for path in files}


def known(folder: Path) -> dict[str, object]:
    return {"upload": "the last one", "release": 2, "label": "3.1.12.238", "files": hashes(folder)}


def test_a_folder_that_the_service_has_is_not_sent_again(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.manifest, fake.sources = known(dump), [make_source()]
    ended = run_cli("upload", dump, "-s", "bsp", "--wait", "vectors")
    assert ended.returncode == 0, ended.stderr
    assert "без изменений" in ended.stdout
    assert "3.1.12.238 (#2)" in ended.stdout
    assert "38\N{NO-BREAK SPACE}310" in ended.stdout
    assert fake.sent("POST", "/v1/uploads") == []
    result = json.loads(run_cli("upload", dump, "-s", "bsp", "--label", "3.1.12.238", "--json").stdout)
    assert result["upload"] is None
    assert (result["problems"], result["skipped"]) == ([], [])


def test_of_a_folder_only_what_has_changed_is_sent(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    (dump / "gone.xml").write_text("<x/>")
    fake.manifest = known(dump)
    (dump / "gone.xml").unlink()
    (dump / "Configuration.xml").write_text("<MetaDataObject>1</MetaDataObject>", "utf-8")
    (dump / "new.xml").write_text("<y/>")
    fake.upload_steps.append(LOADED)
    ended = run_cli("upload", dump, "-s", "bsp")
    assert ended.returncode == 0, ended.stderr
    with ZipFile(io.BytesIO(fake.object)) as sent:
        assert sent.namelist() == ["Configuration.xml", "new.xml", MANIFEST]
        manifest = json.loads(sent.read(MANIFEST))
    assert manifest == {"hash": "sha256", "base": "the last one", "files": hashes(dump)}
    assert "сравнение" in ended.stderr


def test_another_label_alone_is_sent_without_files(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.manifest = known(dump)
    fake.upload_steps.append(LOADED)
    assert run_cli("upload", dump, "-s", "bsp", "--label", "4.0").returncode == 0
    with ZipFile(io.BytesIO(fake.object)) as sent:
        assert sent.namelist() == [MANIFEST]
    assert fake.sent("POST", "/v1/uploads")[0].json["label"] == "4.0"


def test_everything_is_sent_when_the_changes_alone_are_refused(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.manifest = known(dump)
    (dump / "new.xml").write_text("<y/>")
    fake.upload_steps.extend([{"state": "failed", "reason": "no longer the last one: send everything"}, LOADED])
    ended = run_cli("upload", dump, "-s", "bsp")
    assert ended.returncode == 0, ended.stderr
    assert "no longer the last one: send everything" in ended.stderr
    assert len(fake.sent("POST", "/v1/uploads")) == 2
    with ZipFile(io.BytesIO(fake.object)) as sent:
        assert json.loads(sent.read(MANIFEST))["base"] is None
        assert "CommonModules/Модуль.bin" in sent.namelist()


@pytest.mark.parametrize("option", ["--force", "--no-wait"])
def test_everything_is_sent_when_asked_or_when_nobody_waits(
    run_cli: RunCli, fake: FakeApi, dump: Path, option: str
) -> None:
    fake.manifest = known(dump)
    fake.upload_steps.append(LOADED)
    assert run_cli("upload", dump, "-s", "bsp", option).returncode == 0
    assert fake.sent("GET", "/v1/sources/bsp/manifest") == []
    with ZipFile(io.BytesIO(fake.object)) as sent:
        assert len(sent.namelist()) == 3


def test_the_same_folder_is_the_same_bytes_again(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    run_cli("upload", dump, "-s", "bsp", "--no-wait")
    first = fake.object
    fake.parts.clear()
    os.utime(dump / "Configuration.xml", (1, 1))
    run_cli("upload", dump, "-s", "bsp", "--no-wait")
    assert fake.object == first


def test_a_page_is_sent_as_it_is(run_cli: RunCli, fake: FakeApi, tmp_path: Path) -> None:
    (tmp_path / "Начало.md").write_text("# Начало", "utf-8")
    fake.upload_steps.append(LOADED)
    assert run_cli("upload", "Начало.md", "-s", "docs", LC_ALL="C").returncode == 0
    assert fake.object.decode() == "# Начало"
    assert fake.sent("POST", "/v1/uploads")[0].json["file_name"] == "Начало.md"


def test_no_wait_returns_when_everything_is_sent(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    ended = run_cli("upload", dump, "-s", "bsp", "--no-wait")
    assert ended.returncode == 0
    assert f"onec-rag status {UPLOAD_ID}" in ended.stdout
    assert fake.sent("GET", f"/v1/uploads/{UPLOAD_ID}") == []


def test_vectors_are_waited_for_when_asked(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.upload_steps.append(LOADED)
    fake.sources = [make_source(vectors=0, coverage=0.0)]
    fake.vector_steps.extend([{}, {"vectors": 75_000, "coverage": 1.0}])
    ended = run_cli("upload", dump, "-s", "bsp", "--wait", "vectors")
    assert ended.returncode == 0
    assert "векторы" in ended.stderr
    assert len(fake.sent("GET", "/v1/sources")) == 2


def test_json_holds_upload_problems_skipped_files_and_seconds(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    (dump / "link").symlink_to(dump.parent, target_is_directory=True)
    fake.upload_steps.append(LOADED | {"problems": 1})
    fake.problems = [{"path": "a.bsl", "place": "line 1", "reason": "not text"}]
    ended = run_cli("upload", dump, "-s", "bsp", "--json")
    result = json.loads(ended.stdout)
    assert result["upload"]["counts"] == COUNTS
    assert result["problems"] == fake.problems
    assert result["skipped"] == [{"path": "link", "reason": "link"}]
    assert result["seconds"] > 0
    assert "пропущена ссылка: link" in ended.stderr


def test_the_first_ten_problems_are_shown(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.problems = [{"path": f"Модуль{number}.bsl", "place": "line 1", "reason": "не текст"} for number in range(12)]
    fake.upload_steps.append(LOADED | {"problems": 12})
    shown = run_cli("upload", dump, "-s", "bsp").stdout
    assert "Модуль9.bsl" in shown
    assert "не текст" in shown
    assert "Модуль10.bsl" not in shown
    assert f"… и ещё 2: onec-rag problems {UPLOAD_ID}" in shown


def test_a_failed_load_is_exit_code_1_with_the_reason(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.upload_steps.append({"state": "failed", "reason": "nothing in this upload is known"})
    for more in ([], ["--json"]):
        ended = run_cli("upload", dump, "-s", "bsp", *more)
        assert ended.returncode == 1
        assert "nothing in this upload is known" in ended.stderr
        fake.parts.clear()
    assert json.loads(ended.stdout)["upload"]["state"] == "failed"


def test_a_held_load_is_exit_code_1_with_the_command_that_confirms_it(
    run_cli: RunCli, fake: FakeApi, dump: Path
) -> None:
    fake.upload_steps.append({"state": "held", "reason": "it would remove 7 of 8 documents"})
    ended = run_cli("upload", dump, "-s", "bsp", "--wait", "vectors")
    assert ended.returncode == 1
    assert "ждёт подтверждения" in ended.stdout
    assert (
        f"it would remove 7 of 8 documents. Если так и задумано: onec-rag uploads confirm {UPLOAD_ID}" in ended.stderr
    )
    assert fake.sent("POST", "/v1/uploads")[0].json.get("confirm") is None


def test_a_load_may_be_confirmed_beforehand(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    assert run_cli("upload", dump, "-s", "bsp", "--no-wait", "--confirm").returncode == 0
    assert fake.sent("POST", "/v1/uploads")[0].json["confirm"] is True


def test_an_unchanged_release_shows_what_is_loaded_already(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.sources = [make_source()]
    fake.upload_steps.append({"state": "unchanged", "reason": "the same bytes are loaded", "release": 2})
    ended = run_cli("upload", dump, "-s", "bsp")
    assert ended.returncode == 0
    assert "без изменений" in ended.stdout
    assert "38\N{NO-BREAK SPACE}310" in ended.stdout


def test_a_part_that_fails_once_is_sent_again(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.part_failures.append(500)
    assert run_cli("upload", dump, "-s", "bsp", "--no-wait").returncode == 0
    assert len(fake.object) > 3 * PART_SIZE


@pytest.mark.parametrize("name", ["1Cv8.cf", "Обработка.epf", "photo.png", "empty.zip", "empty.tar.gz", "empty"])
def test_what_is_no_upload_is_refused_before_anything_is_sent(
    run_cli: RunCli, fake: FakeApi, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).touch() if "." in name else (tmp_path / name).mkdir()
    ended = run_cli("upload", name, "-s", "bsp")
    assert ended.returncode == 2
    assert name in ended.stderr
    assert fake.requests == []


def test_a_key_that_may_not_upload_is_exit_code_3(run_cli: RunCli, fake: FakeApi, dump: Path) -> None:
    fake.failures.append(problem(403, "this API key has no scope 'upload'"))
    assert run_cli("upload", dump, "-s", "bsp").returncode == 3


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_tells_that_the_load_goes_on(
    fake: FakeApi, cli_environment: dict[str, str], dump: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "onec_rag_client", "upload", str(dump), "-s", "bsp"]
    with subprocess.Popen(
        command, env=cli_environment, cwd=tmp_path, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        wait_until(lambda: fake.sent("GET", f"/v1/uploads/{UPLOAD_ID}"))
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"onec-rag status {UPLOAD_ID}" in stderr
    assert "Traceback" not in stderr
