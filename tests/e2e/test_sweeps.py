"""Sweeps that are killed, interrupted, cut off, large, and beside each other: the table is that of one process."""

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psutil
import pytest
from calling import ROOT, SCREENS, attnviz

SPEC = {"lab": "train", "device": "cpu", "num_hiddens": 16, "num_heads": 2, "num_layers": 1, "steps": 40}
"""Long enough that a sweep of it is still going on when a test that waits for its first rows looks at it."""
OVER = ("--over", "num_hiddens=16,17,32", "--over", "seed=0:11")
RUNS = 36
PATIENCE = 90.0
"""Seconds after which nothing that is waited for will come any more."""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.timeout(400),
]
Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a table without the time."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{**row, "milliseconds": ""} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """The table of one process."""
    path = tmp_path_factory.mktemp("serial") / "table.csv"
    said = attnviz("sweep", "-", *OVER, "-o", str(path), "--workers", "1", stdin=json.dumps(SPEC).encode())
    assert said.code == 0
    return rows_of(path)


@contextlib.contextmanager
def started(
    *command: str, cwd: Path, stderr: IO[bytes] | int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program in a group of its own, as a terminal does; at the end nothing of it is left."""
    env = {name: value for name, value in os.environ.items() if name not in SCREENS} | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE)


def sweep(*arguments: str, cwd: Path) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    (cwd / "spec.json").write_text(json.dumps(SPEC))
    return started("-m", "attnviz", "sweep", "spec.json", *arguments, cwd=cwd, stderr=subprocess.PIPE)


def wait_until(condition: object, what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until, f"waited in vain for {what}"
        time.sleep(0.02)


def has_rows(path: Path, count: int) -> bool:
    return path.exists() and path.read_bytes().count(b"\n") > count


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    """Let the sweeps hear Ctrl+C, which a shell that runs the tests in the background lets its children ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def end(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Return how a sweep ended, and what it said on stderr."""
    _, err = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in err, err.decode()
    return process.returncode, err.decode()


def is_worker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        line = " ".join(process.cmdline())
        return "spawn_main" in line
    return False


def test_that_a_sweep_is_gone_on_with_whatever_is_killed_or_interrupted(serial: list[Row], tmp_path: Path) -> None:
    path, whole = tmp_path / "table.csv", {row["run"]: row for row in serial}
    arguments = (*OVER, "-o", "table.csv", "--workers", "2")
    with sweep(*arguments, cwd=tmp_path) as process:
        wait_until(lambda: has_rows(path, 5), "rows")
        children = psutil.Process(process.pid).children(recursive=True)
        os.killpg(process.pid, signal.SIGINT)  # Ctrl+C in a terminal
        code, err = end(process)
        assert psutil.wait_procs(children, timeout=PATIENCE)[1] == []
    assert code == 130
    assert "attnviz: stopped; table.csv has " in err
    kept = rows_of(path)
    assert 5 <= len(kept) < RUNS
    assert all({name: whole[row["run"]][name] for name in row} == row for row in kept)
    with sweep(*arguments, cwd=tmp_path) as process:
        wait_until(lambda: has_rows(path, len(kept) + 1), "further rows")
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        assert psutil.wait_procs(children, timeout=PATIENCE)[1] == []  # a fast machine may have ended them by then
    with sweep(*arguments, cwd=tmp_path) as process:
        before = len(path.read_bytes().splitlines())
        for further, killed in ((1, 2), (8, 1)):  # both workers at once, then one of those that took their place
            wait_until(lambda further=further: has_rows(path, before + further), "further rows")
            for worker in list(filter(is_worker, psutil.Process(process.pid).children(recursive=True)))[:killed]:
                worker.kill()
        code, err = end(process)
    assert code == 0, err
    assert rows_of(path) == serial


@contextlib.contextmanager
def scheduler_with_workers(cwd: Path, file: Path, path: str = str(ROOT)) -> Iterator[subprocess.Popen[bytes]]:
    """A scheduler and two workers as a cluster has them, each a program of its own; ``path`` is that of the workers."""
    common = ("--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file))
    with contextlib.ExitStack() as held, pytest.MonkeyPatch.context() as patch:
        command = ("-m", "distributed.cli.dask_scheduler", *common, "--port", "0")
        scheduler = held.enter_context(started(*command, cwd=cwd))
        wait_until(file.exists, "the scheduler")
        patch.setattr(sys.modules[__name__], "ROOT", path)
        for name in "ab":
            command = ("-m", "distributed.cli.dask_worker", *common, "--nthreads", "1", "--name", name)
            held.enter_context(started(*command, "--local-directory", str(cwd), cwd=cwd))
        patch.undo()
        yield scheduler


def test_that_a_sweep_goes_on_after_its_scheduler_was_killed(serial: list[Row], tmp_path: Path) -> None:
    path, first, second = tmp_path / "table.csv", tmp_path / "first.json", tmp_path / "second.json"
    with scheduler_with_workers(tmp_path, first) as scheduler:
        arguments = (*OVER, "-o", "table.csv", "--scheduler-file", "first.json")
        with sweep(*arguments, cwd=tmp_path) as process:
            wait_until(lambda: has_rows(path, 5), "rows")
            scheduler.kill()
            code, err = end(process)
    assert code == 1
    assert "the scheduler is gone; the same command resumes with the remaining runs" in err
    assert 5 <= len(rows_of(path)) < RUNS
    with scheduler_with_workers(tmp_path, second):
        address = json.loads(second.read_text())["address"]
        with sweep(*OVER, "-o", "table.csv", "--scheduler", address, cwd=tmp_path) as process:
            code, err = end(process)
    assert code == 0, err
    assert rows_of(path) == serial


def test_that_a_worker_with_another_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import attnviz; attnviz.__version__ = '0.0.1'\n", encoding="utf-8")
    file = tmp_path / "scheduler.json"
    with (
        scheduler_with_workers(tmp_path, file, f"{tmp_path}:{ROOT}"),
        sweep(*OVER, "-o", "table.csv", "--scheduler-file", str(file), cwd=tmp_path) as process,
    ):
        code, err = end(process)
    assert code == 1
    assert "a worker has attnviz 0.0.1 and this machine attnviz " in err
    assert not (tmp_path / "table.csv").exists()


def test_that_two_sweeps_at_once_have_each_their_table_and_one_file_has_one_sweep(
    serial: list[Row], tmp_path: Path
) -> None:
    with (
        sweep(*OVER, "-o", "first.csv", "--workers", "2", cwd=tmp_path) as first,
        sweep(*OVER, "-o", "second.csv", "--workers", "2", cwd=tmp_path) as second,
    ):
        wait_until(lambda: has_rows(tmp_path / "first.csv", 1), "rows")
        with sweep(*OVER, "-o", "first.csv", "--workers", "1", cwd=tmp_path) as third:
            assert end(third) == (2, "attnviz: first.csv is being written by another sweep\n")
        assert (end(first)[0], end(second)[0]) == (0, 0)
    assert rows_of(tmp_path / "first.csv") == rows_of(tmp_path / "second.csv") == serial


def test_that_thousands_of_runs_are_as_many_rows_in_bounded_memory(tmp_path: Path) -> None:
    arguments = ("preset:multi-head-random", "--over", "num_heads=1,2,5,10", "--over", "seed=0:999")
    command = ("-m", "attnviz", "sweep", *arguments, "-o", "table.jsonl", "--workers", "2")
    path, early, late = tmp_path / "table.jsonl", 0, 0
    with started(*command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        wait_until(lambda: has_rows(path, 500), "rows")
        program = psutil.Process(process.pid)
        early = program.memory_info().rss
        while process.poll() is None and not has_rows(path, 3500):
            time.sleep(0.2)
        late = program.memory_info().rss if process.poll() is None else early
        code, err = end(process)
    assert code == 0, err
    runs = [json.loads(line)["run"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert runs == list(range(4000))
    assert late - early < 25 << 20, f"{early >> 20} MiB after 500 rows, {late >> 20} after 3,500"


def test_that_a_script_without_a_guard_is_told_how_to_write_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        "import attnviz\nattnviz.sweep({'device': 'cpu'}, {'seed': '0:3'}, workers=2)\n",
        encoding="utf-8",
    )
    with started("script.py", cwd=tmp_path, stderr=subprocess.PIPE) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert b"if __name__ == '__main__'" in err
