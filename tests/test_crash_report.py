"""The log and what is left of a crash: small, nobody's but this program's, and never in the way."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from attnviz import __version__, crash_report, log
from attnviz.crash_report import Watch, collect, text_of
from attnviz.log import MOST, MOST_ALIKE, NoteLimit, log_file, note, note_defect, reports_folder

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the folders, and the signals, of Linux")

STRUCK = """
import ctypes, os, signal, sys
from attnviz.crash_report import Watch

watch = Watch()
watch.begin()
print("begun", flush=True)
match sys.argv[1]:
    case "reads where nothing is":
        ctypes.string_at(0)
    case "is killed":
        os.kill(os.getpid(), signal.SIGKILL)
    case "lives":
        sys.stdin.read()
watch.close("code 0")
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def process(what: str) -> "subprocess.Popen[str]":
    pipe = subprocess.PIPE
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    env.pop("PYTHONFAULTHANDLER", None)  # which would have Python write to the terminal instead
    command = [sys.executable, "-c", STRUCK, what]
    begun = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert begun.stdout is not None
    assert begun.stdout.readline() == "begun\n"
    return begun


def left() -> list[str]:
    return sorted(path.suffix for path in reports_folder().iterdir() if path.suffix != ".lock")


def test_that_a_crash_becomes_a_report_at_the_next_start_once() -> None:
    process("reads where nothing is").communicate()
    assert left() == [".running"]
    (report,) = collect()
    text = text_of(report)
    assert text.startswith(f"attnviz {__version__}, Python ")
    assert "Segmentation fault" in text
    assert "string_at" in text
    assert report.path.parent == reports_folder()
    assert "Segmentation fault" in log_file().read_text(encoding="utf-8")
    assert collect() == []
    assert left() == [".log", ".txt"]


def test_that_a_kill_leaves_a_line_in_the_log_and_no_report() -> None:
    process("is killed").communicate()
    assert collect() == []
    assert left() == [".log"]
    assert "a window ended without a report" in log_file().read_text(encoding="utf-8")


def test_that_the_file_of_one_that_lives_is_left_alone_and_a_clean_end_leaves_none() -> None:
    living = process("lives")
    try:
        process("reads where nothing is").communicate()
        assert len(collect()) == 1
        assert left() == [".log", ".running", ".txt"]
    finally:
        living.communicate(timeout=20)
    assert living.returncode == 0
    assert left() == [".log", ".txt"]


def test_that_a_window_that_begins_is_never_taken_for_one_that_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    real, found = crash_report.lock, []

    def lock_late(handle: int) -> bool:
        monkeypatch.setattr(crash_report, "lock", real)
        found.extend(collect())  # another window starts before the file of this one is locked
        return real(handle)

    monkeypatch.setattr(crash_report, "lock", lock_late)
    watch = Watch()
    watch.begin()
    assert found == collect() == []
    assert left() == [".running"]
    assert not log_file().exists()
    watch.close("code 0")
    assert left() == []


def test_that_a_window_whose_file_cannot_be_locked_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_report, "lock", lambda _: False)
    watch = Watch()
    watch.begin()
    assert left() == []
    watch.put_last_words("nobody hears them")
    watch.close("code 0")
    assert left() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('File "/srv/ann/x.py", line 1', 'File "~/x.py", line 1'),
        ("in /srv/ann", "in ~"),
        ("in /srv/ann.", "in ~."),
        ("/srv/anna/x.py", "/srv/anna/x.py"),
        ("/srv/ann-old/x.py and /srv/ann.bak", "/srv/ann-old/x.py and /srv/ann.bak"),
    ],
)
def test_that_only_the_users_own_folder_is_written_short(text: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for home in ("/srv/ann", "/srv/ann/"):
        monkeypatch.setenv("HOME", home)
        assert log.without_home(text) == said


def test_that_any_record_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_LETTERS", 100)
    note(f"first {'x' * 1000} last")
    text = log_file().read_text(encoding="utf-8")
    assert len(text) < 200
    assert "first x" in text
    assert "x last" in text


def test_that_old_reports_go() -> None:
    reports_folder().mkdir(parents=True)
    for number in range(9):
        (reports_folder() / f"crash-2001010{number}-000000-1.txt").write_text("old")
    collect()
    assert len(left()) == crash_report._MOST_REPORTS
    assert (reports_folder() / "crash-20010108-000000-1.txt").exists()


def test_that_a_report_that_has_gone_is_a_sentence() -> None:
    process("reads where nothing is").communicate()
    (report,) = collect()
    report.path.unlink()
    assert text_of(report) == f"{report.path} cannot be read: No such file or directory"


def test_that_the_log_stays_small_and_keeps_its_newest_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 2000)
    for number in range(100):
        assert note(f"record {number} {'x' * 100}")
    files = sorted(path for path in reports_folder().iterdir() if path.suffix != ".lock")
    assert [path.name for path in files] == ["attnviz.log", "attnviz.log.1", "attnviz.log.2"]
    assert all(path.stat().st_size <= 2000 for path in files)
    assert "record 99 " in log_file().read_text(encoding="utf-8")


def test_that_many_at_once_lose_no_record_and_mix_none() -> None:
    def write(who: int) -> None:
        for number in range(25):
            assert note(f"<{who} {number} {'x' * 500}>")

    threads = [threading.Thread(target=write, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = log_file().read_text(encoding="utf-8").splitlines()
    found = {line.partition("<")[2].rpartition(" ")[0] for line in lines if line.endswith("x>")}
    assert found == {f"{who} {number}" for who in range(4) for number in range(25)}
    assert len(lines) == 100


def test_that_a_defect_is_kept_with_its_traceback_cut_where_it_is_endless_and_without_the_users_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(Path(__file__).parent))
    with pytest.raises(KeyError) as caught:
        raise KeyError("boom \ud800" + "x" * 50_000)
    assert note_defect("a test", caught.value)
    text = log_file().read_text(encoding="utf-8")
    assert "Traceback (most recent call last):" in text
    assert f'File "~/{Path(__file__).name}"' in text
    assert len(text) < log.MOST_LETTERS + 200


@pytest.mark.parametrize("in_the_way", ["a file", "a full disk", "a pipe"])
def test_that_everything_goes_on_without_a_log(in_the_way: str, tmp_path: Path) -> None:
    if in_the_way == "a file":
        (tmp_path / "state").write_text("no folder")
    else:
        reports_folder().mkdir(parents=True)
        if in_the_way == "a pipe":
            os.mkfifo(log_file())
        elif not Path("/dev/full").exists():
            pytest.skip("no full disk here")
        else:
            log_file().symlink_to("/dev/full")
    assert not note("anything")
    watch = Watch()
    watch.begin()
    watch.note("what is known")
    watch.close("code 0")
    assert collect() == []


def test_that_nobody_else_can_read_the_log_and_the_reports() -> None:
    reports_folder().mkdir(parents=True)  # as an earlier version has made it
    process("reads where nothing is").communicate()
    watch = Watch()
    watch.begin()
    collect()
    for path in (reports_folder().parent, *reports_folder().parent.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path.name
    assert {path.suffix for path in reports_folder().iterdir()} >= {".running", ".txt", ".log"}
    watch.close("code 0")


def test_that_three_of_a_kind_are_let_through_and_others_still_are() -> None:
    limit = NoteLimit()
    assert [limit.lets("one") for _ in range(5)] == [True] * MOST_ALIKE + [False] * 2
    assert limit.lets("another")


def test_that_a_hundred_are_let_through_whatever_they_are() -> None:
    limit = NoteLimit()
    assert [limit.lets(str(number)) for number in range(MOST + 5)] == [True] * MOST + [False] * 5
