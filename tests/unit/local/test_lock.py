import os
import subprocess
import sys
from pathlib import Path

import pytest

from onec_rag_local.errors import FolderInUseError
from onec_rag_local.lock import FolderLock

HOLDER = """
import sys, threading
from pathlib import Path
from onec_rag_local.lock import FolderLock
lock = FolderLock.take(Path(sys.argv[1]))
lock.publish("http://127.0.0.1:8080")
print("held", flush=True)
threading.Event().wait()
"""


def test_a_second_stack_is_told_who_holds_the_folder_in_both_languages(tmp_path: Path) -> None:
    with FolderLock.take(tmp_path / "lock") as lock:
        lock.publish("http://127.0.0.1:8080")
        with pytest.raises(FolderInUseError) as caught:
            FolderLock.take(tmp_path / "lock")
    russian, english = str(caught.value).split("\n")
    for line, words in ((russian, "стек уже запущен"), (english, "a stack is already running")):
        assert words in line
        assert f"pid {os.getpid()}" in line
        assert "http://127.0.0.1:8080" in line
        assert str(tmp_path) in line


def test_a_stack_that_is_only_starting_has_no_address_yet(tmp_path: Path) -> None:
    with FolderLock.take(tmp_path / "lock"), pytest.raises(FolderInUseError) as caught:
        FolderLock.take(tmp_path / "lock")
    assert (caught.value.pid, caught.value.url) == (os.getpid(), "")


def test_a_released_folder_may_be_taken_again(tmp_path: Path) -> None:
    first = FolderLock.take(tmp_path / "new" / "lock")
    first.release()
    first.release()
    FolderLock.take(tmp_path / "new" / "lock").release()


def test_the_lock_of_a_killed_stack_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(FolderInUseError) as caught:
            FolderLock.take(path)
        assert caught.value.pid == holder.pid
        holder.kill()
    FolderLock.take(path).release()


def test_an_unreadable_holder_is_still_a_holder(tmp_path: Path) -> None:
    with FolderLock.take(tmp_path / "lock"):
        (tmp_path / "lock").write_text("{")
        with pytest.raises(FolderInUseError, match=r"pid \?"):
            FolderLock.take(tmp_path / "lock")
