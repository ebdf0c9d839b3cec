"""A sweep of the window in its own process: the rows of the table, live, stopped and saved."""

import csv
import json
import os
import shutil
import signal
from pathlib import Path
from typing import cast

import pytest
from calling import forked
from PySide6.QtCore import QCoreApplication, QEvent, QProcess, QTemporaryDir
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from small_specs import SMALL
from windows import Opener

from attnviz.experiment.sweeps.crossing import FAILURE, RUN, SPEC, SWEEP
from attnviz.experiment.sweeps.results import Results
from attnviz.experiment.texts.languages import ENGLISH
from attnviz.export.tables.lines import JsonLines
from attnviz.gui.language import install_language
from attnviz.gui.sweeps import sweep_process
from attnviz.gui.sweeps.sweep_page import SweepPage
from attnviz.gui.window.main_window import MainWindow

LONG_MS = 240_000
"""A process that starts beside many others takes a minute."""


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    return open_window()


def page_of(window: MainWindow, qtbot: QtBot, values: str, seeds: str) -> SweepPage:
    window.actions_["sweep"].trigger()
    page = window.sweeps.page
    page.choices.first.field.setCurrentIndex(page.choices.first.field.findData("num_heads"))
    page.choices.first.values.setText(values)
    page.choices.seeds.setText(seeds)
    page.choices.read()
    qtbot.waitUntil(lambda: page.choices.run.isEnabled() and page.choices.overs[1] == f"seed={seeds}")
    return page


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: value for name, value in row.items() if name != "milliseconds"} for row in csv.DictReader(file)]


def test_that_its_table_is_that_of_the_command_line(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = page_of(window, qtbot, "1,2,3", "0:2")
    page.choices.run.click()
    qtbot.waitUntil(lambda: not page.process.busy, timeout=LONG_MS)
    results = page.process.results
    assert results is not None
    assert len(results) == 9
    assert len(results.failures) == 3, "3 heads of 8 features"
    assert page.progress.text() == "9 of 9 runs   3 failed"
    with qtbot.waitSignal(window.exporter.said):
        page.exports.save_to(tmp_path / "window.CSV")
    spec = json.dumps(SMALL.model_dump(mode="json"))
    over = "--over", "num_heads=1,2,3", "--over", "seed=0:2"
    forked("sweep", "-", *over, "-o", "command.csv", cwd=tmp_path, stdin=spec.encode())
    assert rows_in(tmp_path / "window.CSV") == rows_in(tmp_path / "command.csv")


def test_that_a_stopped_sweep_keeps_its_rows_and_leaves_no_process(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:3000")
    page.choices.run.click()
    qtbot.waitUntil(lambda: bool(page.process.results), timeout=LONG_MS)
    page.choices.stop.click()
    qtbot.waitUntil(lambda: not page.process.busy, timeout=LONG_MS)
    results = page.process.results
    assert results is not None
    assert 0 < len(results) < 9003
    assert "stopped" in page.progress.text()
    assert page.choices.run.isEnabled()


def test_that_closing_the_window_ends_the_sweep(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:3000")
    page.choices.run.click()
    qtbot.waitUntil(lambda: page.process.busy)
    window.close()
    assert page.process._process.state() == QProcess.ProcessState.NotRunning


def test_that_a_process_that_cannot_run_says_why(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:1")
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    with qtbot.waitSignal(page.said) as said:
        page.choices.run.click()
    assert said.args is not None
    assert said.args[0].startswith("The sweep has ended: ")
    assert isinstance(page.process.results, Results)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_that_a_sweep_goes_on_in_another_language(window: MainWindow, qtbot: QtBot, qapp: QApplication) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:99")
    page.choices.run.click()
    qtbot.waitUntil(lambda: bool(page.process.results), timeout=LONG_MS)
    process, results = page.process, page.process.results
    assert results is not None
    assert len(results) < len(results.crossing)
    install_language(qapp, "zh_CN")
    other = MainWindow(window.controller.spec, before=window)
    try:
        other.show()
        window.leave()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        new = other.sweeps.page
        assert other.sweeps.is_open
        assert new.process is process
        assert new.choices.overs == ("num_heads=1,2,4", "seed=0:99")
        qtbot.waitUntil(lambda: not process.busy, timeout=LONG_MS)
        assert process.results is results
        assert len(results) == len(results.crossing) == 300
        assert new.progress.text() == "300 次运行中的 300 次"
        assert new.exports.isEnabled()
    finally:
        install_language(qapp, ENGLISH)
        other.keeper.asks = False
        other.close()
        other.deleteLater()


def test_that_a_process_that_was_killed_is_said_and_the_same_sweep_resumes_with_its_rows(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = page_of(window, qtbot, "1,2", "0:150")
    page.choices.run.click()
    qtbot.waitUntil(lambda: bool(page.process.results), timeout=LONG_MS)
    table = page.process.table
    assert table is not None
    with qtbot.waitSignal(page.said, timeout=LONG_MS) as said:
        os.kill(page.process._process.processId(), signal.SIGKILL)
    assert said.args == ["The sweep has ended: the process ended with code 9", True]
    assert page.process.results
    before = set(table.read_bytes().split(b"\n")[:-1])
    assert 0 < len(before) < 302
    page.choices.run.click()
    qtbot.waitUntil(lambda: len(page.process.results or ()) == 302 and not page.process.busy, timeout=LONG_MS)
    assert page.process.table == table
    assert before <= set(table.read_bytes().split(b"\n")), "no row was computed again"


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be removed there")
def test_that_a_table_that_was_removed_is_missed(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:100")
    with qtbot.waitSignal(page.said, timeout=LONG_MS) as said:
        page.choices.run.click()
        table = page.process.table
        assert table is not None
        qtbot.waitUntil(table.is_file, timeout=LONG_MS)
        shutil.rmtree(table.parent)
    assert said.args[1]
    assert f"{table} was removed or replaced while the sweep wrote it" in said.args[0]
    assert page.choices.run.isEnabled()


def test_that_a_folder_that_cannot_be_written_is_named(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:1")
    monkeypatch.setenv("TMPDIR", "/nonexistent/folder")
    with qtbot.waitSignal(page.said) as said:
        page.choices.run.click()
    assert said.args is not None
    assert said.args[0].startswith("The sweep has ended: its table cannot be written in /nonexistent/folder: ")
    assert not page.process.busy


def test_that_a_look_ends_with_the_block_in_which_its_time_is_up_and_no_row_is_read_twice(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(window, qtbot, "1,2,4,8", "0:2499")
    crossing = page.choices.crossing
    assert crossing is not None
    process = page.process
    process.results, process._folder = Results(crossing), cast("QTemporaryDir", _Folder(tmp_path))
    form, spec, parsed = JsonLines(), json.loads(SMALL.model_dump_json()), []
    read = JsonLines.row
    monkeypatch.setattr(JsonLines, "row", lambda *what: (parsed.append(1), read(*what))[1])
    monkeypatch.setattr(sweep_process, "_AT_A_TIME", 0.0)  # it is up with the first block
    table = (tmp_path / "table.jsonl").open("wb", buffering=0)
    most = 0
    for begin in range(0, len(crossing), 2500):
        rows = (
            {RUN: run, "entropy": run % 7, FAILURE: "", SPEC: spec, SWEEP: "x"} for run in range(begin, begin + 2500)
        )
        lines = [form.line(row, ()) for row in rows]
        table.write(b"".join(lines))
        a_block = sweep_process._BLOCK // min(map(len, lines)) + 1  # and the row that was begun in the block before
        while (before := len(process.results)) < begin + 2500:
            process.look()
            most = max(most, len(process.results) - before)
            assert 0 < len(process.results) - before <= a_block
    table.close()
    assert most > 1
    assert len(parsed) == len(crossing) == 10_000
    process._offset = 0  # as after the process has put the rows into their order
    while not process._read()[1]:
        pass
    assert len(parsed) == 10_000


class _Folder:
    """A folder as the process has one for its table."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def filePath(self, name: str) -> str:
        """Return the path of a file in it."""
        return str(self._path / name)
