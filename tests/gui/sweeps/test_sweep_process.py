"""A sweep of the window in its own process: the rows of the table, live, stopped and saved."""

import csv
import json
from pathlib import Path

import pytest
from calling import forked
from PySide6.QtCore import QProcess
from pytestqt.qtbot import QtBot
from small_specs import SMALL
from windows import Opener

from attnviz.experiment.sweeps.results import Results
from attnviz.gui.sweeps.sweep_page import SweepPage
from attnviz.gui.window.main_window import MainWindow

LONG_MS = 60_000


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    return open_window()


def page_of(window: MainWindow, qtbot: QtBot, values: str, seeds: str) -> SweepPage:
    window.actions_["sweep"].trigger()
    page = window.sweeps.page
    page.first.field.setCurrentIndex(page.first.field.findData("num_heads"))
    page.first.values.setText(values)
    page.seeds.setText(seeds)
    page._read()
    qtbot.waitUntil(lambda: page.run.isEnabled() and page.overs[1] == f"seed={seeds}")
    return page


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: value for name, value in row.items() if name != "milliseconds"} for row in csv.DictReader(file)]


def test_that_its_table_is_that_of_the_command_line(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = page_of(window, qtbot, "1,2,3", "0:2")
    page.run.click()
    qtbot.waitUntil(lambda: not page.process.busy, timeout=LONG_MS)
    results = page.process.results
    assert results is not None
    assert len(results) == 9
    assert len(results.failures) == 3, "3 heads of 8 features"
    assert page.progress.text() == "9 of 9 runs   3 failed"
    with qtbot.waitSignal(page.said):
        page.save_to(tmp_path / "window.csv")
    spec = json.dumps(SMALL.model_dump(mode="json"))
    over = "--over", "num_heads=1,2,3", "--over", "seed=0:2"
    forked("sweep", "-", *over, "-o", "command.csv", cwd=tmp_path, stdin=spec.encode())
    assert rows_in(tmp_path / "window.csv") == rows_in(tmp_path / "command.csv")


def test_that_a_stopped_sweep_keeps_its_rows_and_leaves_no_process(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:3000")
    page.run.click()
    qtbot.waitUntil(lambda: bool(page.process.results), timeout=LONG_MS)
    page.stop.click()
    qtbot.waitUntil(lambda: not page.process.busy, timeout=LONG_MS)
    results = page.process.results
    assert results is not None
    assert 0 < len(results) < 9003
    assert "stopped" in page.progress.text()
    assert page.run.isEnabled()


def test_that_closing_the_window_ends_the_sweep(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:3000")
    page.run.click()
    qtbot.waitUntil(lambda: page.process.busy)
    window.close()
    assert page.process._process.state() == QProcess.ProcessState.NotRunning


def test_that_a_process_that_cannot_run_says_why(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(window, qtbot, "1,2,4", "0:1")
    monkeypatch.setattr("sys.executable", "/nonexistent/python")
    with qtbot.waitSignal(page.said) as said:
        page.run.click()
    assert said.args is not None
    assert said.args[0].startswith("The sweep has ended: ")
    assert isinstance(page.process.results, Results)
