"""Work in the other threads: who waits for whom, and what becomes of a job that fails."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from attnviz.gui.run import background as module
from attnviz.gui.run.background import Background
from attnviz.gui.window.main_window import MainWindow


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """An event that jobs wait for; it is let go in the end."""
    event = threading.Event()
    yield event
    event.set()


def test_that_files_do_not_wait_for_figures(held: threading.Event, qtbot: QtBot) -> None:
    figure, file = Background(pool="exports"), Background(pool="files")
    figure.start(lambda: held.wait(20))
    with qtbot.waitSignal(file.done) as done:
        file.start(lambda: "saved")
    assert done.args == ["saved"]
    assert figure.busy
    with qtbot.waitSignal(figure.done):
        held.set()


def test_that_a_defect_is_told_and_the_other_jobs_of_that_moment_are_reported(
    held: threading.Event, qtbot: QtBot
) -> None:
    background = Background()
    said: list[str] = []
    background.done.connect(said.append)
    background.failed.connect(said.append)

    def defect() -> None:
        raise KeyError("no such thing")

    def refused() -> None:
        raise OSError(13, "Permission denied", "/etc/shadow")

    for job in (lambda: held.wait(20) and "first", defect, refused, lambda: "last"):
        background.start(job)
    with qtbot.captureExceptions() as caught:
        held.set()
        assert background.finish(20)  # so that all of them are reported at once
        qtbot.waitUntil(lambda: not background.busy)
    assert said == ["first", "KeyError: 'no such thing'", "/etc/shadow: Permission denied", "last"]
    assert [kind for kind, _, _ in caught] == [KeyError]


def test_that_only_a_job_that_takes_long_is_worth_a_word(
    held: threading.Event, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_MS", 30)
    background = Background()
    with qtbot.assertNotEmitted(background.lasts, wait=80):
        background.start(lambda: "soon")
    with qtbot.waitSignal(background.lasts):
        background.start(lambda: held.wait(20))
    with qtbot.waitSignal(background.done):
        held.set()


@pytest.mark.parametrize("pool", ["background", "files", "autosave"])
def test_that_nothing_waits_for_an_export(pool: Any, held: threading.Event, qtbot: QtBot) -> None:
    export, other = Background(pool="exports"), Background(pool=pool)
    export.start(lambda: held.wait(20))
    with qtbot.waitSignal(other.done):
        other.start(lambda: None)
    assert export.busy
    with qtbot.waitSignal(export.done):
        held.set()


def test_that_figures_and_exports_are_made_where_nobody_waits_for_them(used_window: MainWindow) -> None:
    used_window.dialogs.open_figure()
    dialog = used_window.dialogs.figure
    dialog.reject()
    makers = [it for part in (used_window.exporter, dialog) for it in part.findChildren(Background)]
    assert len(makers) == 4
    assert {id(it._pool) for it in makers} == {id(Background(pool="exports")._pool)}
