import sys
from pathlib import Path

from onec_rag_local import processes


def test_a_log_that_has_grown_long_starts_anew_and_the_old_one_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "child.log"
    log.parent.mkdir()
    log.write_bytes(b"x" * (processes.LARGEST_LOG + 1))
    processes.spawn([sys.executable, "-c", "print('new')"], log).wait()
    assert log.read_text() == "new\n"
    assert (tmp_path / "logs" / "child.log.1").stat().st_size > processes.LARGEST_LOG


def test_a_short_log_goes_on(tmp_path: Path) -> None:
    for word in ("one", "two"):
        processes.spawn([sys.executable, "-c", f"print('{word}')"], tmp_path / "log").wait()
    assert (tmp_path / "log").read_text() == "one\ntwo\n"


def test_a_child_gets_the_environment_that_it_is_given(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import os; print(os.environ['NAME'], 'HOME' in os.environ)"]
    processes.spawn(command, tmp_path / "log", {"NAME": "Ёлка", "PYTHONUTF8": "1"}).wait()
    assert (tmp_path / "log").read_text("utf-8") == "Ёлка False\n"


def test_a_program_that_is_not_there_says_so_in_the_log(tmp_path: Path) -> None:
    assert processes.spawn(["/no/such/program"], tmp_path / "log").wait() == 1
    assert "FileNotFoundError" in processes.tail(tmp_path / "log")


def test_the_tail_of_a_log_is_its_last_lines(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"one\ntwo\n\xffthree\n")
    assert processes.tail(tmp_path / "log", lines=2) == "two\n\ufffdthree"
    assert processes.tail(tmp_path / "none") == ""
